/** Where the signing secrets of projects are kept, sealed. */
import { ProjectId } from "@posthorn/contract/Auth"
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

const Sealed = Schema.Struct({ project: ProjectId, secret: Schema.String, previous: Schema.NullOr(Schema.String) })
/** Of one project, as they are kept. */
export type SealedSecrets = typeof Sealed.Type

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
    /** Of all projects, in the order of their ids. */
    readonly sealed: (limit: number, after?: ProjectId) => Effect.Effect<ReadonlyArray<SealedSecrets>>
    /** Stores the same secrets sealed anew; does nothing where they have changed since `before` was read. */
    readonly reseal: (before: SealedSecrets, after: SealedSecrets) => Effect.Effect<void>
  }
>()("@posthorn/core/workflows/WorkflowSecretStore") {}

const rows = Schema.decodeUnknownEffect(Schema.Array(Row))
const sealedRows = Schema.decodeUnknownEffect(Schema.Array(Sealed))
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
        ),
      sealed: (limit, after) =>
        sql`
          select project_id as project, secret, previous from workflow_secrets
          where ${after === undefined ? sql`true` : sql`project_id > ${after}`} order by project_id limit ${limit}`.pipe(
          Effect.flatMap(sealedRows),
          Effect.orDie
        ),
      reseal: (before, after) =>
        sql`
          update workflow_secrets set secret = ${after.secret}, previous = ${after.previous}
          where project_id = ${before.project} and secret = ${before.secret}`.pipe(Effect.asVoid, Effect.orDie)
    })
  })
)
