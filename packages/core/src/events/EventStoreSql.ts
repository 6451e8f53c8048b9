/** Events in PostgreSQL, served or embedded. */
import type { ProjectId } from "@posthorn/contract/Auth"
import { Event } from "@posthorn/contract/events/Event"
import { DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { Position } from "../Cursors.ts"
import { type EventFilter, EventStore } from "./EventStore.ts"
import { isVisible } from "./Retracted.ts"

const rows = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ ...Event.fields, createdAt: Schema.DateTimeUtcFromDate }))
)
const statRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      name: Schema.String,
      count: Schema.Int,
      uniqueContacts: Schema.Int,
      lastSeenAt: Schema.DateTimeUtcFromDate
    })
  )
)
const totalsRow = Schema.decodeUnknownEffect(
  Schema.Tuple([Schema.Struct({ totalCount: Schema.Int, uniqueContacts: Schema.Int })])
)
const nameRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ name: Schema.String })))
const countRow = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ count: Schema.Int })]))

export const layer: Layer.Layer<EventStore, never, SqlClient.SqlClient> = Layer.effect(
  EventStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const matching = (project: ProjectId, { name, contact, source, from, until }: EventFilter) =>
      sql.and([
        sql`events.project_id = ${project}`,
        ...(name === undefined ? [] : [sql`events.name = ${name}`]),
        ...(contact === undefined ? [] : [sql`events.contact_id = ${contact}::uuid`]),
        ...(source === undefined ? [] : [sql`events.source = ${source}`]),
        ...(from === undefined ? [] : [sql`events.created_at >= ${DateTime.toDate(from)}`]),
        ...(until === undefined ? [] : [sql`events.created_at < ${DateTime.toDate(until)}`]),
        isVisible(sql)
      ])

    const behind = ({ key, id }: Position) => sql`(events.created_at, events.id) < (${key}::timestamptz, ${id}::uuid)`

    const count = (project: ProjectId, filter: EventFilter) =>
      sql`select count(*)::int as count from events where ${matching(project, filter)}`.pipe(
        Effect.flatMap(countRow),
        Effect.map(([{ count }]) => count),
        Effect.orDie
      )

    const list = (project: ProjectId, filter: EventFilter, limit: number, after?: Position) =>
      sql`
        select events.id, events.name, events.project_id as "projectId", contact_id as "contactId",
               case when contacts.id is not null
                 then jsonb_build_object('id', contacts.id, 'email', contacts.email) end as contact,
               email_id as "emailId", source, events.data, events.created_at as "createdAt"
        from events left join contacts on contacts.project_id = events.project_id and contacts.id = contact_id
        where ${sql.and([matching(project, filter), ...(after ? [behind(after)] : [])])}
        order by events.created_at desc, events.id desc limit ${limit}`.pipe(Effect.flatMap(rows), Effect.orDie)

    const stats = (project: ProjectId, filter: EventFilter, limit: number) =>
      sql`
        select name, count(*)::int as count, count(distinct contact_id)::int as "uniqueContacts",
               max(created_at) as "lastSeenAt"
        from events where ${matching(project, filter)}
        group by name order by count desc, name limit ${limit}`.pipe(Effect.flatMap(statRows), Effect.orDie)

    const totals = (project: ProjectId, name: string) =>
      sql`
        select count(*)::int as "totalCount", count(distinct contact_id)::int as "uniqueContacts"
        from events where ${matching(project, { name })}`.pipe(
        Effect.flatMap(totalsRow),
        Effect.map(([found]) => found),
        Effect.orDie
      )

    const names: EventStore["Service"]["names"] = (project, { search, source }, limit) =>
      sql`
        select name from events
        where ${sql.and([
          matching(project, { source }),
          ...(search ? [sql`strpos(lower(events.name), lower(${search}::text)) > 0`] : [])
        ])}
        group by name order by count(*) desc, name limit ${limit}`.pipe(
        Effect.flatMap(nameRows),
        Effect.map((found) => found.map(({ name }) => name)),
        Effect.orDie
      )

    const retract = (project: ProjectId, name: string, before: DateTime.Utc) =>
      sql`
        insert into event_retractions (project_id, name, before)
        values (${project}, ${name}, ${DateTime.toDate(before)})
        on conflict (project_id, name) do update set before = greatest(event_retractions.before, excluded.before)`.pipe(
        Effect.asVoid,
        Effect.orDie
      )

    const remove = Effect.fn("EventStore.remove")(function* (
      project: ProjectId,
      name: string,
      before: DateTime.Utc,
      limit: number
    ) {
      const until = DateTime.toDate(before)
      const [{ count }] = yield* Effect.flatMap(
        sql`
          with gone as (
            delete from events where project_id = ${project} and id in (
              select id from events
              where project_id = ${project} and name = ${name} and created_at < ${until} limit ${limit}
            )
            returning id
          )
          select count(*)::int as count from gone`,
        countRow
      )
      if (count < limit) {
        yield* sql`
          delete from event_retractions where project_id = ${project} and name = ${name} and before <= ${until}`
      }
      return count
    }, Effect.orDie)

    return EventStore.of({ list, count, stats, totals, names, retract, remove })
  })
)
