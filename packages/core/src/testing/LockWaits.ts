/** Waiting for other connections of a test. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { eventually } from "./Eventually.ts"

/** Until somebody waits for a lock; a transaction would go on seeing who was active when it first looked. */
export const somebodyWaits = eventually(
  SqlClient.SqlClient.use((sql) =>
    sql`select pg_stat_clear_snapshot()`.unprepared.pipe(
      Effect.andThen(
        sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.unprepared
      ),
      Effect.orDie
    )
  ),
  (found) => found.length > 0
)
