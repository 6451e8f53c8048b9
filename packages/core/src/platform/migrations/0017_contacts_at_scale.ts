import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Stored totals, and an index for each filter of a long list.
 *
 * A total is the sum of a project's tallies. A trigger appends the change of every statement that adds or removes
 * contacts or changes subscriptions: in its transaction, so that a rollback removes it, and without a lock, so that
 * writers never wait for each other. One append in 128 folds the newest tallies into one, and skips those that another
 * transaction is folding. So a sum reads some hundred rows, for any number of contacts. (A repeatable read could fail
 * on another transaction's fold, and does not fold.)
 *
 * Inserts and deletes are tallied by statement: an import of 100,000 appends one row. Subscription changes are tallied
 * by row: the trigger's condition costs almost nothing for an update without such a change (each `/v1/track` of a known
 * contact). Triggers run with the `search_path` of the statement, so the schema is written out. A `set search_path` on
 * the function would cost more than the rest of it.
 */
const tallies = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql`select quote_ident(current_schema()) as schema`
  const schema = sql.literal(String(row?.["schema"]))
  yield* sql`
    create table contact_tallies (
      project_id uuid not null,
      id bigint generated always as identity,
      contacts bigint not null,
      subscribed bigint not null,
      primary key (project_id, id)
    )`
  yield* sql`
    create function fold_contact_tallies(project uuid) returns void language sql as $$
      with newest as materialized (
        select id from ${schema}.contact_tallies where project_id = project
        order by id desc limit 1000 for update skip locked
      ),
      gone as (
        delete from ${schema}.contact_tallies as tally using newest
        where tally.project_id = project and tally.id = newest.id
          and current_setting('transaction_isolation') = 'read committed'
        returning contacts, subscribed
      )
      insert into ${schema}.contact_tallies (project_id, contacts, subscribed)
      select project, sum(contacts), sum(subscribed) from gone having count(*) > 0
    $$`
  yield* sql`
    create function tally_contacts() returns trigger language plpgsql as $$
    declare
      sign constant integer := case tg_op when 'INSERT' then 1 else -1 end;
    begin
      insert into ${schema}.contact_tallies (project_id, contacts, subscribed)
      select project_id, sign * count(*), sign * count(*) filter (where subscribed) from changed group by project_id;
      if not found then
        return null;
      end if;
      if hashint8(lastval()) & 127 = 0 then
        perform ${schema}.fold_contact_tallies(project_id) from (select distinct project_id from changed) as touched;
      end if;
      return null;
    end $$`
  yield* sql`
    create function tally_flipped_contact() returns trigger language plpgsql as $$
    begin
      insert into ${schema}.contact_tallies (project_id, contacts, subscribed)
      values (old.project_id, -1, -old.subscribed::int), (new.project_id, 1, new.subscribed::int);
      if hashint8(lastval()) & 127 = 0 then
        perform ${schema}.fold_contact_tallies(new.project_id);
      end if;
      return null;
    end $$`
  yield* sql`
    create function tally_no_contacts() returns trigger language plpgsql as $$
    begin
      truncate ${schema}.contact_tallies;
      return null;
    end $$`
  yield* sql`
    create trigger contacts_added after insert on contacts
    referencing new table as changed for each statement execute function tally_contacts()`
  yield* sql`
    create trigger contacts_removed after delete on contacts
    referencing old table as changed for each statement execute function tally_contacts()`
  yield* sql`
    create trigger contact_flipped after update on contacts for each row
    when (old.subscribed <> new.subscribed or old.project_id <> new.project_id)
    execute function tally_flipped_contact()`
  yield* sql`
    create trigger contacts_truncated after truncate on contacts for each statement execute function tally_no_contacts()`
  // After the triggers: creating them waits for every writer and blocks new ones, so nothing is counted twice or
  // missed.
  yield* sql`
    insert into contact_tallies (project_id, contacts, subscribed)
    select project_id, count(*), count(*) filter (where subscribed) from contacts group by project_id`
})

/**
 * The unsubscribed contacts, which are few, in both orders. Subscribed contacts are found quickly in the whole list.
 * `contacts_data` serves filters on custom data, `events_history` filters on events. The latter includes the contact,
 * so that contacts with an event in a span of days are found without reading the events. Both GIN indexes collect new
 * entries in a list and sort them in from time to time (`fastupdate`, the default), which makes a new contact much
 * cheaper.
 */
const indexes = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create index contacts_unsubscribed_created_at on contacts (project_id, created_at, id) where not subscribed`
  yield* sql`
    create index contacts_unsubscribed_email on contacts (project_id, email) where not subscribed`
  yield* sql`
    create index contacts_data on contacts using gin (data jsonb_path_ops)`
  yield* sql`
    create index events_history on events (project_id, name, created_at, id) include (contact_id)`
  yield* sql`drop index events_name`
})

/**
 * The index of the substring search needs the extension pg_trgm. Without it (the user may not create extensions, and
 * the embedded database has none) the search still works, but reads every address of the project.
 */
const search = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    do $$
    declare
      home text;
    begin
      create extension if not exists pg_trgm;
      select quote_ident(nspname) into home
      from pg_extension join pg_namespace on pg_namespace.oid = extnamespace where extname = 'pg_trgm';
      execute format('create index contacts_search on contacts using gin (email %s.gin_trgm_ops)', home);
    exception
      when insufficient_privilege or undefined_file or feature_not_supported then null;
    end $$`
})

export default Effect.all([tallies, indexes, search], { discard: true })
