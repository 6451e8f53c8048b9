/** The periodic job that updates totals. */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import * as WorkflowReports from "../../automation/workflows/report/WorkflowReports.ts"
import { LinkTotals } from "../../content/links/LinkTotals.ts"
import * as EventTotals from "../../events/EventTotals.ts"
import * as RowCounts from "../../platform/RowCounts.ts"
import * as MailTotals from "./MailTotals.ts"

/** Adds up pending deltas, and counts the events of finished quarter hours. */
export const updateTotals: Effect.Effect<
  void,
  never,
  EventTotals.Needs | LinkTotals | MailTotals.Needs | SqlClient.SqlClient
> = Effect.gen(function* () {
  const mails = yield* MailTotals.make
  const events = yield* EventTotals.make
  const links = yield* LinkTotals
  yield* mails.rollUp
  yield* RowCounts.rollUp
  yield* links.rollUp
  yield* WorkflowReports.rollUp
  yield* events.countFinished
})
