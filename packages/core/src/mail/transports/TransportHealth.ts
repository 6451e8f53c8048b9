/**
 * Whether transports work. Workers and checks report failures. A failing transport is skipped by mail, and one process
 * tries it every minute.
 */
import type { TransportId } from "@posthorn/contract/mail/transports/Transport"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Duration, Effect, Result, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Accounts } from "../../accounts/people/Accounts.ts"
import { Projects } from "../../accounts/projects/Projects.ts"
import { inSubject, inText } from "../../accounts/systemmail/Names.ts"
import { SystemMail, systemEmail, type UnaddressedEmail } from "../../accounts/systemmail/SystemMail.ts"
import { projectEvent, recordServiceEvents } from "../../events/ServiceEvents.ts"
import { type MailerError, MailServers } from "../../platform/Mailer.ts"
import { SecretBox } from "../../platform/SecretBox.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { type StoredTransport, transportColumns, transportRows } from "./TransportRow.ts"
import { serverOf } from "./TransportSecrets.ts"

type Key = Pick<StoredTransport, "id" | "name" | "projectId">

/** Failures in a row after which a transport is failing. A refused login is enough by itself. */
const maxFailures = 3
/** Connections that fail together count once. */
const apart = Duration.seconds(1)
const warnAfter = Duration.minutes(15)
const triedAtOnce = 50
/** How often failing transports are tried. */
export const tryEvery = Duration.seconds(60)

const changed = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ status: Schema.String, name: Schema.String })))
const warned = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({ projectId: Schema.String, name: Schema.String, lastError: Schema.NullOr(Schema.String) })
  )
)

const eventRow = (
  sql: SqlClient.SqlClient,
  { id, projectId }: { readonly id: TransportId; readonly projectId: ProjectId },
  change: "failing" | "recovered",
  name: string,
  error: string | null
) => projectEvent(sql, projectId, `transport.${change}`, { transportId: id, name, error })

/** Counts a failure to reach the transport or to log in. */
export const failed = Effect.fn("TransportHealth.failed")(
  function* (sql: SqlClient.SqlClient, { id, projectId }: Key, { reason, reply }: MailerError) {
    const now = yield* DateTime.now
    const at = DateTime.toDate(now)
    const before = DateTime.toDate(DateTime.subtractDuration(now, apart))
    const atOnce = reason === "authentication"
    const [row] = yield* changed(
      yield* sql`
        update transports set
          failures = failures + 1, last_failure_at = ${at}, last_error = ${reply},
          status = case when ${atOnce} or failures + 1 >= ${maxFailures} then 'FAILING' else status end,
          failing_since = case when ${atOnce} or failures + 1 >= ${maxFailures} then ${at}::timestamptz end, warned = false
        where project_id = ${projectId} and id = ${id} and status = 'OK'
          and (${atOnce} or last_failure_at is null or last_failure_at <= ${before}::timestamptz)
        returning status, name`
    )
    if (row?.status !== "FAILING") return
    yield* recordServiceEvents(sql, eventRow(sql, { id, projectId }, "failing", row.name, reply), now)
    yield* Effect.logWarning("A transport of a project is failing").pipe(
      Effect.annotateLogs({ projectId, transportId: id })
    )
  },
  (effect, sql) => Effect.orDie(sql.withTransaction(effect))
)

/** The transport was reached. A failing one works again. */
export const worked = Effect.fn("TransportHealth.worked")(
  function* (sql: SqlClient.SqlClient, { id, projectId }: Key) {
    const now = yield* DateTime.now
    const rows = yield* changed(
      yield* sql`
        with before as (
          select id, status from transports where project_id = ${projectId} and id = ${id} and failures > 0 for update
        )
        update transports set status = 'OK', failures = 0, last_failure_at = null, last_error = null,
               failing_since = null, warned = false
        from before where project_id = ${projectId} and transports.id = before.id
        returning before.status, name`
    )
    const [row] = rows
    if (row?.status !== "FAILING") return
    yield* recordServiceEvents(sql, eventRow(sql, { id, projectId }, "recovered", row.name, null), now)
    yield* Effect.logInfo("A transport of a project works again").pipe(
      Effect.annotateLogs({ projectId, transportId: id })
    )
  },
  (effect, sql) => Effect.orDie(sql.withTransaction(effect))
)

/** Mail left through the transport. Also ends a series of failures that did not make it fail. */
export const used = (sql: SqlClient.SqlClient, { id, projectId }: Key): Effect.Effect<void> =>
  Effect.flatMap(
    DateTime.now,
    (now) => sql`
      update transports set last_used_at = greatest(last_used_at, ${DateTime.toDate(now)}::timestamptz),
             failures = case when status = 'OK' then 0 else failures end,
             last_failure_at = case when status = 'OK' then null else last_failure_at end,
             last_error = case when status = 'OK' then null else last_error end
      where project_id = ${projectId} and id = ${id}`
  ).pipe(Effect.asVoid, Effect.orDie)

const failingEmail = (project: string, transport: string, error: string | null): UnaddressedEmail =>
  systemEmail(
    `A transport of ${inSubject(project, "a project")} has been failing for 15 minutes`,
    `The transport "${inText(transport)}" cannot be reached or refuses the login: ${inText(error ?? "no reply")}`,
    "Mail uses the next transport of its route, or waits if there is none. The transport is tested every minute, and used again once it works."
  )

const warn = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { administrators } = yield* Accounts
  const { getCached } = yield* Projects
  const { post } = yield* SystemMail
  const before = DateTime.toDate(DateTime.subtractDuration(yield* DateTime.now, warnAfter))
  const rows = yield* warned(
    yield* sql`
      update transports set warned = true
      where status = 'FAILING' and enabled and not warned and failing_since <= ${before}::timestamptz
      returning project_id as "projectId", name, last_error as "lastError"`
  )
  for (const { lastError, name, projectId } of rows) {
    const project = projectId as ProjectId
    const { name: projectName } = yield* Effect.orDie(getCached(project))
    yield* post((yield* administrators(project)).map(failingEmail(projectName, name, lastError)))
  }
}).pipe(Effect.orDie)

/** Tries every failing transport once, and writes to the administrators of those that fail for 15 minutes. */
export const tryFailing = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const box = yield* SecretBox
  const { check } = yield* MailServers
  const { run } = yield* Transaction
  const failing = yield* Effect.orDie(
    Effect.flatMap(
      sql`select ${sql.literal(transportColumns)} from transports where status = 'FAILING' and enabled`,
      transportRows
    )
  )
  yield* Effect.forEach(
    failing,
    Effect.fnUntraced(
      function* (transport) {
        const checked = yield* Effect.result(Effect.flatMap(serverOf(box, transport), check))
        if (Result.isSuccess(checked)) return yield* worked(sql, transport)
        const { id, projectId, revision } = transport
        yield* Effect.orDie(sql`
        update transports set last_error = ${checked.failure.reply}
        where project_id = ${projectId} and id = ${id} and revision = ${revision} and status = 'FAILING'`)
      },
      Effect.catchDefect((defect) => Effect.logError("A failing transport could not be tried", defect))
    ),
    { concurrency: triedAtOnce, discard: true }
  )
  yield* run(warn)
}).pipe(Effect.withSpan("TransportHealth.tryFailing"))
