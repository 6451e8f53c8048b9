/**
 * Posthorn's database client, whose transactions can be part of a transaction of the application.
 *
 * A fiber with a `Joined` transaction uses the application's connection. Each transaction of the fiber is a savepoint
 * there. It is kept or rolled back as a whole, and the application decides whether it is committed.
 */
import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlConnection, SqlError } from "effect/sql"
import { pathOf, setPath } from "./SearchPath.ts"

/** The connection of the application's transaction that this fiber has joined. */
export const Joined = Context.Reference<SqlConnection.Connection | undefined>("@posthorn/embedded/host/Joined", {
  defaultValue: () => undefined
})

const savepoint = "posthorn"
const none: ReadonlyArray<unknown> = []

const run = (connection: SqlConnection.Connection, statement: string) =>
  Effect.asVoid(connection.execute(statement, none, undefined))

/** Sets the search path to our tables until the savepoint ends. Returns the path of the application. */
const enter = (host: SqlConnection.Connection, schema: string) =>
  Effect.andThen(run(host, `savepoint ${savepoint}`), setPath(host, pathOf(schema), "transaction"))

const leave = (host: SqlConnection.Connection, before: string) =>
  Effect.andThen(setPath(host, before, "transaction"), run(host, `release savepoint ${savepoint}`))

/** Rolls back to the savepoint, including the search path. */
const undo = (host: SqlConnection.Connection) =>
  Effect.andThen(run(host, `rollback to savepoint ${savepoint}`), run(host, `release savepoint ${savepoint}`))

/** PostgreSQL answers the COMMIT of a failed transaction with ROLLBACK. */
const commit = Effect.fnUntraced(function* (connection: SqlConnection.Connection) {
  const answer = yield* connection.executeRaw("COMMIT", none)
  if (typeof answer === "object" && answer !== null && "command" in answer && answer.command === "ROLLBACK") {
    const message = "The transaction had failed and was rolled back."
    yield* new SqlError.SqlError({ reason: new SqlError.UnknownError({ cause: new Error(message), message }) })
  }
})

export const layer = (schema: string): Layer.Layer<SqlClient.SqlClient, never, SqlClient.SqlClient> =>
  Layer.effect(
    SqlClient.SqlClient,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const paths = new WeakMap<SqlConnection.Connection, string>()
      const withTransaction = SqlClient.makeWithTransaction<SqlClient.TransactionConnection, SqlConnection.Connection>({
        transactionService: sql.transactionService,
        spanAttributes: [],
        acquireConnection: (restore) =>
          Effect.flatMap(Joined, (host) => (host ? Effect.succeed(host) : restore(sql.reserve))),
        begin: (connection, statement) =>
          Effect.flatMap(Joined, (host) =>
            host
              ? Effect.map(enter(host, schema), (before) => void paths.set(host, before))
              : run(connection, statement ?? "BEGIN")
          ),
        commit: (connection) =>
          Effect.flatMap(Joined, (host) => (host ? leave(host, paths.get(host) ?? "") : commit(connection))),
        rollback: (connection) => Effect.flatMap(Joined, (host) => (host ? undo(host) : run(connection, "ROLLBACK"))),
        savepoint: (connection, id) => run(connection, `savepoint posthorn_${id}`),
        releaseSavepoint: (connection, id) => run(connection, `release savepoint posthorn_${id}`),
        rollbackSavepoint: (connection, id) => run(connection, `rollback to savepoint posthorn_${id}`)
      })
      return new Proxy(sql, {
        get: (target, name) => (name === "withTransaction" ? withTransaction : Reflect.get(target, name))
      })
    })
  )
