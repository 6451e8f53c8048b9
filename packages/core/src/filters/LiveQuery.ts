/** Queries that somebody waits for. What a condition costs is its author's choice, so how long it may take is ours. */
import { Context, Duration, Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"

/** After so long on the clock of the database a query is given up: 15 seconds. */
export const Patience = Context.Reference<Duration.Duration>("@posthorn/core/filters/LiveQuery/Patience", {
  defaultValue: () => Duration.seconds(15)
})

/** Fails with a `StatementTimeoutError` when patience is over; a transaction around it goes on without a limit. */
export const liveQuery = <A, E, R>(
  sql: SqlClient.SqlClient,
  query: Effect.Effect<A, E, R>
): Effect.Effect<A, E | SqlError.SqlError, R> =>
  sql.withTransaction(
    Effect.gen(function* () {
      const patience = Duration.toMillis(yield* Patience)
      yield* sql`select set_config('statement_timeout', ${`${patience}ms`}, true)`
      const result = yield* query
      yield* sql`set local statement_timeout = default`
      return result
    })
  )
