/** The audit log for operators: who changed what about a project or an account. Entries are only added. */
import type { AccountId, ProjectId } from "@posthorn/contract/platform/Auth"
import { Context, type DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { recordAs } from "./Audited.ts"

export interface AuditRecord {
  readonly at: DateTime.Utc
  readonly action: string
  readonly actor: string
  readonly user: string | null
  readonly details: Schema.JsonObject
}

export class AuditLog extends Context.Service<
  AuditLog,
  {
    /** Joins the caller's transaction. */
    readonly loggedIn: (user: AccountId) => Effect.Effect<void>
    /** Entries of a project and of the accounts of its members, newest first. The project may be deleted. */
    readonly ofProject: (project: ProjectId, limit: number) => Effect.Effect<ReadonlyArray<AuditRecord>>
  }
>()("@posthorn/core/platform/audit/AuditLog") {}

const rows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      at: Schema.DateTimeUtcFromDate,
      action: Schema.String,
      actor: Schema.String,
      user: Schema.NullOr(Schema.String),
      details: Schema.JsonObject
    })
  )
)

export const layerSql: Layer.Layer<AuditLog, never, SqlClient.SqlClient> = Layer.effect(
  AuditLog,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return AuditLog.of({
      loggedIn: (user) => recordAs(sql, { actor: "user", user }, { project: null, action: "user.login" }),
      ofProject: (project, limit) =>
        sql`
          select at, action, actor, user_id as user, details from audit_log
          where project_id = ${project}
             or (project_id is null and user_id in (select user_id from members where project_id = ${project}))
          order by at desc, id desc limit ${limit}`.pipe(Effect.flatMap(rows), Effect.orDie)
    })
  })
)
