/** Faulty SMTP peers. The long form is `node packages/bench/src/chaos/main.ts`. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { installation, live } from "./OnPostgres.ts"
import * as StrangePeers from "./StrangePeers.ts"

/** To repeat a run, write its seed here. */
const seed = String(Math.floor(Math.random() * 1_000_000))

live(
  `slow peers, invalid replies and wrong certificates lose no mail, and no mail is sent without encryption (seed ${seed})`,
  () =>
    Effect.gen(function* () {
      const { violations } = yield* StrangePeers.meet({ seed, mails: 40, workers: 1, peers: 4 })
      assert.deepStrictEqual(violations, [])
    }).pipe(Effect.provide(installation({ projects: 2 }))),
  240_000
)
