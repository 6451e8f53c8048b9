/**
 * Limits the time of queries that a caller waits for. The author of a condition decides its cost, so the service limits
 * how long it may run.
 */
import { Context, Duration, Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"

/** How long a query may run on the database before it is cancelled. The default is 15 seconds. */
export const QueryTimeout = Context.Reference<Duration.Duration>("@posthorn/core/filters/LiveQuery/QueryTimeout", {
  defaultValue: () => Duration.seconds(15)
})

/** Fails with a `StatementTimeoutError` when the time is up. A surrounding transaction continues without the limit. */
export const liveQuery = <A, E, R>(
  sql: SqlClient.SqlClient,
  query: Effect.Effect<A, E, R>
): Effect.Effect<A, E | SqlError.SqlError, R> =>
  sql.withTransaction(
    Effect.gen(function* () {
      const timeout = Duration.toMillis(yield* QueryTimeout)
      yield* sql`select set_config('statement_timeout', ${`${timeout}ms`}, true)`
      const result = yield* query
      yield* sql`set local statement_timeout = default`
      return result
    })
  )
