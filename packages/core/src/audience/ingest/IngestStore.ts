/** The statements of ingestion, in PostgreSQL or PGlite. Each joins the caller's transaction. */
import { ContactData, type ContactId } from "@posthorn/contract/audience/contacts/Contact"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { eventChanges, noteChanges } from "../../events/ChangeNotes.ts"
import { countOf } from "../../platform/Queries.ts"

/** The most held messages of one person, and of a project. */
export const maxHeld = { person: 500, project: 1_000_000 }

export interface IngestedEvent {
  readonly id: string
  readonly contact: ContactId
  readonly name: string
  readonly data: Schema.JsonObject
  readonly occurredAt: string
  /** Stored without reactions. */
  readonly isHistory: boolean
}

const Content = Schema.Struct({
  traits: Schema.optionalKey(ContactData),
  event: Schema.optionalKey(Schema.Struct({ name: Schema.String, data: Schema.JsonObject, occurredAt: Schema.String })),
  /** Another id of the person. */
  alias: Schema.optionalKey(Schema.String)
})

/** A message that waits until somebody says who the person is. */
export interface HeldMessage {
  readonly id: string
  readonly personId: string
  readonly content: typeof Content.Type
}

/** A held message whose person is known now. */
export interface ReleasedMessage extends HeldMessage {
  /** Whether a server sent it. */
  readonly verified: boolean
}

export interface IngestStore {
  /** Stores events and returns the ids of those that are new. */
  readonly record: (
    project: ProjectId,
    events: ReadonlyArray<IngestedEvent>,
    now: DateTime.Utc
  ) => Effect.Effect<ReadonlySet<string>>
  /** Returns the ids of the messages that were stored or are there already. Beyond the limits, messages are not. */
  readonly hold: (
    project: ProjectId,
    messages: ReadonlyArray<HeldMessage>,
    verified: boolean,
    now: DateTime.Utc
  ) => Effect.Effect<ReadonlySet<string>>
  /** Takes the messages of these persons, oldest first. Those of servers only with `verified`. */
  readonly release: (
    project: ProjectId,
    persons: ReadonlyArray<string>,
    verified: boolean
  ) => Effect.Effect<ReadonlyArray<ReleasedMessage>>
}

const ids = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: Schema.String })))
const held = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({ id: Schema.String, personId: Schema.String, content: Content, verified: Schema.Boolean })
  )
)

export const make: Effect.Effect<IngestStore, never, SqlClient.SqlClient> = Effect.map(
  SqlClient.SqlClient,
  (sql): IngestStore => {
    const idsOf = (rows: unknown) => Effect.map(ids(rows), (found) => new Set(found.map(({ id }) => id)))
    return {
      record: Effect.fn("IngestStore.record")(function* (project, events, now) {
        if (events.length === 0) return new Set<string>()
        const at = DateTime.toDate(now)
        return yield* idsOf(
          yield* sql`
            with recorded as (
              insert into events (id, project_id, contact_id, name, source, data, created_at, stated_at, dispatched_at)
              select id, ${project}::uuid, contact, name, 'tracked', data, ${at}::timestamptz, "occurredAt",
                     case when "isHistory" then '-infinity'::timestamptz end
              from jsonb_to_recordset(${JSON.stringify(events)}::text::jsonb)
                as event(id uuid, contact uuid, name text, data jsonb, "occurredAt" timestamptz, "isHistory" boolean)
              order by id
              on conflict do nothing returning id, project_id, contact_id, name
            ),
            noted as (${noteChanges(sql, eventChanges(sql, "recorded"))})
            select id from recorded`
        )
      }, Effect.orDie),
      hold: Effect.fn("IngestStore.hold")(function* (project, messages, verified, now) {
        if (messages.length === 0) return new Set<string>()
        const all = yield* countOf(sql`
          select count(*)::int as count from (
            select 1 from held_messages where project_id = ${project} limit ${maxHeld.project}
          ) as held`)
        const placed = messages.slice(0, maxHeld.project - all).map((message, place) => ({ ...message, place }))
        return yield* idsOf(
          yield* sql`
            with given as materialized (
              select id, "personId", content, row_number() over (partition by "personId" order by place) as nth
              from jsonb_to_recordset(${JSON.stringify(placed)}::text::jsonb)
                as given(id uuid, "personId" text, content jsonb, place int)
            ),
            stored as (
              insert into held_messages (project_id, id, person_id, verified, content, received_at)
              select ${project}::uuid, id, "personId", ${verified}::boolean, content, ${DateTime.toDate(now)}::timestamptz
              from given
              where nth <= ${maxHeld.person}::int - (
                select count(*) from held_messages
                where held_messages.project_id = ${project} and person_id = "personId"
              )
              order by id on conflict do nothing returning id
            )
            select id from stored
            union select given.id from given join held_messages as there
              on there.project_id = ${project} and there.id = given.id`
        )
      }, Effect.orDie),
      release: Effect.fn("IngestStore.release")(function* (project, persons, verified) {
        if (persons.length === 0) return []
        return yield* held(
          yield* sql`
            with gone as (
              delete from held_messages
              where project_id = ${project} and person_id = any(${persons}::text[])
                ${verified ? sql`` : sql`and not verified`}
              returning id, person_id, content, received_at, verified
            )
            select id, person_id as "personId", content, verified from gone order by received_at, id`
        )
      }, Effect.orDie)
    }
  }
)
