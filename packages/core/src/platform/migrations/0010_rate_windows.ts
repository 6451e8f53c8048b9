import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * One row for each project: the requests of the newest second and the 60 before it, in a ring of 61 cells.
 *
 * The function is the whole limiter: one round trip under one row lock reserves slots and gives unused ones back.
 * `next_free` is the second in which the next slot leaves the window. Seconds are of the service clock.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create table rate_windows (
      project_id uuid primary key,
      newest bigint not null,
      cells integer[] not null
    )`
  yield* sql`
    create function take_rate_slots(
      project uuid, at_second bigint, wanted integer, ceiling integer, back_second bigint, back integer,
      out granted integer, out used integer, out next_free bigint
    ) language plpgsql as $$
    declare
      ring constant integer := 61;
      row_newest bigint;
      row_cells integer[];
      second bigint;
    begin
      insert into rate_windows values (project, at_second, array_fill(0, array[ring])) on conflict do nothing;
      select newest, cells into row_newest, row_cells from rate_windows where project_id = project for update;
      -- Another process may be ahead by a tick; time never runs backwards here.
      at_second := greatest(at_second, row_newest);
      for second in greatest(row_newest + 1, at_second - ring + 1) .. at_second loop
        row_cells[second % ring + 1] := 0;
      end loop;
      if back > 0 and back_second > at_second - ring then
        row_cells[back_second % ring + 1] := greatest(row_cells[back_second % ring + 1] - back, 0);
      end if;
      select sum(cell) into used from unnest(row_cells) as cell;
      granted := greatest(least(wanted, ceiling - used), 0);
      row_cells[at_second % ring + 1] := row_cells[at_second % ring + 1] + granted;
      used := used + granted;
      next_free := at_second;
      if used >= ceiling then
        for second in at_second - ring + 1 .. at_second loop
          next_free := second + ring;
          exit when row_cells[second % ring + 1] > 0;
        end loop;
      end if;
      update rate_windows set newest = at_second, cells = row_cells where project_id = project;
    end $$`
})
