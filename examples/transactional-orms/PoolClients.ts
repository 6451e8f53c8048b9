/**
 * Finds the client of a `pg` pool that an ORM uses for its transaction. An ORM does not show it, but a query in the
 * transaction tells which process of PostgreSQL serves it: `select pg_backend_pid()`.
 */
import type { Pool, PoolClient } from "pg"

/** `pg` knows the process of each client; its types leave it out. */
const processOf = (client: object): unknown => ("processID" in client ? client.processID : undefined)

/** Call it before the first query of the pool. A pooler in between, such as PgBouncer, gives other process ids. */
export const clientsOf = (pool: Pool): ((process: number | undefined) => PoolClient) => {
  const clients = new Map<unknown, PoolClient>()
  pool.on("connect", (client) => clients.set(processOf(client), client))
  pool.on("remove", (client) => {
    if (clients.get(processOf(client)) === client) clients.delete(processOf(client))
  })
  return (process) => {
    const client = clients.get(process)
    if (client === undefined) throw new Error("The transaction is not on a connection of this pool.")
    return client
  }
}
