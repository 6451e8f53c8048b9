import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The instant of an ISO date text (contract 16.5) in milliseconds since 1970, null for everything else; it never fails,
 * as a cast would. Means the same as `isoDate` in the contract. The pattern knows the calendar, so that `make_date` is
 * only asked for dates that exist; PostgreSQL 15 has no other way to ask first.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const leapYear = "(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)"
  const date = [
    "[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])",
    "[0-9]{4}-(?:0[13-9]|1[0-2])-(?:29|30)",
    "[0-9]{4}-(?:0[13578]|1[02])-31",
    `${leapYear}-02-29`
  ].join("|")
  const time = "T(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:[.][0-9]+)?)?"
  const zone = "Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9]"
  const pattern = `^(?!0000)(?:${date})(?:${time}(?:${zone})?)?$`
  yield* sql.unsafe(`
    create function iso_millis(value jsonb) returns bigint
    language plpgsql immutable strict parallel safe as $$
    declare
      given constant text := value #>> '{}';
      clock text[];
    begin
      if jsonb_typeof(value) <> 'string' or length(given) < 10 or given !~ '${pattern}' then return null; end if;
      clock := regexp_match(given, 'T(..):(..)(?::(..)(?:[.]([0-9]+))?)?(?:Z|([+-])(..):(..))?$');
      return (make_date(left(given, 4)::int, substr(given, 6, 2)::int, substr(given, 9, 2)::int) - date '1970-01-01') * 86400000::bigint
        + coalesce((clock[1]::int * 60 + clock[2]::int) * 60000
            + coalesce(clock[3]::int, 0) * 1000
            + rpad(left(coalesce(clock[4], ''), 3), 3, '0')::int
            - coalesce((clock[5] || '1')::int * (clock[6]::int * 60 + clock[7]::int) * 60000, 0), 0);
    end $$`)
})
