/** The periodic job that updates totals. */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import * as WorkflowReports from "../../automation/workflows/report/WorkflowReports.ts"
import { LinkTotals } from "../../content/links/LinkTotals.ts"
import { EventTotals } from "../../events/EventTotals.ts"
import * as RowCounts from "../../platform/RowCounts.ts"
import { MailTotals } from "./MailTotals.ts"

/** Adds up pending deltas, and counts the events of finished quarter hours. */
export const updateTotals: Effect.Effect<void, never, EventTotals | LinkTotals | MailTotals | SqlClient.SqlClient> =
  Effect.gen(function* () {
    const mails = yield* MailTotals
    const events = yield* EventTotals
    const links = yield* LinkTotals
    yield* mails.rollUp
    yield* RowCounts.rollUp
    yield* links.rollUp
    yield* WorkflowReports.rollUp
    yield* events.countFinished
  })
