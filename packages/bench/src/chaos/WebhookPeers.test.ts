/** Faulty webhook endpoints. The long form is `node packages/bench/src/chaos/main.ts`. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { installation, live } from "./OnPostgres.ts"
import * as WebhookPeers from "./WebhookPeers.ts"

/** To repeat a run, write its seed here. */
const seed = String(Math.floor(Math.random() * 1_000_000))

live(
  `endpoints that fail, redirect, hang or flood get each event, and delay no others (seed ${seed})`,
  () =>
    Effect.gen(function* () {
      const { violations } = yield* WebhookPeers.meet({ seed, mails: 40, rounds: 1, isPatient: false })
      assert.deepStrictEqual(violations, [])
    }).pipe(Effect.provide(installation({ projects: 2 }))),
  240_000
)
