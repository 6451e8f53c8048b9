/**
 * Finds the client of a `pg` pool that an ORM uses for its transaction. An ORM does not expose it, but a query in the
 * transaction returns the id of its PostgreSQL process: `select pg_backend_pid()`.
 */
import type { Pool, PoolClient } from "pg"

/** `pg` knows the process id of each client, but its types do not include it. */
const processOf = (client: object): unknown => ("processID" in client ? client.processID : undefined)

/** Call it before the first query of the pool. Behind a pooler such as PgBouncer, the process ids are different. */
export const clientsOf = (pool: Pool): ((process: number | undefined) => PoolClient) => {
  const clients = new Map<unknown, PoolClient>()
  pool.on("connect", (client) => clients.set(processOf(client), client))
  pool.on("remove", (client) => {
    if (clients.get(processOf(client)) === client) clients.delete(processOf(client))
  })
  return (process) => {
    const client = clients.get(process)
    if (client === undefined) throw new Error("The transaction does not use a connection of this pool.")
    return client
  }
}
