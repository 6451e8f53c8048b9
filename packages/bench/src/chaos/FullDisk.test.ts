import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Cluster from "./Cluster.ts"
import * as FullDisk from "./FullDisk.ts"

const isPossible = (await Effect.runPromise(Cluster.isInstalled)) && (await Effect.runPromise(Cluster.canMount))
if (!isPossible) console.warn("\nSKIPPED: a full disk. It needs initdb, and the right to mount a disk in memory.\n")

const seed = String(Math.floor(Math.random() * 1_000_000))

it.live.skipIf(!isPossible)(
  `while the disk of the database is full, no mail is lost or copied, and the API answers 503 (seed ${seed})`,
  () =>
    Effect.gen(function* () {
      const { violations } = yield* FullDisk.fullDisk({ seed, mails: 400, fullMilliseconds: 3_000, times: 1 })
      assert.deepStrictEqual(violations, [])
    }),
  240_000
)
