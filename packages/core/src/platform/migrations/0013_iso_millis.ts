import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The instant of an ISO date text in milliseconds since 1970, and null for any other text. It never fails, unlike a
 * cast; PostgreSQL 15 cannot test a cast first. It agrees with `isoDate` in the contract. Patterns only test the text
 * and positions read it: capturing groups would cost many times as much.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const date = "[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
  const time = "T([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]+)?)?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])?"
  yield* sql.unsafe(`
    create function iso_millis(value jsonb) returns bigint
    language plpgsql immutable strict parallel safe as $$
    declare
      given constant text := value #>> '{}';
      month date;
      day int;
      midnight bigint;
    begin
      if jsonb_typeof(value) <> 'string' then return null; end if;
      if given !~ (case length(given) when 10 then '^${date}$' else '^${date}${time}$' end) then return null; end if;
      if left(given, 4) = '0000' then return null; end if;
      month := make_date(left(given, 4)::int, substr(given, 6, 2)::int, 1);
      day := substr(given, 9, 2)::int;
      if day > 28 and day > (month + interval '1 month')::date - month then return null; end if;
      midnight := (month - date '1970-01-01' + day - 1) * 86400000::bigint;
      if length(given) = 10 then return midnight; end if;
      return midnight
        + (substr(given, 12, 2)::int * 60 + substr(given, 15, 2)::int) * 60000
        + case substr(given, 17, 1) when ':' then substr(given, 18, 2)::int * 1000 else 0 end
        + case substr(given, 20, 1) when '.'
            then rpad(left(split_part(translate(substr(given, 21), '+-', 'ZZ'), 'Z', 1), 3), 3, '0')::int
            else 0 end
        - case substr(given, length(given) - 5, 1)
            when '+' then left(right(given, 5), 2)::int * 60 + right(given, 2)::int
            when '-' then -(left(right(given, 5), 2)::int * 60 + right(given, 2)::int)
            else 0 end * 60000;
    end $$`)
})
