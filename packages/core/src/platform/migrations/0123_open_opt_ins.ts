import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The stored counts of opt-ins, as `row_counts` has those of other tables: the limit of open ones must not count them
 * for each request.
 */
const key = "array[case when status = 'PENDING' then 'open' else 'ended' end]"
const counted = (rows: string, n: number) => `select project_id, ${key} as key, ${n} as n from ${rows}`
const moved = (which: string, n: number) => counted(`(select ${which}.*) as moved`, n)

const changes = {
  counted: counted("added", 1),
  uncounted: counted("removed", -1),
  recounted: `${moved("new", 1)} union all ${moved("old", -1)}`
}

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql`select quote_ident(current_schema()) as schema`
  const schema = String(row?.["schema"])
  const define = (event: string, body: string) =>
    sql.unsafe(`
      create function opt_ins_${event}() returns trigger language plpgsql as $$
      begin
        ${body};
        return null;
      end $$`)
  for (const [event, rows] of Object.entries(changes)) {
    yield* define(
      event,
      `insert into ${schema}.row_count_deltas (project_id, relation, key, count)
       select project_id, 'opt_ins', key, sum(n) from (${rows}) as changed group by project_id, key having sum(n) <> 0`
    )
  }
  yield* define(
    "emptied",
    `delete from ${schema}.row_counts where relation = 'opt_ins';
     delete from ${schema}.row_count_deltas where relation = 'opt_ins'`
  )
  yield* sql`
    create trigger opt_ins_counted after insert on opt_ins
      referencing new table as added for each statement execute function opt_ins_counted()`
  yield* sql`
    create trigger opt_ins_uncounted after delete on opt_ins
      referencing old table as removed for each statement execute function opt_ins_uncounted()`
  yield* sql`
    create trigger opt_ins_recounted after update on opt_ins for each row
      when ((old.status = 'PENDING') <> (new.status = 'PENDING')) execute function opt_ins_recounted()`
  yield* sql`
    create trigger opt_ins_emptied after truncate on opt_ins for each statement execute function opt_ins_emptied()`
  // After the triggers: creating them blocks all writers, so nothing is counted twice or missed.
  yield* sql.unsafe(`
    insert into row_counts (project_id, relation, key, count)
    select project_id, 'opt_ins', ${key}, count(*) from opt_ins group by 1, 3`)
})
