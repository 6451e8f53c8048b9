import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Stored counts of events, emails, executions and deliveries of each project, by the filters of the lists, so that no
 * list counts rows.
 *
 * Every statement that adds, removes or moves rows leaves its change in `row_count_deltas`, by a trigger: in its own
 * transaction, so that a rollback removes it, and only inserted, so that no two writers wait for each other.
 * `row_counts` has the merged part. A count is the sum of both. So tracking an event pays for one small row, as a batch
 * of emails does.
 *
 * Executions and deliveries change often but their key seldom, so they are checked row by row, by a condition that
 * costs almost nothing. Emails change in batches. The frequencies of event names are stored here too, in place of
 * `event_names`.
 *
 * Totals of tracked events are also merged by UTC day, so that a year is some hundred rows for each name instead of
 * some ten thousand.
 */
const relations: { readonly [table: string]: { readonly key: string; readonly moves: string } } = {
  events: { key: "array[source, name]", moves: "never" },
  emails: { key: "array[status, source_type]", moves: "in batches" },
  workflow_executions: {
    key: "array[workflow_id::text, case when status in ('RUNNING', 'WAITING') then 'live' else 'over' end]",
    moves: "(old.status in ('RUNNING', 'WAITING')) <> (new.status in ('RUNNING', 'WAITING'))"
  },
  webhook_deliveries: { key: "array[endpoint_id::text, status]", moves: "old.status <> new.status" }
}

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql`select quote_ident(current_schema()) as schema`
  const schema = String(row?.["schema"])
  yield* sql`
    create table row_counts (
      project_id uuid not null,
      relation text not null,
      key text[] not null,
      count bigint not null,
      primary key (project_id, relation, key)
    ) with (fillfactor = 70)`
  yield* sql`
    create table row_count_deltas (
      project_id uuid not null,
      relation text not null,
      key text[] not null,
      id bigint generated always as identity,
      count bigint not null,
      primary key (project_id, relation, key, id)
    )`

  for (const [relation, { key, moves }] of Object.entries(relations)) {
    const define = (event: string, body: string) =>
      sql.unsafe(`
        create function ${relation}_${event}() returns trigger language plpgsql as $$
        begin
          ${body};
          return null;
        end $$`)
    const left = (rows: string) =>
      `insert into ${schema}.row_count_deltas (project_id, relation, key, count)
       select project_id, '${relation}', key, sum(n) from (${rows}) as changed group by project_id, key having sum(n) <> 0`
    const counted = (rows: string, n: number) => `select project_id, ${key} as key, ${n} as n from ${rows}`

    yield* define("counted", left(counted("added", 1)))
    yield* define("uncounted", left(counted("removed", -1)))
    yield* define(
      "emptied",
      `delete from ${schema}.row_counts where relation = '${relation}';
      delete from ${schema}.row_count_deltas where relation = '${relation}'`
    )
    yield* sql.unsafe(`
      create trigger ${relation}_counted after insert on ${relation}
        referencing new table as added for each statement execute function ${relation}_counted()`)
    yield* sql.unsafe(`
      create trigger ${relation}_uncounted after delete on ${relation}
        referencing old table as removed for each statement execute function ${relation}_uncounted()`)
    yield* sql.unsafe(`
      create trigger ${relation}_emptied after truncate on ${relation}
        for each statement execute function ${relation}_emptied()`)
    if (moves === "in batches") {
      yield* define("recounted", left(`${counted("added", 1)} union all ${counted("removed", -1)}`))
      yield* sql.unsafe(`
        create trigger ${relation}_recounted after update on ${relation}
          referencing new table as added old table as removed
          for each statement execute function ${relation}_recounted()`)
    }
    if (moves !== "in batches" && moves !== "never") {
      const one = (which: string, n: number) => counted(`(select ${which}.*) as moved`, n)
      yield* define("recounted", left(`${one("new", 1)} union all ${one("old", -1)}`))
      yield* sql.unsafe(`
        create trigger ${relation}_recounted after update on ${relation} for each row
          when (${moves}) execute function ${relation}_recounted()`)
    }
    // After the triggers: creating them blocks all writers, so nothing is counted twice or missed.
    yield* sql.unsafe(`
      insert into row_counts (project_id, relation, key, count)
      select project_id, '${relation}', ${key}, count(*) from ${relation} group by 1, 3`)
  }
  // A start is counted for good. A later deletion does not lower the count.
  const starts = (rows: string) => `
    select project_id, 'workflow_starts',
           array[to_char(date_bin('15 minutes', started_at, timestamptz '2000-01-01 00:00:00+00') at time zone 'UTC',
                         'YYYY-MM-DD"T"HH24:MI')],
           count(*)
    from ${rows} group by 1, 3`
  yield* sql.unsafe(`
    create function workflow_executions_started() returns trigger language plpgsql as $$
    begin
      insert into ${schema}.row_count_deltas (project_id, relation, key, count) ${starts("added")};
      return null;
    end $$`)
  yield* sql`
    create trigger workflow_executions_started after insert on workflow_executions
      referencing new table as added for each statement execute function workflow_executions_started()`
  yield* sql.unsafe(`insert into row_counts (project_id, relation, key, count) ${starts("workflow_executions")}`)
  yield* sql`drop table event_names`

  yield* sql`
    create table event_days (
      project_id uuid not null,
      day timestamptz not null,
      name text not null,
      count integer not null,
      primary key (project_id, day, name)
    )`
  yield* sql`
    insert into event_days (project_id, day, name, count)
    select project_id, date_trunc('day', quarter, 'UTC'), name, sum(count) from event_totals group by 1, 2, 3`
})
