/**
 * Posthorn's database client over the application's own pool of `pg`.
 *
 * A connection returns to the pool with its original search path, which leads to our tables only while we use it.
 */
import { PgClient as Driver } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlConnection } from "effect/sql"
import { ofPg, type PgClient } from "./Drivers.ts"
import { sqlError } from "./HostError.ts"
import { pathOf, setPath } from "./SearchPath.ts"

/** A client of `pg` from a pool. */
interface Lent extends PgClient {
  release(destroy?: boolean): void
  on(event: "error", listener: () => void): unknown
  removeListener(event: "error", listener: () => void): unknown
}

/** A `Pool` of `pg`. */
export interface PgPool {
  connect(): Promise<Lent>
}

/**
 * A broken connection reports twice: to its waiting query, and as an event that ends the process if it has no listener.
 */
const heard = () => undefined

const release = (client: Lent, destroy: boolean) => {
  client.removeListener("error", heard)
  client.release(destroy)
}

const take = Effect.fnUntraced(function* (pool: PgPool, schema: string) {
  const client = yield* Effect.tryPromise({ try: () => pool.connect(), catch: sqlError })
  client.on("error", heard)
  const connection = ofPg(client)
  const before = yield* Effect.tapError(setPath(connection, pathOf(schema), "session"), () =>
    Effect.sync(() => release(client, true))
  )
  return { client, connection, before }
})

const giveBack = ({ client, connection, before }: Effect.Success<ReturnType<typeof take>>) =>
  Effect.match(setPath(connection, before, "session"), {
    onSuccess: () => release(client, false),
    onFailure: () => release(client, true)
  })

export const layer = (pool: PgPool, schema: string): Layer.Layer<SqlClient.SqlClient> => {
  const acquirer: SqlConnection.Acquirer = Effect.map(
    Effect.acquireRelease(take(pool, schema), giveBack),
    ({ connection }) => connection
  )
  return Layer.effect(
    SqlClient.SqlClient,
    SqlClient.make({ acquirer, compiler: Driver.makeCompiler(), driver: "pg", spanAttributes: [] })
  ).pipe(Layer.provide(Reactivity.layer))
}
