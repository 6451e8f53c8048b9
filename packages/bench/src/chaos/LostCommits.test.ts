/** Commits lose their connection at random. The long form is `node packages/bench/src/chaos/main.ts`. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import * as LostCommits from "./LostCommits.ts"
import { installation, live } from "./OnPostgres.ts"

/** To repeat a run, write its seed here. */
const seed = String(Math.floor(Math.random() * 1_000_000))

live(
  `commits that lose their connection accept once and send once (seed ${seed})`,
  () =>
    Effect.gen(function* () {
      const { violations } = yield* LostCommits.cuts({ seed, mails: 150, cuts: 6 })
      assert.deepStrictEqual(violations, [])
    }).pipe(Effect.provide(installation({ projects: 4 }))),
  240_000
)
