import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { type Online, transaction, validate } from "./Steps.ts"

/**
 * The table of events is divided by time, so that retention removes a period as one table (`Partitions.ts`). A row is in
 * the partition of its id, whose first 48 bits are its time (RFC 9562, version 7).
 *
 * The rows of today become the first partition as they are. It ends four months from now, or after the newest row: a
 * check says so, which is validated while others write, so that the division reads no row. If the migration is left
 * before the division, events cannot be written from that time on.
 */
const bounded = SqlClient.SqlClient.use(
  (sql) => sql`
    do $$
    declare
      newest uuid := (
        select last.id from projects, lateral (
          select id from events where project_id = projects.id order by id desc limit 1) as last
        order by 1 desc limit 1);
      millis bigint := coalesce(('x' || substr(replace(newest::text, '-', ''), 1, 12))::bit(48)::bigint, 0);
      until timestamptz := date_trunc(
        'month', greatest(now(), to_timestamp(millis / 1000.0)) + interval '4 months', 'UTC');
    begin
      execute format(
        'alter table events add constraint events_first_until check (id < %L) not valid',
        rpad(lpad(to_hex((extract(epoch from until) * 1000)::bigint), 12, '0'), 32, '0')::uuid);
    end $$`
)

const divided = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // Writers lock the contact first.
  yield* sql`lock table contacts in share row exclusive mode`
  yield* sql`alter table events rename to events_first`
  for (const index of ["pkey", "contact", "history", "tracked", "without_contact"]) {
    yield* sql.unsafe(`alter index events_${index} rename to events_first_${index}`)
  }
  for (const trigger of ["counted", "uncounted", "emptied", "wait"]) {
    yield* sql.unsafe(`drop trigger events_${trigger} on events_first`)
  }
  yield* sql`
    create table events (like events_first including defaults including generated) partition by range (id)`
  yield* sql`
    alter table events
      add primary key (project_id, id),
      add foreign key (project_id, contact_id) references contacts (project_id, id) on delete cascade`
  yield* sql`create index events_contact on events (project_id, contact_id, created_at, id)`
  yield* sql`
    create index events_history on events (project_id, name, occurred_at, id) include (contact_id, created_at)`
  yield* sql`
    create index events_tracked on events (project_id, created_at, id) include (name) where source = 'tracked'`
  yield* sql`create index events_without_contact on events (project_id, email_id) where contact_id is null`
  yield* sql`
    create trigger events_counted after insert on events
    referencing new table as added for each statement execute function events_counted()`
  yield* sql`
    create trigger events_uncounted after delete on events
    referencing old table as removed for each statement execute function events_uncounted()`
  yield* sql`
    create trigger events_emptied after truncate on events for each statement execute function events_emptied()`
  yield* sql`
    create trigger events_wait after insert on events
    referencing new table as added for each statement execute function events_wait()`
  yield* sql`
    do $$
    declare
      found record;
      until text := (
        select substring(pg_get_constraintdef(oid) from '[0-9a-f-]{36}') from pg_constraint
        where conrelid = 'events_first'::regclass and conname = 'events_first_until');
    begin
      execute format(
        'alter table events attach partition events_first for values from (minvalue) to (%L)', until);
      for found in
        select privilege_type as privilege, is_grantable,
               case grantee when 0 then 'public' else quote_ident(pg_get_userbyid(grantee)) end as role
        from pg_class, aclexplode(relacl) where pg_class.oid = 'events_first'::regclass and grantee <> relowner
      loop
        execute format('grant %s on events to %s %s', found.privilege, found.role,
                       case when found.is_grantable then 'with grant option' else '' end);
      end loop;
    end $$`
  yield* sql`alter table events_first drop constraint events_first_until`
  yield* sql`create table events_default partition of events default`
})

export default {
  expand: [transaction("bound", bounded), validate("events", "events_first_until"), transaction("divide", divided)],
  // Autovacuum analyzes the partitions, but not the table as a whole.
  background: [
    transaction(
      "analyze",
      SqlClient.SqlClient.use((sql) => sql`analyze events`.unprepared)
    )
  ]
} satisfies Online
