/** What comes round for the totals (contract-2 18). */
import { Duration, Effect, Layer } from "effect"
import { EventTotals } from "../events/EventTotals.ts"
import { PeriodicJobs } from "../jobs/PeriodicJobs.ts"
import { RowCounts } from "../RowCounts.ts"
import { MailTotals } from "./MailTotals.ts"

/** Adds up everything that writers have left, and counts the events of quarters that are over. */
export const keepTotals: Effect.Effect<void, never, EventTotals | MailTotals | RowCounts> = Effect.gen(function* () {
  const mails = yield* MailTotals
  const events = yield* EventTotals
  const rows = yield* RowCounts
  yield* mails.rollUp
  yield* rows.rollUp
  yield* events.countFinished
})

export const layer: Layer.Layer<never, never, EventTotals | MailTotals | PeriodicJobs | RowCounts> =
  Layer.effectDiscard(
    Effect.gen(function* () {
      const { schedule } = yield* PeriodicJobs
      yield* Effect.forkScoped(schedule({ name: "totals", every: Duration.minutes(1) }, keepTotals))
    })
  )
