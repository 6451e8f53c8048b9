/** The audit log for operators: who changed what about a project or an account. Entries are only added. */
import type { AccountId, ProjectId } from "@posthorn/contract/platform/Auth"
import { type DateTime, Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
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

/** Entries of a project and of the accounts of its members, newest first. The project may be deleted. */
export const entriesOf = (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  limit: number
): Effect.Effect<ReadonlyArray<AuditRecord>> =>
  sql`
          select at, action, actor, user_id as user,
                 case when api_key_id is not null
                      then jsonb_build_object('id', api_key_id, 'name', api_key_name) end as "apiKey",
                 details
          from audit_log
          where project_id = ${project}
             or (project_id is null and user_id in (select user_id from members where project_id = ${project}))
          order by at desc, id desc limit ${limit}`.pipe(Effect.flatMap(rows), Effect.orDie)
