/**
 * The hot query of contacts: one statement, whatever their number, and with it the events that go with them.
 *
 * `excluded` holds only what a new row would be. Which keys to remove, and whether `subscribed` was given, is looked up
 * by address in `given`: O(log n) each, and right under races, because `stored` is the row as locked. A correlated join
 * would be O(n^2); updating first and inserting the rest would lose removals when two first calls meet.
 * Ordered by address, so that two callers cannot deadlock.
 *
 * Measured, one contact per call, 32 fibers: 2.5k/s on PGlite (a plain insert 6.3k/s); in a request 1.8k/s on PostgreSQL.
 */

import type { ProjectId } from "@posthorn/contract/Auth"
import type { SqlClient, Statement } from "effect/sql"
import { eventChanges, noteChanges } from "../segments/ChangeNotes.ts"
import { contactColumns } from "./ContactRow.ts"
import type { ContactUpsert } from "./ContactStore.ts"
import type { ExpectedUpsert } from "./Touch.ts"

/** `was_subscribed` is the state that the last write found, so a write can return whether it changed it. */
export const flipped = `coalesce(was_subscribed <> subscribed, false) as flipped`

/** JSON goes in as text, because the core knows no driver and thus no driver's own JSON parameter. */
export const json = (sql: SqlClient.SqlClient, value: unknown): Statement.Fragment =>
  sql`${JSON.stringify(value)}::text::jsonb`

/** An event without a name is that of a changed subscription. */
const eventsOf = (event: ContactUpsert["event"], flip: ContactUpsert["flip"]) => [
  ...(event ? [{ ...event, source: "tracked" }] : []),
  ...(flip ? [{ id: flip.id, email: flip.cause.emailId, source: "system", data: flip.cause }] : [])
]

export const upsertContacts = (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  contacts: ReadonlyArray<ContactUpsert>,
  now: Date
): Statement.Statement<unknown> => sql`with ${upsertParts(sql, project, contacts, now)} select * from touched`

/** The same, and only how many are new: to read a thousand contacts back costs more than to write them. */
export const upsertCounted = (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  contacts: ReadonlyArray<ContactUpsert>,
  now: Date
): Statement.Statement<unknown> => sql`
  with ${upsertParts(sql, project, contacts, now)}
  select count(*) filter (where "isNew")::int as count from touched`

/** The `version` of a `KnownContact`. */
export const dataVersion = "md5(data::text)"

/**
 * Contacts by their addresses, each by the unique index: `email = any(...)` is planned by what the statistics say of a
 * project, and reads all of a project's contacts when they say nothing yet. A single address stands in the statement: of
 * an array the planner does not know the length until it sees it, and so plans anew each time.
 */
export const contactsAt = (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  addresses: ReadonlyArray<string>,
  lock: Statement.Fragment = sql``
): Statement.Fragment => sql`
  ${
    addresses.length === 1
      ? sql`(values (${addresses[0]}::text)) as given(address)`
      : sql`(select distinct address from unnest(${addresses}::text[]) as given(address) order by 1) as given`
  }
  cross join lateral (
    select * from contacts where contacts.project_id = ${project} and contacts.email = given.address limit 1 ${lock}
  ) as contact`

/**
 * Parts of a `with` for who has read the contacts and goes by what they were: written, and in `touched`, are those that
 * are as they were read, or new where there was none. The others stay as they are, locked. A known contact is kept from
 * being deleted first, so that it cannot come back as a new one.
 */
export const expectedUpsertParts = (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  contacts: ReadonlyArray<ExpectedUpsert>,
  now: Date
): Statement.Fragment => {
  const addresses = contacts.flatMap(({ email, known }) => (known === undefined ? [] : [email]))
  const expected = contacts.map(({ known, ...contact }) => ({
    ...contact,
    known: known && { subscribed: known.subscribed, version: known.version }
  }))
  const toUpdate = sql`
    where (
      select stored.subscribed = (known ->> 'subscribed')::boolean and md5(stored.data::text) = known ->> 'version'
      from (select given.contacts -> excluded.email -> 'known' as known from given) as mine
    )`
  if (addresses.length === 0) return upsertParts(sql, project, expected, now, { toInsert: sql``, toUpdate })
  return sql`
    held as materialized (
      select email from ${contactsAt(sql, project, addresses, sql`for key share`)}
    ), ${upsertParts(sql, project, expected, now, {
      toInsert: sql`where not contact ? 'known' or email in (select email from held)`,
      toUpdate
    })}`
}

/** Parts of a `with`: `touched` are the contacts that were written. */
const upsertParts = (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  contacts: ReadonlyArray<ContactUpsert>,
  now: Date,
  { toInsert, toUpdate }: { readonly [part in "toInsert" | "toUpdate"]: Statement.Fragment } = {
    toInsert: sql``,
    toUpdate: sql``
  }
): Statement.Fragment => {
  const isEventful = contacts.some(({ event, flip }) => event !== undefined || flip !== undefined)
  const given = contacts.map(({ event, flip, ...contact }) => [
    contact.email,
    { ...contact, events: eventsOf(event, flip) }
  ])
  return sql`
    given as materialized (
      select ${json(sql, Object.fromEntries(given))} as contacts
    ), touched as (
      insert into contacts as stored (id, project_id, email, subscribed, data, created_at, updated_at)
      select (contact ->> 'id')::uuid, ${project}::uuid, email,
             coalesce((contact ->> 'subscribed')::boolean, (contact ->> 'subscribedWhenNew')::boolean, true),
             contact -> 'data' -> 'set', ${now}::timestamptz, ${now}::timestamptz
      from given, jsonb_each(given.contacts) as given_contact(email, contact) ${toInsert}
      order by email
      on conflict (project_id, email) do update set (was_subscribed, subscribed, data, updated_at) = (
        select stored.subscribed, next.subscribed, next.data,
               case when (next.subscribed, next.data) is distinct from (stored.subscribed, stored.data)
                    then excluded.updated_at else stored.updated_at end
        from (
          select coalesce((contact ->> 'subscribed')::boolean, stored.subscribed) as subscribed,
                 (stored.data - array(select jsonb_array_elements_text(contact -> 'data' -> 'remove')))
                   || excluded.data as data
          from (select given.contacts -> excluded.email as contact from given) as mine
        ) as next
      ) ${toUpdate}
      returning ${sql.literal(contactColumns)}, xmax = 0 as "isNew", ${sql.literal(flipped)}
    )${isEventful ? recorded(sql, project, now) : sql``},
    noted as (${noteChanges(sql, changes(sql, now, isEventful))})`
}

/** The events of the contacts that were written. Without any, not even an empty insert: its triggers would run. */
const recorded = (sql: SqlClient.SqlClient, project: ProjectId, now: Date) => sql`,
  recorded as (
    insert into events (id, project_id, contact_id, email_id, name, source, data, created_at)
    select (event ->> 'id')::uuid, ${project}::uuid, touched.id, (event ->> 'email')::uuid,
           coalesce(event ->> 'name', case when subscribed then 'contact.subscribed' else 'contact.unsubscribed' end),
           event ->> 'source', nullif(event -> 'data', 'null'), ${now}::timestamptz
    from given, touched, jsonb_array_elements(given.contacts -> touched.email -> 'events') as event
    where event ? 'name' or flipped
    returning project_id, contact_id, name
  )`

/** Of a new contact everything has changed; of another one, if a value did, all that were given; and there are events. */
const changes = (sql: SqlClient.SqlClient, now: Date, isEventful: boolean) => sql`
  select "projectId", id,
         case when "isNew" then array['*'] else array['subscribed', 'updatedAt']
           || array(select 'data.' || key from jsonb_object_keys(contacts -> email -> 'data' -> 'set') as key)
           || array(select 'data.' || key from jsonb_array_elements_text(contacts -> email -> 'data' -> 'remove') as key)
         end
  from touched, given where "isNew" or "updatedAt" = ${now}::timestamptz
  ${isEventful ? sql`union all ${eventChanges(sql, "recorded")}` : sql``}`
