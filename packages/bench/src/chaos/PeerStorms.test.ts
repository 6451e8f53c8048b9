/** The peer defers everything. The long form is `node packages/bench/src/chaos/main.ts`. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { installation, live } from "./OnPostgres.ts"
import * as PeerStorms from "./PeerStorms.ts"

/** To repeat a run, write its seed here. */
const seed = String(Math.floor(Math.random() * 1_000_000))

live(
  `a peer that defers everything makes no mail fail, and gets every mail once (seed ${seed})`,
  () =>
    Effect.gen(function* () {
      const { violations } = yield* PeerStorms.blow({ seed, mails: 90, workers: 1, storms: 3 })
      assert.deepStrictEqual(violations, [])
    }).pipe(Effect.provide(installation({ projects: 2 }))),
  240_000
)
