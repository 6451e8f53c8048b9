/** Workers die during a campaign. The long form is `node packages/bench/src/chaos/main.ts`. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import * as CampaignKills from "./CampaignKills.ts"
import { installation, live } from "./OnPostgres.ts"

/** To repeat a run, write its seed here. */
const seed = String(Math.floor(Math.random() * 1_000_000))

live(
  `kill -9 of workers during a campaign loses no mail, and makes at most as many copies as mails were in flight (seed ${seed})`,
  () =>
    Effect.gen(function* () {
      const { violations } = yield* CampaignKills.kills({ seed, contacts: 1_000, workers: 2, kills: 2 })
      assert.deepStrictEqual(violations, [])
    }).pipe(Effect.provide(installation({ projects: 1 }))),
  240_000
)
