/** Webhook deliveries in PostgreSQL or PGlite. */
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { DeliveryId, DeliveryStatus, WebhookAttempt, WebhookId } from "@posthorn/contract/webhooks/Webhook"
import { Array, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { batchRows } from "../events/EventHandler.ts"
import { knownNames } from "../events/KnownNames.ts"
import { visibleFrom } from "../events/Retracted.ts"
import type { Position } from "../platform/Cursors.ts"
import { rowCounts } from "../platform/RowCounts.ts"
import { type DeliveryFilter, DeliveryStore, type ReplayWindow } from "./DeliveryStore.ts"
import { payloadOf } from "./WebhookBody.ts"

const timestampOrNull = Schema.NullOr(Schema.DateTimeUtcFromDate)
const Row = Schema.Struct({
  id: DeliveryId,
  webhookId: WebhookId,
  eventId: Schema.String,
  type: Schema.String,
  status: DeliveryStatus,
  attempts: Schema.Int,
  nextAttemptAt: timestampOrNull,
  createdAt: Schema.DateTimeUtcFromDate,
  completedAt: timestampOrNull
})
const rows = Schema.decodeUnknownEffect(Schema.Array(Row))
const columns = `id, endpoint_id as "webhookId", event_id as "eventId", type, status, attempts, due_at as "nextAttemptAt",
  created_at as "createdAt", completed_at as "completedAt"`
const detailRows = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ ...Row.fields, payload: Schema.fromJsonString(Schema.JsonObject) }))
)
const attemptRows = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ ...WebhookAttempt.fields, at: Schema.DateTimeUtcFromDate }))
)
const projectRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ project: ProjectId })))
const keyRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ project: ProjectId, id: Schema.String })))
const countRow = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ count: Schema.Int })]))
const routedRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      project: ProjectId,
      eventId: Schema.String,
      type: Schema.String,
      source: Schema.Literals(["tracked", "system"]),
      name: Schema.String,
      data: Schema.NullOr(Schema.JsonObject),
      at: Schema.DateTimeUtcFromDate,
      contactId: Schema.NullOr(Schema.String),
      contactEmail: Schema.NullOr(Schema.String),
      endpoints: Schema.Array(WebhookId)
    })
  )
)

const endpointRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: WebhookId })))

/** The webhook type of an event. */
const typeOf = "case when events.source = 'tracked' then 'event.tracked' else events.name end"

export const layer: Layer.Layer<DeliveryStore, never, SqlClient.SqlClient> = Layer.effect(
  DeliveryStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const type = sql.literal(typeOf)
    const ofEndpoint = (project: ProjectId, endpoint: WebhookId) =>
      sql`project_id = ${project} and endpoint_id = ${endpoint}`

    /** Whether one of the patterns is the type, a prefix of it that ends in `.*`, or `*`. */
    const matchesAny = (type: Statement.Fragment, patterns: Statement.Fragment) => sql`
      exists (
        select from unnest(${patterns}) as pattern
        where pattern in ('*', ${type}) or (pattern like '%.*' and starts_with(${type}, left(pattern, -1))))`

    const matching = (project: ProjectId, endpoint: WebhookId, { status, type, from, until }: DeliveryFilter) =>
      sql.and([
        ofEndpoint(project, endpoint),
        ...(status === undefined ? [] : [sql`status = ${status}`]),
        ...(type === undefined ? [] : [sql`type = ${type}`]),
        ...(from === undefined ? [] : [sql`created_at >= ${DateTime.toDate(from)}`]),
        ...(until === undefined ? [] : [sql`created_at < ${DateTime.toDate(until)}`])
      ])

    /** The number of deliveries. Totals by status are stored. With a filter by type or time the rows are counted. */
    const counted = (project: ProjectId, endpoint: WebhookId, filter: DeliveryFilter) => {
      const { status, type, from, until } = filter
      if (type !== undefined || from !== undefined || until !== undefined) {
        return sql`select count(*)::int as count from webhook_deliveries where ${matching(project, endpoint, filter)}`
      }
      const keys =
        status === undefined
          ? sql`key > array[${endpoint}::text] and key <= array[${endpoint}::text, 'SUCCEEDED']`
          : sql`key = array[${endpoint}::text, ${status}::text]`
      return sql`
        select coalesce(sum(count), 0)::int as count
        from ${rowCounts(sql, project, "webhook_deliveries", keys)} as kept`
    }

    const isAfter = ({ key, id }: Position) => sql`(created_at, id) < (${key}::timestamptz, ${id}::uuid)`

    const restarted = (now: DateTime.Utc) => sql`
      status = 'PENDING', rung = 0, due_at = ${DateTime.toDate(now)}, lease_until = null, claim = claim + 1,
      completed_at = null`

    const chosenTypes = ({ types }: ReplayWindow, type: Statement.Fragment) =>
      types.length === 0 ? sql`true` : matchesAny(type, sql`${types}::text[]`)

    /** Whether an endpoint subscribes to a type that the replay selects. */
    const isSubscribed = (type: Statement.Fragment, window: ReplayWindow) =>
      sql.and([matchesAny(type, sql`endpoint.events`), chosenTypes(window, type)])

    return DeliveryStore.of({
      listening: (projects) =>
        sql`
          select distinct project_id as project from webhook_endpoints
          where enabled and project_id = any(${projects}::uuid[])`.pipe(
          Effect.flatMap(projectRows),
          Effect.map((found) => found.map(({ project }) => project)),
          Effect.orDie
        ),
      inTestMode: (project, type) =>
        sql`
          select id from webhook_endpoints as endpoint
          where project_id = ${project} and enabled and test_mode and ${matchesAny(sql`${type}::text`, sql`events`)}`.pipe(
          Effect.flatMap(endpointRows),
          Effect.map((found) => found.map(({ id }) => id)),
          Effect.orDie
        ),
      route: Effect.fn("DeliveryStore.route")(function* (events, only) {
        const found = yield* routedRows(
          yield* sql`
            select events.project_id as project, events.id as "eventId", ${type} as type, events.source, events.name,
                   events.data, events.created_at as at, events.contact_id as "contactId",
                   contacts.email as "contactEmail", subscribed.endpoints
            from ${batchRows(sql, { events })}
            join events using (project_id, id)
            cross join lateral (
              select array_agg(endpoint.id) as endpoints from webhook_endpoints as endpoint
              where endpoint.project_id = events.project_id and enabled and ${matchesAny(type, sql`endpoint.events`)}
                and ${only === undefined ? sql`true` : sql`endpoint.id = ${only}`}
            ) as subscribed
            left join contacts on contacts.project_id = events.project_id and contacts.id = events.contact_id
            where subscribed.endpoints is not null
            order by batch.position`
        )
        return found.map(({ at, source, name, data, ...event }) => ({
          ...event,
          at: DateTime.formatIso(at),
          payload: payloadOf({ source, name, data })
        }))
      }, Effect.orDie),
      insert: Effect.fn("DeliveryStore.insert")(function* (messages, now) {
        const at = DateTime.toDate(now)
        const [{ count }] = yield* countRow(
          yield* sql`
            with queued as (
              insert into webhook_deliveries
                (project_id, id, endpoint_id, event_id, type, status, body, due_at, created_at)
              select message.project, delivery.id, delivery.endpoint, message."eventId", message.type, 'PENDING',
                     message.body, ${at}::timestamptz, ${at}::timestamptz
              from jsonb_to_recordset(${JSON.stringify(messages)}::text::jsonb)
                as message(project uuid, "eventId" uuid, type text, body text, deliveries jsonb)
              cross join lateral jsonb_to_recordset(message.deliveries) as delivery(id uuid, endpoint uuid)
              join webhook_endpoints as endpoint on endpoint.project_id = message.project and endpoint.id = delivery.endpoint
              for key share of endpoint
              on conflict (project_id, endpoint_id, event_id) do nothing
              returning id
            )
            select count(*)::int as count from queued`
        )
        return count
      }, Effect.orDie),
      list: (project, endpoint, filter, limit, after) =>
        sql`
          select ${sql.literal(columns)} from webhook_deliveries
          where ${sql.and([matching(project, endpoint, filter), ...(after ? [isAfter(after)] : [])])}
          order by created_at desc, id desc limit ${limit}`.pipe(Effect.flatMap(rows), Effect.orDie),
      count: (project, endpoint, filter) =>
        counted(project, endpoint, filter).pipe(
          Effect.flatMap(countRow),
          Effect.map(([{ count }]) => count),
          Effect.orDie
        ),
      find: Effect.fn("DeliveryStore.find")(function* (project, endpoint, id) {
        const [delivery] = yield* detailRows(
          yield* sql`
            select ${sql.literal(columns)}, body as payload from webhook_deliveries
            where ${ofEndpoint(project, endpoint)} and id = ${id}`
        )
        if (delivery === undefined) return Option.none()
        const attemptLog = yield* attemptRows(
          yield* sql`
            select number, at, status_code as "statusCode", duration_ms as "durationMs", error, response
            from webhook_attempts where project_id = ${project} and delivery_id = ${id} order by number`
        )
        return Option.some({ ...delivery, attemptLog })
      }, Effect.orDie),
      replay: (project, endpoint, id, now) =>
        sql`
          update webhook_deliveries set ${restarted(now)}
          where ${ofEndpoint(project, endpoint)} and id = ${id} and due_at is null
          returning ${sql.literal(columns)}`.pipe(Effect.flatMap(rows), Effect.map(Array.head), Effect.orDie),
      replayMany: Effect.fn("DeliveryStore.replayMany")(function* (project, endpoint, statuses, window, limit, now) {
        const replayed = yield* sql`
          update webhook_deliveries set ${restarted(now)}
          where ${ofEndpoint(project, endpoint)} and due_at is null and id in (
            select id from webhook_deliveries
            where ${matching(project, endpoint, window)} and status in ${sql.in(statuses)} and due_at is null
              and ${chosenTypes(window, sql`type`)}
            order by created_at, id limit ${limit})
          returning 1`
        return replayed.length
      }, Effect.orDie),
      // Reads name by name through an index, so it reads no more rows than the window and the limit require. The index
      // has the times at which events happened. Those that are more than a day older are history, which no webhook gets.
      missed: (project, endpoint, window, limit) => {
        const [from, until] = [
          window.from && DateTime.toDate(window.from),
          window.until && DateTime.toDate(window.until)
        ]
        return sql`
          with known as materialized (${knownNames(sql, project)})
          select ${project}::uuid as project, missed.id
          from webhook_endpoints as endpoint
          join known on ${sql.or(["known.name", "'event.tracked'"].map((type) => isSubscribed(sql.literal(type), window)))}
          cross join lateral (
            select events.id, events.created_at from events
            where events.project_id = ${project} and events.name = known.name and ${isSubscribed(type, window)}
              and events.created_at >= ${visibleFrom(sql, project, sql`known.name`)}
              and ${from === undefined ? sql`true` : sql`events.created_at >= ${from} and events.occurred_at >= ${from}::timestamptz - interval '24 hours'`}
              and ${until === undefined ? sql`true` : sql`events.created_at < ${until} and events.occurred_at < ${until}`}
              and events.dispatched_at is distinct from '-infinity'
              and not exists (
                select from webhook_deliveries as delivery
                where delivery.project_id = ${project} and delivery.endpoint_id = endpoint.id
                  and delivery.event_id = events.id)
            order by events.created_at, events.id limit ${limit}
          ) as missed
          where endpoint.project_id = ${project} and endpoint.id = ${endpoint}
          order by missed.created_at, missed.id limit ${limit}`.pipe(Effect.flatMap(keyRows), Effect.orDie)
      },
      // Most bodies are skipped without parsing their JSON.
      deleteOf: (project, contact, address) =>
        sql`
          delete from webhook_deliveries
          where project_id = ${project} and (strpos(body, ${contact}) > 0 or strpos(body, ${address}) > 0)
            and (body::jsonb #>> '{data,contactId}' = ${contact}
              or ${address} in (body::jsonb #>> '{data,contactEmail}', body::jsonb #>> '{data,to}'))`.pipe(
          Effect.asVoid,
          Effect.orDie
        ),
      sweep: Effect.fn("DeliveryStore.sweep")(function* (before, limit) {
        const deleted = yield* sql`
          delete from webhook_deliveries where (project_id, id) in (
            select project_id, id from webhook_deliveries
            where created_at < ${DateTime.toDate(before)} and due_at is null order by created_at limit ${limit})
          returning 1`
        return deleted.length
      }, Effect.orDie)
    })
  })
)
