/** Reads that may be some seconds old: counts, exports and statistics. */
import { Context, Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * A client for such reads, which a host may connect to a replica of the database. It must answer even if the replica
 * does not, and must not be used for what a caller has just written, or within a transaction of the other client.
 * Undefined: `SqlClient`. A port.
 */
export const ReadSqlClient = Context.Reference<SqlClient.SqlClient | undefined>(
  "@posthorn/core/platform/ReadSqlClient",
  { defaultValue: () => undefined }
)

/** Builds something that only reads, on the client for reads. */
export const reading = <A, E, R>(make: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(ReadSqlClient, (client) =>
    client === undefined
      ? make
      : Effect.provideService(make as Effect.Effect<A, E, R | SqlClient.SqlClient>, SqlClient.SqlClient, client)
  ) as Effect.Effect<A, E, R>
