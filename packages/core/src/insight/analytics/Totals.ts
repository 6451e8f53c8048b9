/** The periodic jobs of totals. */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { EventTotals } from "../../events/EventTotals.ts"
import * as RowCounts from "../../platform/RowCounts.ts"
import { MailTotals } from "./MailTotals.ts"

/** Adds up the pending entries and counts the events of finished quarters. */
export const keepTotals: Effect.Effect<void, never, EventTotals | MailTotals | SqlClient.SqlClient> = Effect.gen(
  function* () {
    const mails = yield* MailTotals
    const events = yield* EventTotals
    yield* mails.rollUp
    yield* RowCounts.rollUp
    yield* events.countFinished
  }
)
