import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * When a clock that was ahead is set back, the window would stay at the latest second that it has seen, and the project
 * would wait until the clock has caught up. Where that second is further ahead than the length of the window, the used
 * slots count as of now.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create or replace function take_rate_slots(
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
      if at_second < row_newest - ring then
        select sum(cell) into used from unnest(row_cells) as cell;
        row_cells := array_fill(0, array[ring]);
        row_cells[at_second % ring + 1] := greatest(used - back, 0);
        row_newest := at_second;
      end if;
      -- Another process may be ahead by a tick.
      at_second := greatest(at_second, row_newest);
      for second in greatest(row_newest + 1, at_second - ring + 1) .. at_second loop
        row_cells[second % ring + 1] := 0;
      end loop;
      if back > 0 and back_second between at_second - ring + 1 and at_second then
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
