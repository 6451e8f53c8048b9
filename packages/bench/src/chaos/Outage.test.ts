import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Cluster from "./Cluster.ts"
import * as Installation from "./Installation.ts"
import * as Outage from "./Outage.ts"

const isInstalled = await Effect.runPromise(Cluster.isInstalled)
if (!isInstalled) console.warn("\nSKIPPED: the outage of PostgreSQL. There is no initdb here to make a server with.\n")

const seed = String(Math.floor(Math.random() * 1_000_000))

it.live.skipIf(!isInstalled)(
  `PostgreSQL stops abruptly and starts again: no mail is lost or copied, and the API answers 503 meanwhile (seed ${seed})`,
  () =>
    Effect.gen(function* () {
      const cluster = yield* Cluster.make
      const databaseUrl = yield* cluster.database("outage")
      const options = { seed, mails: 300, workers: 2, outages: 1, downMilliseconds: 1_500 }
      const { violations } = yield* Outage.outages(cluster, options).pipe(
        Effect.provide(Installation.layer({ databaseUrl, projects: 2 }))
      )
      assert.deepStrictEqual(violations, [])
    }),
  180_000
)
