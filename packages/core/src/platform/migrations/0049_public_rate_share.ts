import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The public key of a project may use a part of its window, so that the rest is always left for the other keys. Its
 * slots are also counted in `public_cells`, a ring beside `cells`. Null is a ring of zeros, of a row that a process of
 * an older version made.
 *
 * `used` is for the caller's kind of key: its own ceiling less the slots that are free for it. Processes of older
 * versions call the function with six arguments and count nothing as public.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table rate_windows add column public_cells integer[]`
  yield* sql`
    create function take_rate_slots(
      project uuid, at_second bigint, wanted integer, ceiling integer, back_second bigint, back integer,
      is_public boolean, public_ceiling integer,
      out granted integer, out used integer, out next_free bigint
    ) language plpgsql as $$
    declare
      ring constant integer := 61;
      empty constant integer[] := array_fill(0, array[ring]);
      row_newest bigint;
      row_cells integer[];
      row_public integer[];
      taken integer;
      taken_public integer;
      free integer;
      public_back integer := case when is_public then back else 0 end;
      second bigint;
    begin
      insert into rate_windows (project_id, newest, cells, public_cells) values (project, at_second, empty, empty)
        on conflict do nothing;
      select newest, cells, coalesce(public_cells, empty) into row_newest, row_cells, row_public
        from rate_windows where project_id = project for update;
      -- A clock that was ahead and is put back: what is used counts as of now.
      if at_second < row_newest - ring then
        select sum(cell) into taken from unnest(row_cells) as cell;
        select sum(cell) into taken_public from unnest(row_public) as cell;
        row_cells := empty;
        row_public := empty;
        row_cells[at_second % ring + 1] := greatest(taken - back, 0);
        row_public[at_second % ring + 1] := greatest(taken_public - public_back, 0);
        row_newest := at_second;
      end if;
      -- Another process may be ahead by a tick.
      at_second := greatest(at_second, row_newest);
      for second in greatest(row_newest + 1, at_second - ring + 1) .. at_second loop
        row_cells[second % ring + 1] := 0;
        row_public[second % ring + 1] := 0;
      end loop;
      if back > 0 and back_second between at_second - ring + 1 and at_second then
        row_cells[back_second % ring + 1] := greatest(row_cells[back_second % ring + 1] - back, 0);
        row_public[back_second % ring + 1] := greatest(row_public[back_second % ring + 1] - public_back, 0);
      end if;
      select sum(cell) into taken from unnest(row_cells) as cell;
      select sum(cell) into taken_public from unnest(row_public) as cell;
      free := ceiling - taken;
      if is_public then
        free := least(free, public_ceiling - taken_public);
      end if;
      granted := greatest(least(wanted, free), 0);
      row_cells[at_second % ring + 1] := row_cells[at_second % ring + 1] + granted;
      taken := taken + granted;
      free := free - granted;
      used := ceiling - free;
      if is_public then
        row_public[at_second % ring + 1] := row_public[at_second % ring + 1] + granted;
        taken_public := taken_public + granted;
        used := public_ceiling - free;
      end if;
      next_free := at_second;
      if taken >= ceiling then
        for second in at_second - ring + 1 .. at_second loop
          next_free := second + ring;
          exit when row_cells[second % ring + 1] > 0;
        end loop;
      end if;
      if is_public and taken_public >= public_ceiling then
        for second in at_second - ring + 1 .. at_second loop
          if row_public[second % ring + 1] > 0 then
            next_free := greatest(next_free, second + ring);
            exit;
          end if;
        end loop;
      end if;
      update rate_windows set newest = at_second, cells = row_cells, public_cells = row_public
        where project_id = project;
    end $$`
  yield* sql`
    create or replace function take_rate_slots(
      project uuid, at_second bigint, wanted integer, ceiling integer, back_second bigint, back integer,
      out granted integer, out used integer, out next_free bigint
    ) language sql as $$
      select * from take_rate_slots(project, at_second, wanted, ceiling, back_second, back, false, ceiling)
    $$`
})
