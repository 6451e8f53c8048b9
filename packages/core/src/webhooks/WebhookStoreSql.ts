/** Webhook endpoints in PostgreSQL or PGlite. */
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { WebhookDisabledReason, WebhookId } from "@posthorn/contract/webhooks/Webhook"
import { Array, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { changedAt, isUnchanged } from "../platform/Queries.ts"
import { type WebhookChange, WebhookStore } from "./WebhookStore.ts"

const timestampOrNull = Schema.NullOr(Schema.DateTimeUtcFromDate)
const rows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      id: WebhookId,
      projectId: ProjectId,
      url: Schema.String,
      description: Schema.NullOr(Schema.String),
      events: Schema.Array(Schema.String),
      enabled: Schema.Boolean,
      testMode: Schema.Boolean,
      disabledReason: Schema.NullOr(WebhookDisabledReason),
      secretHint: Schema.String,
      lastSuccessAt: timestampOrNull,
      failingSince: timestampOrNull,
      createdAt: Schema.DateTimeUtcFromDate,
      updatedAt: Schema.DateTimeUtcFromDate
    })
  )
)
const columns = `id, project_id as "projectId", url, description, events, enabled, test_mode as "testMode",
  disabled_reason as "disabledReason",
  secret_hint as "secretHint", last_success_at as "lastSuccessAt", failing_since as "failingSince",
  created_at as "createdAt", updated_at as "updatedAt"`

const countRow = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ count: Schema.Int })]))
const keys = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ project: ProjectId, id: WebhookId, url: Schema.String }))
)
export const layer: Layer.Layer<WebhookStore, never, SqlClient.SqlClient> = Layer.effect(
  WebhookStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const all = sql.literal(columns)
    const byId = (project: ProjectId, id: WebhookId) => sql`project_id = ${project} and id = ${id}`
    const many = (statement: Statement.Statement<unknown>) => Effect.flatMap(statement, rows)
    const one = (statement: Statement.Statement<unknown>) => Effect.map(many(statement), Array.head)

    const giveUp = (project: ProjectId, id: WebhookId, now: DateTime.Utc) => sql`
      update webhook_deliveries set status = 'FAILED', due_at = null, completed_at = ${DateTime.toDate(now)}
      where project_id = ${project} and endpoint_id = ${id} and due_at is not null`

    const changes = ({ url, description, events, enabled, testMode }: WebhookChange, now: DateTime.Utc) =>
      sql.csv([
        ...(url === undefined ? [] : [sql`url = ${url}`]),
        ...(description === undefined ? [] : [sql`description = ${description}`]),
        ...(events === undefined ? [] : [sql`events = ${events}::text[]`]),
        ...(enabled === undefined ? [] : [sql`enabled = ${enabled}`]),
        ...(testMode === undefined ? [] : [sql`test_mode = ${testMode}`]),
        ...(enabled ? [sql`disabled_reason = null, failing_since = null, failed_tries = 0, warned = false`] : []),
        sql`updated_at = ${changedAt(sql, "updated_at", now)}`
      ])

    return WebhookStore.of({
      lockCount: Effect.fn("WebhookStore.lockCount")(function* (project) {
        yield* sql`select pg_advisory_xact_lock(hashtextextended(${`posthorn:webhooks:${project}`}, 0))`
        const [{ count }] = yield* countRow(
          yield* sql`select count(*)::int as count from webhook_endpoints where project_id = ${project}`
        )
        return count
      }, Effect.orDie),
      insert: Effect.fn("WebhookStore.insert")(function* (
        project,
        { id, url, description, events, enabled, testMode, secret, secretHint },
        now
      ) {
        const at = DateTime.toDate(now)
        const [webhook] = yield* many(sql`
            insert into webhook_endpoints
              (project_id, id, url, description, events, enabled, test_mode, secret, secret_hint, created_at, updated_at)
            values (${project}, ${id}, ${url}, ${description}, ${events}::text[], ${enabled}, ${testMode}, ${secret}, ${secretHint},
                    ${at}, ${at})
            returning ${all}`)
        return webhook ?? (yield* Effect.die(new Error("The insert returned no row")))
      }, Effect.orDie),
      list: (project) =>
        many(sql`
          select ${all} from webhook_endpoints where project_id = ${project}
          order by created_at desc, id desc`).pipe(Effect.orDie),
      find: (project, id) =>
        one(sql`select ${all} from webhook_endpoints where ${byId(project, id)}`).pipe(Effect.orDie),
      update: Effect.fn("WebhookStore.update")(function* (project, id, change, now, updatedAt) {
        const found = yield* one(sql`
          update webhook_endpoints set ${changes(change, now)}
          where ${byId(project, id)} and ${isUnchanged(sql, "updated_at", updatedAt)} returning ${all}`)
        if (Option.isSome(found) && change.enabled === false) yield* giveUp(project, id, now)
        return found
      }, Effect.orDie),
      delete: (project, id) =>
        sql`delete from webhook_endpoints where ${byId(project, id)} returning id`.pipe(
          Effect.map(Array.isReadonlyArrayNonEmpty),
          Effect.orDie
        ),
      rotate: (project, id, { secret, secretHint }, previousValidUntil, now) =>
        one(sql`
          update webhook_endpoints set previous_secret = secret, secret = ${secret}, secret_hint = ${secretHint},
                 previous_valid_until = ${DateTime.toDate(previousValidUntil)}, updated_at = ${changedAt(sql, "updated_at", now)}
          where ${byId(project, id)} returning ${all}`).pipe(Effect.orDie),
      disable: Effect.fn("WebhookStore.disable")(function* (project, id, reason, now) {
        const disabled = yield* sql`
          update webhook_endpoints set enabled = false, disabled_reason = ${reason}, updated_at = ${changedAt(sql, "updated_at", now)}
          where ${byId(project, id)} and enabled returning id`
        yield* giveUp(project, id, now)
        return disabled.length > 0
      }, Effect.orDie),
      failing: (since, tries) =>
        sql`
          select project_id as project, id, url from webhook_endpoints
          where enabled and failing_since <= ${DateTime.toDate(since)} and failed_tries >= ${tries}`.pipe(
          Effect.flatMap(keys),
          Effect.orDie
        ),
      takeUnwarned: (since) =>
        sql`
          update webhook_endpoints set warned = true
          where enabled and not warned and failing_since <= ${DateTime.toDate(since)}
          returning project_id as project, id, url`.pipe(Effect.flatMap(keys), Effect.orDie)
    })
  })
)
