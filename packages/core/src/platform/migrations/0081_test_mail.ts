import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Mail of API keys, and mail of test mode, which is processed and not sent. Only test mail is in the index.
 * `test_mail_days` counts the test mails of each UTC day, for their limit.
 *
 * The stored counts of emails keep test mail apart: its keys begin with `TEST` and a blank.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    alter table emails add column mode text not null default 'LIVE', add column api_key_id uuid`
  yield* sql`create index emails_test on emails (project_id, created_at, id) where mode = 'TEST'`
  yield* sql`
    create table test_mail_days (
      project_id uuid not null,
      day date not null,
      count integer not null,
      primary key (project_id, day)
    )`

  const [row] = yield* sql`select quote_ident(current_schema()) as schema`
  const schema = String(row?.["schema"])
  const counted = (rows: string, n: number) => `
    select project_id, array[case when mode = 'TEST' then 'TEST ' || status else status end, source_type] as key,
           ${n} as n
    from ${rows}`
  const changes = {
    counted: counted("added", 1),
    uncounted: counted("removed", -1),
    recounted: `${counted("added", 1)} union all ${counted("removed", -1)}`
  }
  for (const [event, rows] of Object.entries(changes)) {
    yield* sql.unsafe(`
      create or replace function emails_${event}() returns trigger language plpgsql as $$
      begin
        insert into ${schema}.row_count_deltas (project_id, relation, key, count)
        select project_id, 'emails', key, sum(n) from (${rows}) as changed group by project_id, key having sum(n) <> 0;
        return null;
      end $$`)
  }
})
