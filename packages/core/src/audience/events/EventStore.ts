/** Events in PostgreSQL or PGlite. */
import { Event, type EventSource, type EventStats } from "@posthorn/contract/audience/events/Event"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { Position } from "../../platform/Cursors.ts"
import { type EventFilter, eventStatements } from "./EventStatements.ts"

/** Every method takes the project id first. Only `remove` sees retracted events. */
export interface EventStore {
  /** Newest first. */
  readonly list: (
    project: ProjectId,
    filter: EventFilter,
    limit: number,
    after?: Position
  ) => Effect.Effect<ReadonlyArray<Event>>
  readonly count: (project: ProjectId, filter: EventFilter) => Effect.Effect<number>
  /** By name, most frequent first. */
  readonly stats: (project: ProjectId, filter: EventFilter, limit: number) => Effect.Effect<EventStats>
  readonly totals: (
    project: ProjectId,
    name: string
  ) => Effect.Effect<{ readonly totalCount: number; readonly uniqueContacts: number }>
  /** Names that contain the text, most frequent first. */
  readonly names: (
    project: ProjectId,
    filter: { readonly search?: string | undefined; readonly source?: EventSource | undefined },
    limit: number
  ) => Effect.Effect<ReadonlyArray<string>>
  /** Hides events of this name that were recorded before `before`. Their rows stay. */
  readonly retract: (project: ProjectId, name: string, before: DateTime.Utc) => Effect.Effect<void>
  /**
   * Deletes up to `limit` events of this name that callers tracked before `before`. Returns how many. The last step
   * ends the retraction. Events of the service stay.
   */
  readonly remove: (project: ProjectId, name: string, before: DateTime.Utc, limit: number) => Effect.Effect<number>
}

const rows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      ...Event.fields,
      createdAt: Schema.DateTimeUtcFromDate,
      occurredAt: Schema.DateTimeUtcFromDate
    })
  )
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

export const make = Effect.map(SqlClient.SqlClient, (sql): EventStore => {
  const statements = (project: ProjectId) => eventStatements(sql, project)

  const count: EventStore["count"] = (project, filter) =>
    statements(project)
      .count(filter)
      .pipe(
        Effect.flatMap(countRow),
        Effect.map(([{ count }]) => count),
        Effect.orDie
      )

  const list: EventStore["list"] = (project, filter, limit, after) =>
    sql`
      select events.id, events.name, events.project_id as "projectId", contact_id as "contactId",
             case when contacts.id is not null
               then jsonb_build_object('id', contacts.id, 'email', contacts.email) end as contact,
             email_id as "emailId", source, events.data, events.created_at as "createdAt",
             events.occurred_at as "occurredAt"
      from (${statements(project).newest(filter, limit, after)}) as events
      left join contacts on contacts.project_id = events.project_id and contacts.id = contact_id
      order by events.at desc, events.id desc`.pipe(Effect.flatMap(rows), Effect.orDie)

  const stats: EventStore["stats"] = (project, filter, limit) =>
    statements(project).stats(filter, limit).pipe(Effect.flatMap(statRows), Effect.orDie)

  const totals = (project: ProjectId, name: string) =>
    statements(project)
      .totals(name)
      .pipe(
        Effect.flatMap(totalsRow),
        Effect.map(([found]) => found),
        Effect.orDie
      )

  const names: EventStore["names"] = (project, filter, limit) =>
    statements(project)
      .names(filter, limit)
      .pipe(
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
            where project_id = ${project} and name = ${name} and source = 'tracked' and created_at < ${until}
            limit ${limit}
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

  return { list, count, stats, totals, names, retract, remove }
})
