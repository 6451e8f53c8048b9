/** The audit log for operators: who changed what about a project or an account. Entries are only added. */
import { maxCountedEntries, ProjectAuditEntry } from "@posthorn/contract/accounts/projects/Audit"
import type { AccountId, ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import type { Position } from "../Cursors.ts"
import type { DateRange } from "../DateRange.ts"
import { countOf } from "../Queries.ts"
import { recordAs } from "./Audited.ts"

export interface AuditRecord {
  readonly at: DateTime.Utc
  readonly action: string
  readonly actor: string
  readonly user: string | null
  /** The API key of a caller, with the name that it had then. Null for the secret key and for other actors. */
  readonly apiKey: { readonly id: string; readonly name: string } | null
  readonly details: Schema.JsonObject
}

const rows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      at: Schema.DateTimeUtcFromDate,
      action: Schema.String,
      actor: Schema.String,
      user: Schema.NullOr(Schema.String),
      apiKey: Schema.NullOr(Schema.Struct({ id: Schema.String, name: Schema.String })),
      details: Schema.JsonObject
    })
  )
)

/** Records that the user has logged in; `via` is the way of a login without a credential. Joins the caller's transaction. */
export const recordLogin = (sql: SqlClient.SqlClient, user: AccountId, via?: string): Effect.Effect<void> =>
  recordAs(
    sql,
    { actor: "user", user },
    { project: null, action: "user.login", ...(via !== undefined && { details: { via } }) }
  )

/** `action` is an action, or the beginning of actions followed by `.*`. */
const isAction = (sql: SqlClient.SqlClient, action: string) =>
  action.endsWith(".*") ? sql`starts_with(action, ${action.slice(0, -1)}::text)` : sql`action = ${action}`

/** Entries of a project and of the accounts of its members, newest first. The project may be deleted. */
export const entriesOf = (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  limit: number,
  action?: string
): Effect.Effect<ReadonlyArray<AuditRecord>> =>
  sql`
          select at, action, actor, user_id as user,
                 case when api_key_id is not null
                      then jsonb_build_object('id', api_key_id, 'name', api_key_name) end as "apiKey",
                 details
          from audit_log
          where (project_id = ${project}
             or (project_id is null and user_id in (select user_id from members where project_id = ${project})))
             and ${action === undefined ? sql.literal("true") : isAction(sql, action)}
          order by at desc, id desc limit ${limit}`.pipe(Effect.flatMap(rows), Effect.orDie)

export interface AuditFilter extends DateRange {
  readonly action: string | undefined
  readonly userId: AccountId | undefined
}

const entryRows = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ ...ProjectAuditEntry.fields, at: Schema.DateTimeUtcFromDate }))
)

const matching = (sql: SqlClient.SqlClient, project: ProjectId, { action, userId, from, until }: AuditFilter) =>
  sql.and([
    sql`log.project_id = ${project}`,
    ...(action === undefined ? [] : [isAction(sql, action)]),
    ...(userId === undefined ? [] : [sql`user_id = ${userId}`]),
    ...(from === undefined ? [] : [sql`at >= ${DateTime.toDate(from)}`]),
    ...(until === undefined ? [] : [sql`at < ${DateTime.toDate(until)}`])
  ])

/** Entries of the project for its members, newest first. */
export const listEntries = (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  filter: AuditFilter,
  limit: number,
  after: Position | undefined
): Effect.Effect<ReadonlyArray<ProjectAuditEntry>> =>
  sql`
    select log.id::text as id, at, action, actor,
           case when user_id is not null
                then jsonb_build_object('id', user_id, 'email', (select email from users where users.id = user_id))
           end as "user",
           case when api_key_id is not null
                then jsonb_build_object('id', api_key_id, 'name', api_key_name) end as "apiKey",
           details
    from audit_log as log
    where ${sql.and([
      matching(sql, project, filter),
      ...(after === undefined ? [] : [sql`(at, log.id) < (${after.key}::timestamptz, ${after.id}::bigint)`])
    ])}
    order by at desc, log.id desc limit ${limit}`.pipe(Effect.flatMap(entryRows), Effect.orDie)

/** Stops at the largest number that a list shows. */
export const countEntries = (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  filter: AuditFilter
): Effect.Effect<number> =>
  countOf(sql`
    select count(*)::int as count
    from (select from audit_log as log where ${matching(sql, project, filter)} limit ${maxCountedEntries}) as counted`)
