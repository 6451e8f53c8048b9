/** The log of events. Events are immutable and are written in the transaction that causes them. */

import type { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import type { PersonalData } from "@posthorn/contract/audience/contacts/ContactExport"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Array, Context, DateTime, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient, type Statement } from "effect/sql"
import { Wakeups } from "../platform/Wakeups.ts"
import { eventChanges, noteChanges } from "./ChangeNotes.ts"
import { heldContacts } from "./HeldContacts.ts"

export interface NewEvent {
  /** A new one by default. Events of one instant are ordered by their ids. */
  readonly id?: string | undefined
  readonly contact: ContactId | null
  readonly email?: string | undefined
  readonly name: string
  readonly source: "tracked" | "system"
  readonly data: Schema.Json
}

/**
 * Events also wait in a separate table until they are dispatched, so that no reaction is lost if a process dies. After
 * the commit the dispatcher of this process wakes up. Other dispatchers find the events within a second. A service,
 * because every area records events.
 */
export class EventLog extends Context.Service<
  EventLog,
  {
    /**
     * Records events in one statement and returns their ids in order. Joins the caller's transaction. An event of a
     * deleted contact is recorded without the contact.
     */
    readonly record: (
      project: ProjectId,
      events: ReadonlyArray<NewEvent>,
      now: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<string>>
    /** Records the same event for each of the contacts, in one statement. Joins the caller's transaction. */
    readonly recordForEach: (
      project: ProjectId,
      contacts: ReadonlyArray<ContactId>,
      event: Omit<NewEvent, "contact" | "email" | "id">,
      now: DateTime.Utc
    ) => Effect.Effect<void>
    /** All events of a contact, oldest first. */
    readonly of: (project: ProjectId, contact: ContactId) => Effect.Effect<PersonalData["events"]>
    /** Gives all events of a contact to another one and returns how many there were. Joins the caller's transaction. */
    readonly move: (project: ProjectId, from: ContactId, to: ContactId) => Effect.Effect<number>
    /** Removes all events of a contact and returns how many there were. Joins the caller's transaction. */
    readonly forget: (project: ProjectId, contact: ContactId) => Effect.Effect<number>
  }
>()("@posthorn/core/events/EventLog") {}

const rows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      id: Schema.String,
      name: Schema.String,
      emailId: Schema.NullOr(Schema.String),
      source: Schema.Literals(["tracked", "system"]),
      data: Schema.NullOr(Schema.Json),
      createdAt: Schema.DateTimeUtcFromDate,
      occurredAt: Schema.DateTimeUtcFromDate
    })
  )
)

export const layerSql: Layer.Layer<EventLog, never, Wakeups | SecureRandom.SecureRandom | SqlClient.SqlClient> =
  Layer.effect(
    EventLog,
    Effect.gen(function* () {
      const { events: wakeup } = yield* Wakeups
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom

      /** The same statement notes the changes for tracked segments. */
      const insert = (events: Statement.Fragment, parts = sql``) => sql`
      with ${parts} recorded as (
        insert into events (id, project_id, contact_id, email_id, name, source, data, created_at)
        ${events}
        returning project_id, contact_id, name
      )
      ${noteChanges(sql, eventChanges(sql, "recorded"))}`

      const record = Effect.fn("EventLog.record")(function* (
        project: ProjectId,
        events: ReadonlyArray<NewEvent>,
        now: DateTime.Utc
      ) {
        if (!Array.isReadonlyArrayNonEmpty(events)) return []
        const ids = yield* Effect.forEach(events, ({ id }) => (id === undefined ? random.uuidV7() : Effect.succeed(id)))
        const rows = events.map(({ contact, email = null, name, source, data }, n) => ({
          id: ids[n],
          contact,
          email,
          name,
          source,
          data
        }))
        yield* insert(
          sql`
        select event.id, ${project}::uuid, held.id, email, name, source, data, ${DateTime.toDate(now)}::timestamptz
        from event left join held on held.id = contact`,
          sql`
        event as materialized (
          select * from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
            as event(id uuid, contact uuid, email uuid, name text, source text, data jsonb)
        ),
        held as materialized (${heldContacts(sql, sql`select ${project}::uuid, contact from event`)}),`
        )
        yield* sql.afterCommit(wakeup.wake)
        return ids
      }, Effect.orDie)

      const recordForEach = Effect.fn("EventLog.recordForEach")(function* (
        project: ProjectId,
        contacts: ReadonlyArray<ContactId>,
        { name, source, data }: Omit<NewEvent, "contact" | "email" | "id">,
        now: DateTime.Utc
      ) {
        if (contacts.length === 0) return
        const ids = yield* Effect.forEach(contacts, () => random.uuidV7())
        yield* insert(sql`
        select id, ${project}::uuid, contact, null::uuid, ${name}::text, ${source}::text,
               ${JSON.stringify(data)}::text::jsonb, ${DateTime.toDate(now)}::timestamptz
        from unnest(${ids}::uuid[], ${contacts}::uuid[]) as event(id, contact)`)
        yield* sql.afterCommit(wakeup.wake)
      }, Effect.orDie)

      return EventLog.of({
        record,
        recordForEach,
        of: Effect.fn("EventLog.of")(function* (project, contact) {
          return yield* rows(
            yield* sql`
            select id, name, email_id as "emailId", source, data, created_at as "createdAt",
                   occurred_at as "occurredAt" from events
            where project_id = ${project} and contact_id = ${contact} order by created_at, id`
          )
        }, Effect.orDie),
        move: Effect.fn("EventLog.move")(function* (project, from, to) {
          const moved = yield* sql`
          update events set contact_id = ${to} where project_id = ${project} and contact_id = ${from} returning id`
          return moved.length
        }, Effect.orDie),
        forget: Effect.fn("EventLog.forget")(function* (project, contact) {
          const gone = yield* sql`
          delete from events where project_id = ${project} and contact_id = ${contact} returning id`
          return gone.length
        }, Effect.orDie)
      })
    })
  )
