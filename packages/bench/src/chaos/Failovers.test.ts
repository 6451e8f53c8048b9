import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Cluster from "./Cluster.ts"
import * as Failovers from "./Failovers.ts"

const isInstalled = await Effect.runPromise(Cluster.isInstalled)
if (!isInstalled) console.warn("\nSKIPPED: failovers of PostgreSQL. There is no initdb here to make servers with.\n")

const seed = String(Math.floor(Math.random() * 1_000_000))

it.live.skipIf(!isInstalled)(
  `the primary dies under load and its synchronous standby takes over: no mail is lost or copied (seed ${seed})`,
  () =>
    Effect.gen(function* () {
      const { violations } = yield* Failovers.failovers({ seed, mails: 200, workers: 1, failovers: 1 })
      assert.deepStrictEqual(violations, [])
    }),
  240_000
)
