import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The instant of an ISO date text (contract 16.5) in milliseconds since 1970, null for everything else; it never fails,
 * as a cast would, and PostgreSQL 15 has no way to ask a cast first. Means the same as `isoDate` in the contract.
 * Whole days, the usual case, are told by a short pattern: the long one costs three times as much.
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
      clock text[];
    begin
      if jsonb_typeof(value) <> 'string' then return null; end if;
      if given !~ (case length(given) when 10 then '^${date}$' else '^${date}${time}$' end) then return null; end if;
      if left(given, 4) = '0000' then return null; end if;
      month := make_date(left(given, 4)::int, substr(given, 6, 2)::int, 1);
      day := substr(given, 9, 2)::int;
      if day > 28 and day > (month + interval '1 month')::date - month then return null; end if;
      midnight := (month - date '1970-01-01' + day - 1) * 86400000::bigint;
      if length(given) = 10 then return midnight; end if;
      clock := regexp_match(given, 'T(..):(..)(?::(..)(?:[.]([0-9]+))?)?(?:Z|([+-])(..):(..))?$');
      return midnight
        + (clock[1]::int * 60 + clock[2]::int) * 60000
        + coalesce(clock[3]::int, 0) * 1000
        + rpad(left(coalesce(clock[4], ''), 3), 3, '0')::int
        - coalesce((clock[5] || '1')::int * (clock[6]::int * 60 + clock[7]::int) * 60000, 0);
    end $$`)
})
