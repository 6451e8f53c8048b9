/**
 * An audience of any size, generated in the database: the same seed gives the same contacts and events.
 *
 * Every value is chosen by a hash of the seed, the number of the row and its purpose. A tenth of the contacts has no
 * data, an eighth is not subscribed. Addresses share a few large providers and some thousand companies. Contacts joined
 * evenly over two years. Events happened in the last 90 days, most of them to the newer contacts.
 */
import { Array, Console, Effect } from "effect"
import { SqlClient } from "effect/sql"

export interface Size {
  readonly contacts: number
  readonly events: number
  /** Any whole number. */
  readonly seed: number
}

/** The fixed end of both periods, so that the rows do not depend on today's date. */
const until = "2026-11-01T00:00:00Z"

const contactsPerStatement = 100_000
const eventsPerStatement = 500_000

const firstNames =
  "anna,ben,carla,david,eva,felix,greta,hugo,ines,jonas,klara,leon,mia,noah,olga,paul,rosa,simon,tilda,vera"
const lastNames =
  "adler,berg,cohen,dietz,engel,fischer,gruber,haas,ivanov,jung,kaiser,lang,meyer,novak,otto,peters,roth,schmidt,thaler,weber"
const cities = "Berlin,Wien,Zürich,Köln,Paris,Lyon,Madrid,Oslo,Roma,Praha"
const eventNames =
  "page.viewed,page.viewed,page.viewed,page.viewed,login,login,cart.filled,order.placed,trial.started,plan.changed"

/** Temporary functions of the connection. `of` picks from a list, `no` gives a number below `size`. */
const functions = (sql: SqlClient.SqlClient, { contacts, seed }: Size) => [
  sql`
    create or replace function pg_temp.no(n bigint, what text, size bigint) returns bigint
    language sql immutable parallel safe
    return (hashtextextended(what, n + ${sql.literal(String(seed * 1_000_003))}) & 9007199254740991) % size`,
  sql`
    create or replace function pg_temp.of(n bigint, what text, list text) returns text language sql immutable parallel safe
    return split_part(list, ',', 1 + pg_temp.no(n, what, 1 + length(list) - length(replace(list, ',', '')))::int)`,
  sql`
    create or replace function pg_temp.uuid_at(at timestamptz, n bigint, what text) returns uuid
    language sql stable parallel safe
    return overlay(overlay(
      lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || substr(md5(what || n), 1, 20)
      placing '7' from 13) placing '8' from 17)::uuid`,
  sql`
    create or replace function pg_temp.joined(n bigint) returns timestamptz language sql stable parallel safe
    return timestamptz ${sql.literal(`'${until}'`)}
      - (${sql.literal(String(contacts))} - n) * 63072000000 / ${sql.literal(String(contacts))} * interval '1 millisecond'`
]

const insertContacts = (sql: SqlClient.SqlClient, project: string, from: number, to: number) => sql`
  insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
  select pg_temp.uuid_at(pg_temp.joined(n), n, 'contact'), ${project}::uuid,
         pg_temp.of(n, 'first', ${firstNames}) || '.' || pg_temp.of(n, 'last', ${lastNames}) || n || '@' ||
           case when pg_temp.no(n, 'provider', 100) < 40 then 'gmail.com'
                when pg_temp.no(n, 'provider', 100) < 60 then pg_temp.of(n, 'mail', 'web.de,gmx.net,outlook.com')
                else 'company-' || pg_temp.no(n, 'company', 5000) || '.example' end,
         pg_temp.no(n, 'subscribed', 8) > 0,
         case when pg_temp.no(n, 'data', 10) = 0 then '{}' else jsonb_build_object(
           'plan', pg_temp.of(n, 'plan', 'free,free,free,free,pro,pro,team,enterprise'),
           'seats', 1 + pg_temp.no(n, 'seats', 50),
           'city', pg_temp.of(n, 'city', ${cities}),
           'vip', pg_temp.no(n, 'vip', 50) = 0,
           'signedUpAt', to_char(pg_temp.joined(n) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
           'tags', jsonb_build_array('tag-' || pg_temp.no(n, 'tag 1', 20), 'tag-' || pg_temp.no(n, 'tag 2', 20)),
           'address', jsonb_build_object('zip', lpad(pg_temp.no(n, 'zip', 99999)::text, 5, '0'),
                                         'country', pg_temp.of(n, 'country', 'DE,AT,CH,FR'))) end,
         pg_temp.joined(n), pg_temp.joined(n)
  from generate_series(${from}::bigint, ${to}::bigint) as n`

/** All are already dispatched, so no worker processes them. */
const insertEvents = (sql: SqlClient.SqlClient, project: string, contacts: number, from: number, to: number) => sql`
  insert into events (id, project_id, contact_id, name, source, data, created_at, dispatched_at)
  select pg_temp.uuid_at(at, n, 'event'), ${project}::uuid,
         pg_temp.uuid_at(pg_temp.joined(contact), contact, 'contact'), pg_temp.of(n, 'name', ${eventNames}), 'tracked',
         jsonb_build_object('total', pg_temp.no(n, 'total', 50000) / 100.0, 'sku', 'sku-' || pg_temp.no(n, 'sku', 500)),
         at, at
  from generate_series(${from}::bigint, ${to}::bigint) as n
  cross join lateral (
    select timestamptz ${sql.literal(`'${until}'`)} - pg_temp.no(n, 'at', 7776000000) * interval '1 millisecond' as at,
           1 + floor(${contacts}::int * sqrt(pg_temp.no(n, 'contact', 1000000) / 1000000.0))::bigint as contact
  ) as event`

/**
 * Disables triggers and foreign key checks until the transaction ends, because they take longer than the rows. Only
 * superusers may do this. `counts` then computes what the triggers would have counted.
 */
const withoutTriggers = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [user] = yield* sql`select rolsuper from pg_roles where rolname = current_user`
  if (user?.["rolsuper"] !== true) return false
  yield* sql`set local session_replication_role = 'replica'`
  return true
})

/** Fills `relation` for a project without such rows, without triggers if the user of the database may disable them. */
export const filling = Effect.fnUntraced(function* <E, R>(
  relation: "events" | "emails",
  project: string,
  fill: Effect.Effect<unknown, E, R>
) {
  const sql = yield* SqlClient.SqlClient
  const key = { events: sql`array[source, name]`, emails: sql`array[status, source_type]` }[relation]
  const filled = Effect.gen(function* () {
    const isUncounted = yield* withoutTriggers
    yield* fill
    if (isUncounted) {
      yield* sql`
        insert into row_counts (project_id, relation, key, count)
        select project_id, ${relation}, ${key}, count(*) from ${sql(relation)} where project_id = ${project} group by 1, 3`
    }
  })
  yield* sql.withTransaction(filled)
})

const steps = (count: number, perStep: number) =>
  Array.makeBy(Math.ceil(count / perStep), (step) => ({
    from: step * perStep + 1,
    to: Math.min(count, (step + 1) * perStep)
  })).filter(({ from }) => from <= count)

/** Fills an existing, empty project, then updates the statistics of the planner. */
export const seedAudience = Effect.fnUntraced(function* (project: string, size: Size) {
  const sql = yield* SqlClient.SqlClient
  const define = Effect.forEach(functions(sql, size), (one) => one.unprepared, { discard: true })
  const contacts = Effect.gen(function* () {
    yield* sql`set local gin_pending_list_limit = '256MB'`
    yield* sql`set local maintenance_work_mem = '512MB'`
    yield* define
    for (const { from, to } of steps(size.contacts, contactsPerStatement)) {
      yield* insertContacts(sql, project, from, to)
      yield* Console.error(`${to} of ${size.contacts} contacts`)
    }
  })
  const events = Effect.gen(function* () {
    yield* define
    for (const { from, to } of steps(size.events, eventsPerStatement)) {
      yield* insertEvents(sql, project, size.contacts, from, to)
      yield* Console.error(`${to} of ${size.events} events`)
    }
  })
  yield* sql.withTransaction(contacts)
  if (size.events > 0) yield* filling("events", project, events)
  yield* sql`vacuum (analyze) contacts, events`.unprepared
}, Effect.orDie)
