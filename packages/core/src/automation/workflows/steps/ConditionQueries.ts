/** Evaluates conditions of steps for contacts, with their events and segments. */

import { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import type { Condition } from "@posthorn/contract/audience/filters/Condition"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { conditionSql } from "../../../audience/filters/FilterSql.ts"
import * as Audiences from "../../../audience/segments/Audiences.ts"
import type { Person } from "../run/RunStore.ts"

const rows = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ id: ContactId, results: Schema.Array(Schema.Boolean) }))
)

/** An event that is not stored. */
export interface UnstoredEvent {
  readonly id: string
  readonly name: string
  readonly source: "system" | "tracked"
  readonly data: Schema.JsonObject
  readonly createdAt: DateTime.Utc
  readonly occurredAt: DateTime.Utc
}

/** What takes the place of a stored contact: its fields, and events in addition to its stored ones. */
export interface ContactCopy {
  readonly contact: Person
  readonly events: ReadonlyArray<UnstoredEvent>
}

/** A service, because a test run replaces it by one for a copy of a contact. */
export class ConditionQueries extends Context.Service<
  ConditionQueries,
  {
    /** The result of each condition, by contact. With a copy, for that contact as the copy is. */
    readonly evaluate: (
      project: ProjectId,
      contacts: ReadonlyArray<ContactId>,
      conditions: ReadonlyArray<Condition>,
      context: Schema.JsonObject,
      now: DateTime.Utc,
      copy?: ContactCopy
    ) => Effect.Effect<ReadonlyMap<ContactId, ReadonlyArray<boolean>>>
  }
>()("@posthorn/core/automation/workflows/steps/ConditionQueries") {}

/** The copy in the columns of the tables. */
const tables = (project: ProjectId, { contact, events }: ContactCopy) => ({
  contact: {
    project_id: project,
    id: contact.id,
    email: contact.email,
    subscribed: contact.subscribed,
    snoozed_until: contact.snoozedUntil && DateTime.formatIso(contact.snoozedUntil),
    topics_on: contact.topicsOn,
    topics_off: contact.topicsOff,
    data: contact.data,
    created_at: DateTime.formatIso(contact.createdAt),
    updated_at: DateTime.formatIso(contact.updatedAt)
  },
  events: events.map(({ createdAt, occurredAt, ...event }) => ({
    ...event,
    project_id: project,
    contact_id: contact.id,
    created_at: DateTime.formatIso(createdAt),
    occurred_at: DateTime.formatIso(occurredAt)
  }))
})

export const layer: Layer.Layer<ConditionQueries, never, Audiences.Needs | SqlClient.SqlClient> = Layer.effect(
  ConditionQueries,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const audiences = yield* Audiences.make

    /** Names of tables that hide the stored ones. Columns that the copy does not have are those of the stored row. */
    const hiding = (project: ProjectId, copy: ContactCopy) => {
      const { contact, events } = tables(project, copy)
      return sql`
        with contacts as (
          select copy.* from (select 1) as always
          left join contacts as stored on stored.project_id = ${project} and stored.id = ${contact.id}
          cross join lateral jsonb_populate_record(stored, ${JSON.stringify(contact)}::text::jsonb) as copy
        ),
        events as not materialized (
          select events.* from events where project_id = ${project} and contact_id = ${contact.id}
          union all
          select * from jsonb_populate_recordset(null::events, ${JSON.stringify(events)}::text::jsonb)
        )`
    }

    return ConditionQueries.of({
      evaluate: Effect.fn("ConditionQueries.evaluate")(function* (project, contacts, conditions, context, now, copy) {
        const definitions = yield* audiences.definitions(project, { _tag: "AllOf", conditions })
        const scope = { project, now, ...definitions, few: true, context }
        const results = conditions.map((condition) => conditionSql(sql, condition, scope))
        const found = yield* rows(
          yield* sql`
            ${copy === undefined ? sql`` : hiding(project, copy)}
            select id, array[${sql.csv(results)}] as results from contacts
            where project_id = ${project} and id = any(${contacts}::uuid[])`
        )
        return new Map(found.map(({ id, results }) => [id, results]))
      }, Effect.orDie)
    })
  })
)
