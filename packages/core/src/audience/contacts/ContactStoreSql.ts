/** Contacts in PostgreSQL or PGlite. */

import { type ContactId, EmailAlreadyExists } from "@posthorn/contract/audience/contacts/Contact"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Array, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { anything, dataName, eventChanges, noteChanges } from "../../events/ChangeNotes.ts"
import { countOf, readCount } from "../../platform/Queries.ts"
import * as SharedStatement from "../../platform/SharedStatement.ts"
import {
  type ConsentGiven,
  consentParts,
  isProven,
  stateColumns,
  topicEvents,
  topicNotes
} from "../consents/ConsentSql.ts"
import { deleteContacts } from "../consents/FirstConsent.ts"
import { ExternalIdTaken, isIdTaken, orRefused, refuseConstraint } from "./ContactConstraints.ts"
import { contactListSql } from "./ContactListSql.ts"
import { contactColumns, contactColumnsOf, contactRows, contactRowsWith } from "./ContactRow.ts"
import { type ContactChange, ContactStore, type ContactUpsert } from "./ContactStore.ts"
import {
  evaluatedOnce,
  flipped,
  json,
  keyOf,
  mayMix,
  type OfProject,
  ofProject,
  upsertContacts,
  upsertCounted
} from "./ContactUpsertSql.ts"
import type { ContactNames } from "./Identity.ts"
import type { TopicsChange } from "./TopicsChange.ts"

const upsertedRows = contactRowsWith({ isNew: Schema.Boolean, flipped: Schema.Boolean })
const changedRows = contactRowsWith({
  flipped: Schema.Boolean,
  isTopicChanged: Schema.Boolean,
  events: Schema.Array(Schema.String)
})

/** The names of what may change. All names if the address changes, because segments skip the contact in that time. */
const changedNames = ({ email, externalId, snoozedUntil, subscribed, data }: ContactChange): ReadonlyArray<string> =>
  data === "clear" || email !== undefined
    ? [anything]
    : [
        "updatedAt",
        ...(externalId === undefined ? [] : ["externalId"]),
        ...(snoozedUntil === undefined ? [] : ["snoozedUntil"]),
        ...(subscribed === undefined ? [] : ["subscribed"]),
        ...[...(data?.remove ?? []), ...Object.keys(data?.set ?? {})].map(dataName)
      ]

export const layer: Layer.Layer<ContactStore, never, SqlClient.SqlClient> = Layer.effect(
  ContactStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(contactColumns)

    /**
     * Returns the rows of an update of `stored`. The same statement notes its changes, and records consent and the events
     * about topics.
     */
    const noting = (
      project: ProjectId,
      update: Statement.Fragment,
      names: ReadonlyArray<string>,
      consent: ConsentGiven | undefined,
      now: Date
    ) => {
      const changes = sql`select "projectId", id, ${names}::text[] from updated where "updatedAt" = ${now}::timestamptz`
      const returned = sql`
        with updated as (${update} returning ${sql.literal(contactColumnsOf("stored"))}, ${sql.literal(flipped)},
          ${sql.literal(stateColumns)})`
      if (consent === undefined) {
        return sql`
          ${returned}, noted as (${noteChanges(sql, changes)})
          select *, false as "isTopicChanged", '{}'::uuid[] as events from updated`
      }
      const rows = sql`select *, false as "isNew", ${json(sql, consent)} as consent from updated`
      return sql`
        ${returned}, ${consentParts(sql, project, rows, now, consent.proof.wording !== undefined)},
        recorded as (
          insert into events (id, project_id, contact_id, email_id, name, source, data, created_at)
          ${topicEvents(sql, project, now)}
          returning id, project_id, contact_id, name
        ),
        noted as (${noteChanges(
          sql,
          sql`${changes} union all ${topicNotes(sql, project)} union all ${eventChanges(sql, "recorded")}`
        )})
        select *, array(select id from recorded where contact_id = updated.id) as events, exists (
                 select from state_changes where contact_id = updated.id and topic_id is not null and is_change
               ) as "isTopicChanged"
        from updated`
    }

    const update = (
      project: ProjectId,
      id: ContactId,
      { email, externalId, snoozedUntil, subscribed, topics, narrow, consent, data }: ContactChange,
      now: Date
    ) => {
      const hasConsent = consent !== undefined
      const withConsent = (part: Statement.Fragment) => (hasConsent ? part : sql``)
      return sql`
      update contacts as stored
      set (email, was_subscribed, subscribed, data, external_id, snoozed_until, updated_at
           ${withConsent(sql`, was_topics_on, was_topics_off, topics_on, topics_off, was_proven, proven`)}) = (
        select next.email, stored.subscribed, next.subscribed, next.data, next.external_id, next.snoozed_until,
               case when (next.email, next.subscribed, next.data, next.external_id, next.snoozed_until
                          ${withConsent(sql`, next.topics_on, next.topics_off`)}) is distinct from
                         (stored.email, stored.subscribed, stored.data, stored.external_id, stored.snoozed_until
                          ${withConsent(sql`, stored.topics_on, stored.topics_off`)})
                    then ${now}::timestamptz else stored.updated_at end
               ${withConsent(sql`, stored.topics_on, stored.topics_off, next.topics_on, next.topics_off,
                 stored.proven, ${isProven(sql, json(sql, consent))}`)}
        from (
          select coalesce(${email ?? null}::text, stored.email) as email,
                 coalesce(${subscribed ?? null}::boolean, stored.subscribed) as subscribed,
                 ${changed(data)} as data,
                 ${externalId === undefined ? sql`stored.external_id` : sql`${externalId}::text`} as external_id,
                 ${
                   snoozedUntil === undefined
                     ? sql`stored.snoozed_until`
                     : sql`${snoozedUntil && DateTime.toDate(snoozedUntil)}::timestamptz`
                 } as snoozed_until
                 ${withConsent(sql`, ${changedTopics(project, topics, narrow === true && subscribed === true)}`)}
          ${topics === undefined ? sql`` : evaluatedOnce(sql)}
        ) as next
      )
      where project_id = ${project} and id = ${id}`
    }

    /** The lists of topics after the change. */
    const changedTopics = (project: ProjectId, topics: TopicsChange | undefined, narrow: boolean) => {
      if (topics === undefined && !narrow) return sql`stored.topics_on, stored.topics_off`
      const { on, off, unset, keepOff = false } = topics ?? { on: [], off: [], unset: [] }
      const isKept = (ids: ReadonlyArray<string>) =>
        keepOff ? sql`topics_without(${ids}::uuid[], stored.topics_off)` : sql`${ids}::uuid[]`
      const others = sql`case when stored.subscribed then '{}' else array(
        select id from topics
        where topics.project_id = ${project} and default_on and id <> all(${[...on, ...off, ...unset]}::uuid[])
          and id <> all(coalesce(stored.topics_on, '{}'))
      ) end`
      const left = narrow ? sql`${off}::uuid[] || ${others}` : sql`${off}::uuid[]`
      return sql`
        topic_list(stored.topics_on, ${isKept(on)}, ${off}::uuid[] || ${isKept(unset)}) as topics_on,
        topic_list(stored.topics_off, ${left}, ${isKept(on)} || ${isKept(unset)}) as topics_off`
    }

    const changed = (data: ContactChange["data"]) => {
      if (data === undefined) return sql`stored.data`
      if (data === "clear") return sql`'{}'::jsonb`
      return sql`(stored.data - ${data.remove}::text[]) || ${json(sql, data.set)}`
    }

    const named = (
      project: ProjectId,
      names: ReadonlyArray<ContactNames>,
      also: ReadonlyArray<ContactId> = [],
      lock = sql``
    ) => {
      const emails = names.flatMap(({ email }) => email ?? [])
      const ids = names.flatMap(({ externalId }) => externalId ?? [])
      return sql`
        select ${columns} from contacts
        where project_id = ${project} and id = any(array(
          select id from contacts where project_id = ${project} and email = any(${emails}::text[])
          union all
          select id from contacts where project_id = ${project} and external_id = any(${ids}::text[])
          ${also.length === 0 ? sql`` : sql`union all select unnest(${also}::uuid[])`}
        ))
        order by email ${lock}`.pipe(Effect.flatMap(contactRows), Effect.orDie)
    }

    const byId = (project: ProjectId, id: ContactId) => sql`project_id = ${project} and id = ${id}`

    const lists = contactListSql(sql)

    /** Writes a contact, in one statement with others. No row if it was left out, since another transaction locked it. */
    const share = yield* SharedStatement.make({
      run: (given: ReadonlyArray<OfProject<ContactUpsert> & { readonly now: DateTime.Utc }>) => {
        const skipsLocked = given.length > 1
        return Effect.map(upsertContacts(sql, given, SharedStatement.latest(given), { skipsLocked }), (rows) => {
          const written = new Map(rows.map((row) => [keyOf({ project: row.projectId, contact: row }), row]))
          return (one: OfProject<ContactUpsert>) => Array.fromNullishOr(written.get(keyOf(one)))
        })
      },
      mayShare: ({ contact }) => mayMix(contact),
      keyOf,
      sizeOf: ({ contact }) => JSON.stringify(contact).length,
      failed: "A contact could not be written"
    })

    return ContactStore.of({
      upsert: Effect.fnUntraced(function* (project, contacts, now) {
        const shared = contacts.length === 1 ? yield* share({ project, contact: contacts[0], now }) : []
        const rows =
          shared.length > 0
            ? shared
            : yield* upsertContacts(sql, ofProject(project, contacts), DateTime.toDate(now), { skipsLocked: false })
        const written = yield* Effect.orDie(upsertedRows(rows))
        return Array.isArrayNonEmpty(written) ? written : yield* Effect.die("an upsert wrote no contact")
      }, orRefused),
      upsertMany: (project, contacts, now) =>
        upsertCounted(sql, project, contacts, DateTime.toDate(now)).pipe(
          Effect.flatMap((rows) => Effect.orDie(readCount(rows))),
          orRefused
        ),
      find: (project, id) =>
        sql`select ${columns} from contacts where ${byId(project, id)}`.pipe(
          Effect.flatMap(contactRows),
          Effect.map(Array.head),
          Effect.orDie
        ),
      named: (project, names, also) => named(project, names, also),
      holdNamed: (project, names, also) => named(project, names, also, sql`for no key update`),
      hold: (project, id) =>
        sql`select ${columns} from contacts where ${byId(project, id)} for no key update`.pipe(
          Effect.flatMap(contactRows),
          Effect.map(Array.head),
          Effect.orDie
        ),
      update: (project, id, change, now) =>
        noting(
          project,
          update(project, id, change, DateTime.toDate(now)),
          changedNames(change),
          change.consent,
          DateTime.toDate(now)
        ).pipe(
          Effect.flatMap(changedRows),
          Effect.map(Array.head),
          Effect.catchTag("SchemaError", Effect.die),
          Effect.catchReasons(
            "SqlError",
            {
              UniqueViolation: (reason) =>
                isIdTaken(reason) ? new ExternalIdTaken() : new EmailAlreadyExists({ email: change.email ?? "" }),
              ConstraintError: refuseConstraint
            },
            (_, error) => Effect.die(error)
          )
        ),
      unsubscribe: (project, email, consent, now) =>
        noting(
          project,
          sql`
            update contacts as stored
            set was_subscribed = true, subscribed = false, was_topics_on = topics_on, was_topics_off = topics_off,
                was_proven = proven, proven = true, updated_at = ${DateTime.toDate(now)}
            where project_id = ${project} and email = ${email} and subscribed`,
          changedNames({ subscribed: false }),
          consent,
          DateTime.toDate(now)
        ).pipe(Effect.flatMap(changedRows), Effect.orDie),
      delete: (project, id, now) =>
        deleteContacts(sql, byId(project, id), DateTime.toDate(now)).pipe(
          Effect.map(Array.isReadonlyArrayNonEmpty),
          Effect.orDie
        ),
      list: (project, filter, order, limit, after, total) =>
        lists.list({ project, filter, order, limit, after, total }).pipe(Effect.flatMap(contactRows), Effect.orDie),
      count: (project, filter) => countOf(lists.count(project, filter)),
      containing: (project, text, limit) =>
        lists.containing(project, text, limit).pipe(Effect.flatMap(contactRows), Effect.orDie),
      // No address has the last code point, so a range of the index has the addresses that begin with the text.
      startingWith: (project, text, limit) =>
        sql`
          select ${columns} from contacts
          where project_id = ${project} and email >= ${text.toLowerCase()}
            and email < ${`${text.toLowerCase()}\u{10ffff}`}
          order by email limit ${limit}`.pipe(Effect.flatMap(contactRows), Effect.orDie)
    })
  })
)
