/** The periodic work on the states of mailbox providers. */
import { DateTime, Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { type NextDue, nextDue } from "../../platform/jobs/Agenda.ts"
import { Wakeups } from "../../platform/Wakeups.ts"
import * as ShapingSql from "./ShapingSql.ts"

/** How often states recover whose time is over. */
export const advanceEvery = Duration.seconds(10)

/** When the time of the next state is over. */
export const nextRecovery = (sql: SqlClient.SqlClient): NextDue =>
  nextDue(sql`select min(until) from shaping where status <> 'PROBING'`)

/** Lets states recover, and notifies the projects that got a webhook about the slowdown. */
export const advance = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { limits: wakeup } = yield* Wakeups
  const advanced = yield* ShapingSql.advance(sql, yield* DateTime.now)
  if (advanced.length > 0) yield* wakeup.wakeAll
  for (const { key, transport } of advanced) {
    yield* Effect.logInfo("A mailbox provider takes mail as before").pipe(
      Effect.annotateLogs({ provider: key, transport })
    )
  }
}).pipe(Effect.orDie, Effect.withSpan("ShapingJobs.advance"))

/** Deletes what is too old. */
export const sweep = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* ShapingSql.sweepLog(sql, yield* DateTime.now)
}).pipe(Effect.orDie)
