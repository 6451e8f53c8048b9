/** Where the signing secrets of projects are kept, sealed. */
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Array, Context, DateTime, Effect, Layer, type Option, Schema } from "effect"
import { SqlClient } from "effect/sql"

const at = Schema.DateTimeUtcFromDate
const Row = Schema.Struct({
  secret: Schema.String,
  createdAt: at,
  previous: Schema.NullOr(Schema.String),
  previousValidUntil: Schema.NullOr(at)
})
export type StoredSecret = typeof Row.Type

export class WorkflowSecretStore extends Context.Service<
  WorkflowSecretStore,
  {
    readonly find: (project: ProjectId) => Effect.Effect<Option.Option<StoredSecret>>
    /** Stores the first secret of a project; gives the one that is stored, which may be that of another call. */
    readonly insert: (project: ProjectId, secret: string, now: DateTime.Utc) => Effect.Effect<StoredSecret>
    /** Replaces the secret; the one before stays good until `previousValidUntil`. */
    readonly rotate: (
      project: ProjectId,
      secret: string,
      previousValidUntil: DateTime.Utc,
      now: DateTime.Utc
    ) => Effect.Effect<StoredSecret>
  }
>()("@posthorn/core/automation/workflows/WorkflowSecretStore") {}

const rows = Schema.decodeUnknownEffect(Schema.Array(Row))
const oneRow = Schema.decodeUnknownEffect(Schema.Tuple([Row]))

export const layerSql: Layer.Layer<WorkflowSecretStore, never, SqlClient.SqlClient> = Layer.effect(
  WorkflowSecretStore,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const columns = sql.literal(
      `secret, created_at as "createdAt", previous, previous_valid_until as "previousValidUntil"`
    )
    return WorkflowSecretStore.of({
      find: (project) =>
        sql`select ${columns} from workflow_secrets where project_id = ${project}`.pipe(
          Effect.flatMap(rows),
          Effect.map(Array.head),
          Effect.orDie
        ),
      insert: (project, secret, now) =>
        sql`
          insert into workflow_secrets (project_id, secret, created_at)
          values (${project}, ${secret}, ${DateTime.toDate(now)})
          on conflict (project_id) do update set secret = workflow_secrets.secret
          returning ${columns}`.pipe(
          Effect.flatMap(oneRow),
          Effect.map(([row]) => row),
          Effect.orDie
        ),
      rotate: (project, secret, previousValidUntil, now) =>
        sql`
          update workflow_secrets set previous = secret, previous_valid_until = ${DateTime.toDate(previousValidUntil)},
            secret = ${secret}, created_at = ${DateTime.toDate(now)}
          where project_id = ${project} returning ${columns}`.pipe(
          Effect.flatMap(oneRow),
          Effect.map(([row]) => row),
          Effect.orDie
        )
    })
  })
)
