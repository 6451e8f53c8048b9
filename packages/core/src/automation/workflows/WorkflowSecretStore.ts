/** Stores the sealed signing secrets of projects. */
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Array, DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

const at = Schema.DateTimeUtcFromDate
const Row = Schema.Struct({
  secret: Schema.String,
  createdAt: at,
  previous: Schema.NullOr(Schema.String),
  previousValidUntil: Schema.NullOr(at)
})
export type StoredSecret = typeof Row.Type

const rows = Schema.decodeUnknownEffect(Schema.Array(Row))
const oneRow = Schema.decodeUnknownEffect(Schema.Tuple([Row]))

export const make = Effect.map(SqlClient.SqlClient, (sql) => {
  const columns = sql.literal(
    `secret, created_at as "createdAt", previous, previous_valid_until as "previousValidUntil"`
  )
  return {
    find: (project: ProjectId) =>
      sql`select ${columns} from workflow_secrets where project_id = ${project}`.pipe(
        Effect.flatMap(rows),
        Effect.map(Array.head),
        Effect.orDie
      ),
    /** Stores the first secret of a project. Returns the stored secret, which may come from a simultaneous call. */
    insert: (project: ProjectId, secret: string, now: DateTime.Utc) =>
      sql`
        insert into workflow_secrets (project_id, secret, created_at)
        values (${project}, ${secret}, ${DateTime.toDate(now)})
        on conflict (project_id) do update set secret = workflow_secrets.secret
        returning ${columns}`.pipe(
        Effect.flatMap(oneRow),
        Effect.map(([row]) => row),
        Effect.orDie
      ),
    /** Replaces the secret. The previous one stays valid until `previousValidUntil`. */
    rotate: (project: ProjectId, secret: string, previousValidUntil: DateTime.Utc, now: DateTime.Utc) =>
      sql`
        update workflow_secrets set previous = secret, previous_valid_until = ${DateTime.toDate(previousValidUntil)},
          secret = ${secret}, created_at = ${DateTime.toDate(now)}
        where project_id = ${project} returning ${columns}`.pipe(
        Effect.flatMap(oneRow),
        Effect.map(([row]) => row),
        Effect.orDie
      )
  }
})
