/** The periodic jobs of totals. */
import { Effect } from "effect"
import { EventTotals } from "../../events/EventTotals.ts"
import { RowCounts } from "../../platform/RowCounts.ts"
import { MailTotals } from "./MailTotals.ts"

/** Adds up the pending entries and counts the events of finished quarters. */
export const keepTotals: Effect.Effect<void, never, EventTotals | MailTotals | RowCounts> = Effect.gen(function* () {
  const mails = yield* MailTotals
  const events = yield* EventTotals
  const rows = yield* RowCounts
  yield* mails.rollUp
  yield* rows.rollUp
  yield* events.countFinished
})
