/** The statements by which one contact takes the place of another. They join the caller's transaction. */
import { type Contact, ContactId } from "@posthorn/contract/audience/contacts/Contact"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Array, DateTime, Effect, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { anything, eventChanges, noteChanges } from "../../events/ChangeNotes.ts"
import { storedProof } from "../consents/ConsentProof.ts"
import { consentColumns, consentParts, firstOfContact, stateColumns, topicEvents } from "../consents/ConsentSql.ts"
import { type DataTooLarge, refuseConstraint } from "./ContactConstraints.ts"
import { consentGiven } from "./ContactInput.ts"
import { contactColumnsOf, contactRowsWith } from "./ContactRow.ts"
import type { Changed } from "./ContactStore.ts"
import { flipped, json } from "./ContactUpsertSql.ts"

const changedRows = contactRowsWith({ flipped: Schema.Boolean })

const leftRows = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ topics: Schema.NullOr(Schema.Array(Schema.String)) }))
)
const ids = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: ContactId })))
const names = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ id: ContactId, email: Schema.String, externalId: Schema.NullOr(Schema.String) }))
)

export interface Absorb {
  /** Locks both against changes and deletion, in the order of addresses. Returns those that exist. */
  readonly hold: (
    project: ProjectId,
    pair: ReadonlyArray<ContactId>
  ) => Effect.Effect<ReadonlyArray<Pick<Contact, "email" | "externalId" | "id">>>
  /** Deletes `gone`, whose records have moved, and gives what its row has to `stays`. */
  readonly absorb: (
    project: ProjectId,
    stays: ContactId,
    gone: ContactId,
    now: DateTime.Utc
  ) => Effect.Effect<Option.Option<Pick<Changed, "contact" | "flipped">>, DataTooLarge>
  /** The contacts that this one has taken the place of, in the order of the merges. */
  readonly mergedIds: (project: ProjectId, id: ContactId) => Effect.Effect<ReadonlyArray<ContactId>>
  /** The contact that has taken the place of this one. */
  readonly mergedInto: (project: ProjectId, id: ContactId) => Effect.Effect<Option.Option<ContactId>>
}

export const make: Effect.Effect<Absorb, never, SecureRandom.SecureRandom | SqlClient.SqlClient> = Effect.map(
  Effect.all([SqlClient.SqlClient, SecureRandom.SecureRandom]),
  ([sql, random]): Absorb => ({
    hold: (project, pair) =>
      sql`
        select id, email, external_id as "externalId" from contacts
        where project_id = ${project} and id = any(${pair}::uuid[])
        order by email for update`.pipe(Effect.flatMap(names), Effect.orDie),
    absorb: Effect.fn("Contacts.absorb")(
      function* (project, stays, gone, now) {
        const at = sql`${DateTime.toDate(now)}::timestamptz`
        const theirs = sql`project_id = ${project} and contact_id = ${gone}`
        yield* sql`update contact_aliases set contact_id = ${stays} where ${theirs}`
        yield* sql`update contact_merges set contact_id = ${stays} where ${theirs}`
        yield* sql`update consents set contact_id = ${stays} where ${theirs}`
        yield* sql`update opt_ins set contact_id = ${stays} where ${theirs} and status <> 'PENDING'`
        yield* sql`update privacy_requests set contact_id = ${stays} where ${theirs}`
        yield* sql`
          insert into contact_merges (project_id, id, contact_id, merged_at)
          values (${project}, ${gone}, ${stays}, ${at})`
        // Their first records follow from rows that change now.
        yield* sql`
          insert into consents (${consentColumns(sql)})
          select ${firstOfContact("contacts", at, sql)} from contacts
          where project_id = ${project} and id = any(${[stays, gone]}::uuid[]) and subscribed and proven is not true
          on conflict do nothing`
        const { actor, actorUser = null } = yield* storedProof({ reason: "merge" })
        yield* sql`
          insert into consents (${consentColumns(sql)})
          select ${project}::uuid, ${yield* random.uuidV7()}::uuid, ${stays}::uuid, email, ${at}, ${at}, 'merged',
                 null::uuid, null, null, 'merge', ${actor}::text, ${actorUser}::text, null, null, null::int, null, null::jsonb, null, null,
                 null::uuid, null::uuid, null::uuid, null::uuid, null::uuid
          from contacts where project_id = ${project} and id = ${gone}`
        yield* sql`update consents set contact_id = ${stays} where ${theirs}`
        const without = (topics: string) => sql.literal(`coalesce(${topics}, '{}')`)
        const [left] = yield* leftRows(
          yield* sql`select topics_off as topics from contacts where project_id = ${project} and id = ${gone}`
        )
        const off = left?.topics ?? []
        const given = { subscribed: false, topics: { on: [], off, unset: [] } }
        const consent = yield* consentGiven(random, given, { reason: "merge" })
        const rows = yield* sql`
          with gone as (delete from contacts where project_id = ${project} and id = ${gone} returning *),
          updated as (
            update contacts as stored set (was_topics_on, was_topics_off, was_proven, was_subscribed, subscribed, data,
              topics_on, topics_off, snoozed_until, external_id, created_at, updated_at, proven) = (
                select stored.topics_on, stored.topics_off, stored.proven, stored.subscribed, stored.subscribed and gone.subscribed, gone.data || stored.data,
                       nullif(array(select unnest(stored.topics_on) except select unnest(gone.topics_off)), '{}'),
                       nullif(array(
                         select distinct unnest(${without("stored.topics_off")} || ${without("gone.topics_off")})
                       ), '{}'),
                       greatest(stored.snoozed_until, gone.snoozed_until),
                       coalesce(stored.external_id, gone.external_id),
                       least(stored.created_at, gone.created_at), ${at}, true
                from gone
              )
            where project_id = ${project} and id = ${stays} and exists (select from gone)
            returning ${sql.literal(contactColumnsOf("stored"))}, ${sql.literal(flipped)}, ${sql.literal(stateColumns)}
          ),
          ${consentParts(
            sql,
            project,
            sql`select *, false as "isNew", ${json(sql, consent)} as consent from updated`,
            DateTime.toDate(now),
            false
          )},
          recorded as (
            insert into events (id, project_id, contact_id, email_id, name, source, data, created_at)
            ${topicEvents(sql, project, DateTime.toDate(now))}
            returning id, project_id, contact_id, name
          ),
          noted as (${noteChanges(
            sql,
            sql`select "projectId", id, array[${anything}] from updated union all ${eventChanges(sql, "recorded")}`
          )})
          select * from updated`
        return Array.head(yield* changedRows(rows))
      },
      Effect.catchTag("SchemaError", Effect.die),
      Effect.catchReasons("SqlError", { ConstraintError: refuseConstraint }, (_, error) => Effect.die(error))
    ),
    mergedIds: (project, id) =>
      sql`
        select id from contact_merges where project_id = ${project} and contact_id = ${id} order by merged_at, id`.pipe(
        Effect.flatMap(ids),
        Effect.map((found) => found.map(({ id }) => id)),
        Effect.orDie
      ),
    mergedInto: (project, id) =>
      sql`select contact_id as id from contact_merges where project_id = ${project} and id = ${id}`.pipe(
        Effect.flatMap(ids),
        Effect.map((found) => Option.map(Array.head(found), ({ id }) => id)),
        Effect.orDie
      )
  })
)
