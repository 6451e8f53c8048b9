/** Holds the same contacts in a database and in memory, to evaluate a condition in both. For tests. */
import { randomUUID } from "node:crypto"
import type { ContactSource } from "@posthorn/contract/audience/contacts/Contact"
import type { EventSource } from "@posthorn/contract/audience/events/Event"
import type { Condition } from "@posthorn/contract/audience/filters/Condition"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { countOf } from "../../../platform/Queries.ts"
import { countSql } from "../CountSql.ts"
import { type ContactFacts, holds } from "../Evaluate.ts"
import type { FilterScope } from "../FilterScope.ts"
import { conditionSql } from "../FilterSql.ts"

export interface LabContact {
  readonly email: string
  readonly subscribed: boolean
  readonly createdAt: DateTime.Utc
  readonly updatedAt: DateTime.Utc
  readonly data: Schema.JsonObject
  readonly events: ReadonlyArray<LabEvent>
  /** The ids of static segments. */
  readonly memberships: ReadonlyArray<string>
  readonly externalId?: string | null
  readonly snoozedUntil?: DateTime.Utc | null
  readonly pendingUntil?: DateTime.Utc | null
  readonly origin?: ContactSource | null
  readonly topicsOn?: ReadonlyArray<string> | null
  readonly topicsOff?: ReadonlyArray<string> | null
}

/** `at` is when it happened. It was recorded later if `recordedAt` is given. */
export interface LabEvent {
  readonly name: string
  readonly at: number
  readonly recordedAt?: number
  readonly data?: Schema.JsonObject | null
  readonly source?: EventSource
}

export type LabScope = Omit<FilterScope, "project">

/** The contacts of one project, identified by their index in the list. */
export interface Lab {
  readonly contacts: ReadonlyArray<LabContact>
  /** The contacts that the statement finds. Fails if the condition is null for any contact. */
  readonly select: (condition: Condition, scope: LabScope) => Effect.Effect<ReadonlyArray<number>>
  /** What `countSql` counts. */
  readonly count: (condition: Condition, scope: LabScope) => Effect.Effect<number>
  /** The contacts for which the condition holds in memory. */
  readonly evaluate: (condition: Condition, scope: LabScope) => ReadonlyArray<number>
}

const Rows = Schema.Array(Schema.Struct({ n: Schema.Int, holds: Schema.Boolean }))

const factsOf = ({ events, memberships, ...contact }: LabContact): ContactFacts => ({
  events: events.map(({ name, at, data = null, source = "tracked" }) => ({ name, at, data, source })),
  memberships: new Set(memberships),
  topics: { topicsOn: contact.topicsOn ?? null, topicsOff: contact.topicsOff ?? null },
  externalId: contact.externalId ?? null,
  pendingUntil: contact.pendingUntil ?? null,
  origin: contact.origin ?? null
})

const isoOf = (instant: DateTime.Utc | null | undefined) => (instant ? DateTime.formatIso(instant) : null)

/** Inserts the contacts, their events and their memberships into a new project. */
export const makeLab = Effect.fnUntraced(function* (contacts: ReadonlyArray<LabContact>) {
  const sql = yield* SqlClient.SqlClient
  const project = ProjectId.make(randomUUID())
  const ids = contacts.map(() => randomUUID())
  const rows = contacts.map(({ createdAt, updatedAt, ...contact }, n) => ({
    ...contact,
    n,
    id: ids[n],
    createdAt: new Date(createdAt.epochMilliseconds).toISOString(),
    updatedAt: new Date(updatedAt.epochMilliseconds).toISOString(),
    snoozedUntil: isoOf(contact.snoozedUntil),
    pendingUntil: isoOf(contact.pendingUntil),
    events: contact.events.map(({ name, at, recordedAt = at, data = null, source = "tracked" }) => ({
      id: randomUUID(),
      name,
      source,
      data,
      at: new Date(at).toISOString(),
      recorded: new Date(recordedAt).toISOString()
    }))
  }))
  const given = sql`jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as given(
    id uuid, email text, subscribed boolean, data jsonb, events jsonb, memberships jsonb,
    "createdAt" timestamptz, "updatedAt" timestamptz, "externalId" text, "snoozedUntil" timestamptz,
    "pendingUntil" timestamptz, origin text, "topicsOn" uuid[], "topicsOff" uuid[])`
  yield* sql`
    insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at, external_id, snoozed_until,
      pending_until, origin, topics_on, topics_off)
    select id, ${project}::uuid, email, subscribed, data, "createdAt", "updatedAt", "externalId", "snoozedUntil",
           "pendingUntil", origin, "topicsOn", "topicsOff" from ${given}`
  yield* sql`
    insert into events (id, project_id, contact_id, name, source, data, created_at, stated_at)
    select event.id, ${project}::uuid, given.id, event.name, event.source, nullif(event.data, 'null'), event.recorded,
           event.at
    from ${given}, jsonb_to_recordset(given.events)
      as event(id uuid, name text, source text, data jsonb, at timestamptz, recorded timestamptz)`
  yield* sql`
    create table if not exists segment_members (
      project_id uuid not null, segment_id uuid not null, contact_id uuid not null)`
  // The tests need memberships but no segments, so the foreign key is dropped.
  yield* sql`
    alter table segment_members drop constraint if exists segment_members_project_id_segment_id_fkey`
  yield* sql`
    insert into segment_members (project_id, segment_id, contact_id)
    select ${project}::uuid, segment::uuid, given.id
    from ${given}, jsonb_array_elements_text(given.memberships) as segment`

  const numbers = new Map<string, number>(ids.map((id, n) => [id, n]))
  const lab: Lab = {
    contacts,
    select: Effect.fnUntraced(function* (condition, scope) {
      const filter = conditionSql(sql, condition, { ...scope, project })
      const found = yield* sql<{ readonly id: string }>`
        select id from contacts where project_id = ${project} and ${filter}`
      const rows = yield* sql`
        select array_position(${ids}::uuid[], id) - 1 as n, (${filter}) as holds
        from contacts where project_id = ${project}`
      const ofRows = (yield* Schema.decodeUnknownEffect(Rows)(rows)).filter((row) => row.holds).map((row) => row.n)
      const selected = found.map(({ id }) => numbers.get(id) ?? -1).sort((a, b) => a - b)
      if (String(selected) !== String(ofRows.sort((a, b) => a - b))) yield* Effect.die("where and select differ")
      return selected
    }, Effect.orDie),
    count: (condition, scope) => countOf(countSql(sql, { condition, scope: { ...scope, project } }).unprepared),
    evaluate: (condition, scope) =>
      contacts.flatMap((contact, n) =>
        holds(condition, { snoozedUntil: null, ...contact }, factsOf(contact), scope) ? [n] : []
      )
  }
  return lab
}, Effect.orDie)
