/** Waits for locks between connections of a test. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { eventually } from "./Eventually.ts"

/**
 * The connections that wait for a lock. Clears the statistics snapshot; otherwise a transaction keeps seeing the
 * activity of its first query.
 */
const waiters = SqlClient.SqlClient.use((sql) =>
  sql`select pg_stat_clear_snapshot()`.unprepared.pipe(
    Effect.andThen(
      sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.unprepared
    ),
    Effect.orDie
  )
)

/** Waits until this many connections wait for locks. */
export const waiting = (count: number) => eventually(waiters, (found) => found.length === count)

export const somebodyWaits = eventually(waiters, (found) => found.length > 0)
