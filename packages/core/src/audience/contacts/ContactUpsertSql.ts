/**
 * The hot query of contacts: one statement writes any number of contacts and records their events.
 *
 * `excluded` holds only the values of the new row. The keys to remove, and whether `subscribed` was given, are looked
 * up by project and address in `given`. Each lookup is O(log n), and correct under concurrency because `stored` is the row as
 * locked. A correlated join would be O(n^2). Updating first and inserting the rest would lose removals if two first
 * calls overlap. Rows are ordered by address to avoid deadlocks.
 *
 * Measured with one contact per call and 32 fibers: 2.5k/s on PGlite (a plain insert 6.3k/s), 1.8k/s in a request on
 * PostgreSQL.
 */

import type { ProjectId } from "@posthorn/contract/platform/Auth"
import type { SqlClient, Statement } from "effect/sql"
import { eventChanges, noteChanges } from "../../events/ChangeNotes.ts"
import { consentParts, isProven, stateColumns, topicEvents, topicNotes } from "../consents/ConsentSql.ts"
import type { ExpectedUpsert } from "./ContactInput.ts"
import { contactColumnsOf } from "./ContactRow.ts"
import type { ContactUpsert } from "./ContactStore.ts"

/** `was_subscribed` is the state that the last write found, so that a write can return whether it changed it. */
export const flipped = `coalesce(was_subscribed <> subscribed, false) as flipped`

/** Passes JSON as text, because core does not depend on a driver and its JSON parameter type. */
export const json = (sql: SqlClient.SqlClient, value: unknown): Statement.Fragment =>
  sql`${JSON.stringify(value)}::text::jsonb`

/**
 * Ends a subquery whose columns are evaluated once. PostgreSQL would put their expressions wherever a column is used. For
 * expressions that cost more than a step of a plan.
 */
export const evaluatedOnce = (sql: SqlClient.SqlClient): Statement.Fragment => sql`offset 0`

/** A contact to write. Contacts of one statement that have topics or consent are of the same project. */
export interface OfProject<Contact> {
  readonly project: ProjectId
  readonly contact: Contact
}

export const ofProject = <Contact>(
  project: ProjectId,
  contacts: ReadonlyArray<Contact>
): ReadonlyArray<OfProject<Contact>> => contacts.map((contact) => ({ project, contact }))

/** Whether a statement may also write contacts of other projects. */
export const mayMix = ({ consent, externalId, flip, topics }: ContactUpsert): boolean =>
  [consent, externalId, flip, topics].every((each) => each === undefined)

/** An event without a name is that of a changed subscription. */
const eventsOf = (event: ContactUpsert["event"], flip: ContactUpsert["flip"]) => [
  ...(event ? [{ ...event, source: "tracked" }] : []),
  ...(flip ? [{ id: flip.id, email: flip.cause.emailId, source: "system", data: flip.cause }] : [])
]

/**
 * With `skipsLocked`, contacts that another transaction has locked are left out, so that the statement does not wait for
 * them.
 */
export const upsertContacts = (
  sql: SqlClient.SqlClient,
  contacts: ReadonlyArray<OfProject<ContactUpsert>>,
  now: Date,
  { skipsLocked }: { readonly skipsLocked: boolean }
): Statement.Statement<{ readonly projectId: ProjectId; readonly email: string }> => {
  const own = sql`contacts.project_id = given_contacts.project_id and contacts.email = given_contacts.email limit 1`
  const unlocked = {
    held: sql`
      existing as materialized (
        select given_contacts.project_id, given_contacts.email, held.email is null as is_locked
        from given_contacts
        cross join lateral (select from contacts where ${own}) as contact
        left join lateral (select email from contacts where ${own} for no key update skip locked) as held on true
      ),`,
    toInsert: sql`where (project_id, email) not in (select project_id, email from existing where is_locked)`,
    toUpdate: sql``
  }
  return sql`with ${upsertParts(sql, contacts, now, skipsLocked ? unlocked : undefined)} select * from touched`
}

/** The same, but returns only how many are new. Reading a thousand contacts back costs more than writing them. */
export const upsertCounted = (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  contacts: ReadonlyArray<ContactUpsert>,
  now: Date
): Statement.Statement<unknown> => sql`
  with ${upsertParts(sql, ofProject(project, contacts), now)}
  select count(*) filter (where "isNew")::int as count from touched`

/** The `version` of a `KnownContact`. */
export const dataVersion = "md5(data::text)"

/**
 * Parts of a `with` for a caller that read the contacts first and relies on what it read. Writes a contact, and puts it
 * in `touched`, if it is unchanged since the read, or still missing if it was missing. Other contacts stay unchanged
 * but locked. An existing contact is locked against deletion first, so that it cannot be created again as a new one.
 * With `skipsLocked`, contacts that another transaction has locked stay unchanged, too, and the statement does not wait.
 */
export const expectedUpsertParts = (
  sql: SqlClient.SqlClient,
  contacts: ReadonlyArray<OfProject<ExpectedUpsert>>,
  now: Date,
  { skipsLocked }: { readonly skipsLocked: boolean }
): Statement.Fragment => {
  const expected = contacts.map(({ project, contact: { known, ...contact } }) => ({
    project,
    contact: { ...contact, known: known && { subscribed: known.subscribed, version: known.version } }
  }))
  const toUpdate = sql`
    where (
      select stored.subscribed = (known ->> 'subscribed')::boolean and md5(stored.data::text) = known ->> 'version'
      from (select ${givenTo(sql, "excluded.project_id", "excluded.email")} -> 'known' as known from given) as mine
    )`
  if (contacts.every(({ contact }) => contact.known === undefined)) {
    return upsertParts(sql, expected, now, { held: sql``, toInsert: sql``, toUpdate })
  }
  const lock = skipsLocked ? sql`for no key update skip locked` : sql`for key share`
  return upsertParts(sql, expected, now, {
    held: sql`
      held as materialized (
        select known.project_id, known.email
        from (select * from given_contacts where contact ? 'known' order by project_id, email) as known
        cross join lateral (
          select from contacts where contacts.project_id = known.project_id and contacts.email = known.email
          limit 1 ${lock}
        ) as contact
      ),`,
    toInsert: sql`where not contact ? 'known' or (project_id, email) in (select project_id, email from held)`,
    toUpdate
  })
}

/** The key of a contact, as PostgreSQL writes the id of its project. */
export const keyOf = ({ project, contact }: OfProject<Pick<ContactUpsert, "email">>): string =>
  `${project.toLowerCase()} ${contact.email}`

/** What the caller gave for a contact. `given` is one row. */
const givenTo = (sql: SqlClient.SqlClient, project: string, email: string) =>
  sql.literal(`given.contacts -> (${project} || ' ' || ${email})`)

const givenToTouched = (sql: SqlClient.SqlClient) => givenTo(sql, `touched."projectId"`, "touched.email")

/** Parts of a `with`. `touched` holds the contacts that were written. */
const upsertParts = (
  sql: SqlClient.SqlClient,
  ofProjects: ReadonlyArray<OfProject<ContactUpsert>>,
  now: Date,
  { held, toInsert, toUpdate }: { readonly [part in "held" | "toInsert" | "toUpdate"]: Statement.Fragment } = {
    held: sql``,
    toInsert: sql``,
    toUpdate: sql``
  }
): Statement.Fragment => {
  const contacts = ofProjects.map(({ contact }) => contact)
  const isEventful = contacts.some(
    ({ event, flip, topics }) => event !== undefined || flip !== undefined || topics !== undefined
  )
  const isDated = contacts.some(({ event }) => event?.occurredAt !== undefined || event?.isHistory === true)
  const hasIds = contacts.some(({ externalId }) => externalId !== undefined)
  const withId = (part: Statement.Fragment) => (hasIds ? part : sql``)
  const hasTopics = contacts.some(({ topics }) => topics !== undefined)
  const hasConsent = contacts.some(({ consent }) => consent !== undefined)
  const hasWording = contacts.some(({ consent }) => consent?.proof.wording !== undefined)
  const withConsent = (part: Statement.Fragment) => (hasConsent ? part : sql``)
  const given = ofProjects.map((one) => {
    const { event, flip, ...row } = one.contact
    return [keyOf(one), { ...row, events: eventsOf(event, flip) }]
  })
  const [first] = ofProjects
  return sql`
    given as materialized (
      select ${json(sql, Object.fromEntries(given))} as contacts
    ), given_contacts as (
      select left(key, 36)::uuid as project_id, substr(key, 38) as email, contact
      from given, jsonb_each(contacts) as given_contact(key, contact)
    ), ${held}
    touched as (
      insert into contacts as stored (id, project_id, email, subscribed, data, created_at, updated_at, origin, origin_id
        ${withId(sql`, external_id`)} ${withConsent(sql`, topics_on, topics_off, proven`)})
      select (contact ->> 'id')::uuid, project_id, email,
             coalesce((contact ->> 'subscribed')::boolean, (contact ->> 'subscribedWhenNew')::boolean, true),
             contact -> 'data' -> 'set', ${now}::timestamptz, ${now}::timestamptz, contact ->> 'origin',
             (contact ->> 'originId')::uuid ${withId(sql`, contact ->> 'externalId'`)}
             ${withConsent(sql`, nullif(uuids(contact #> '{topics,on}'), '{}'),
               nullif(uuids(contact #> '{topics,off}'), '{}'),
               case when contact #> '{consent,atCreation}' is not null then true end`)}
      from given_contacts ${toInsert}
      order by project_id, email
      on conflict (project_id, email) do update
      set (was_subscribed, subscribed, data, updated_at ${withId(sql`, external_id`)}
           ${withConsent(sql`, was_topics_on, was_topics_off, topics_on, topics_off, was_proven, proven`)}) = (
        select stored.subscribed, next.subscribed, next.data,
               case when (next.subscribed, next.data ${withId(sql`, next.external_id`)}
                          ${withConsent(sql`, next.topics_on, next.topics_off`)})
                         is distinct from (stored.subscribed, stored.data ${withId(sql`, stored.external_id`)}
                          ${withConsent(sql`, stored.topics_on, stored.topics_off`)})
                    then excluded.updated_at else stored.updated_at end
               ${withId(sql`, next.external_id`)}
               ${withConsent(sql`, stored.topics_on, stored.topics_off, next.topics_on, next.topics_off,
                 stored.proven, ${isProven(sql, sql`next.consent`)}`)}
        from (
          select case when contact ? 'keepKnown' then stored.subscribed
                      else coalesce((contact ->> 'subscribed')::boolean, stored.subscribed) end as subscribed,
                 case when contact ? 'keepKnown' then stored.data
                      else (stored.data - array(select jsonb_array_elements_text(contact -> 'data' -> 'remove')))
                             || excluded.data end as data
                 ${withId(sql`, coalesce(contact ->> 'externalId', stored.external_id) as external_id`)}
                 ${withConsent(sql`, contact -> 'consent' as consent, ${hasTopics ? topics(sql) : sameTopics(sql)}`)}
          from (select ${givenTo(sql, "excluded.project_id", "excluded.email")} as contact from given) as mine
          ${hasTopics ? evaluatedOnce(sql) : sql``}
        ) as next
      ) ${toUpdate}
      returning ${sql.literal(contactColumnsOf("stored"))}, xmax = 0 as "isNew", ${sql.literal(flipped)}
                ${withConsent(sql`, ${sql.literal(stateColumns)}`)}
    )${
      hasConsent && first !== undefined
        ? sql`, ${consentParts(
            sql,
            first.project,
            sql`
            select touched.*, ${givenToTouched(sql)} -> 'consent' as consent
            from touched, given where (${givenToTouched(sql)}) ? 'consent'`,
            now,
            hasWording
          )}`
        : sql``
    }${isEventful ? recorded(sql, now, isDated, hasTopics ? first?.project : undefined) : sql``},
    noted as (${noteChanges(sql, changes(sql, now, isEventful, hasTopics ? first?.project : undefined))})`
}

/** The lists of topics, if an existing contact keeps its topics. */
const sameTopics = (sql: SqlClient.SqlClient) => sql`stored.topics_on, stored.topics_off`

/** The lists of topics after the change. */
const topics = (sql: SqlClient.SqlClient) => {
  const given = (list: "off" | "on" | "unset") => {
    const ids = sql`uuids(contact #> ${sql.literal(`'{topics,${list}}'`)})`
    return list === "off"
      ? ids
      : sql`case when contact #> '{topics,keepOff}' is null then ${ids} else topics_without(${ids}, stored.topics_off) end`
  }
  const next = (column: string, added: Statement.Fragment, removed: Statement.Fragment) => sql`
    case when contact ? 'keepKnown' or not contact ? 'topics' then ${sql.literal(`stored.${column}`)}
         else topic_list(${sql.literal(`stored.${column}`)}, ${added}, ${removed}) end as ${sql.literal(column)}`
  return sql`${next("topics_on", given("on"), sql`${given("off")} || ${given("unset")}`)},
    ${next("topics_off", given("off"), sql`${given("on")} || ${given("unset")}`)}`
}

/**
 * Inserts the events of the written contacts. Without events there is no insert, because even an empty one runs
 * triggers.
 */
const recorded = (sql: SqlClient.SqlClient, now: Date, isDated: boolean, withTopics: ProjectId | undefined) => sql`,
  recorded as (
    insert into events (id, project_id, contact_id, email_id, name, source, data, created_at
      ${isDated ? sql`, stated_at, dispatched_at` : sql``})
    select (event ->> 'id')::uuid, touched."projectId", touched.id, (event ->> 'email')::uuid,
           coalesce(event ->> 'name', case when subscribed then 'contact.subscribed' else 'contact.unsubscribed' end),
           event ->> 'source', nullif(event -> 'data', 'null'), ${now}::timestamptz
           ${isDated ? sql`, (event ->> 'occurredAt')::timestamptz, ${dispatched(sql)}` : sql``}
    from given, touched, jsonb_array_elements(${givenToTouched(sql)} -> 'events') as event
    where event ? 'name' or flipped
    ${withTopics === undefined ? sql`` : sql`union all ${topicEvents(sql, withTopics, now, isDated)}`}
    returning project_id, contact_id, name
  )`

/** History is never dispatched. */
const dispatched = (sql: SqlClient.SqlClient) =>
  sql`case when (event ->> 'isHistory')::boolean then '-infinity'::timestamptz end`

/**
 * The changes of the written contacts: everything for a new contact, all given names for a changed one, and the events.
 */
const changes = (sql: SqlClient.SqlClient, now: Date, isEventful: boolean, withTopics: ProjectId | undefined) => sql`
  select "projectId", id,
         case when "isNew" then array['*'] else array['subscribed', 'updatedAt', 'externalId']
           || array(select 'data.' || key from jsonb_object_keys(${givenToTouched(sql)} -> 'data' -> 'set') as key)
           || array(select 'data.' || key from jsonb_array_elements_text(${givenToTouched(sql)} -> 'data' -> 'remove') as key)
         end
  from touched, given where "isNew" or "updatedAt" = ${now}::timestamptz
  ${isEventful ? sql`union all ${eventChanges(sql, "recorded")}` : sql``}
  ${withTopics === undefined ? sql`` : sql`union all ${topicNotes(sql, withTopics)}`}`
