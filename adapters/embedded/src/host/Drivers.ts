/**
 * Adapts connections of the application's driver to Effect's SQL connections.
 *
 * The types declare only the parts of each driver that are used here, so Posthorn depends on no driver version.
 */
import { Context, Effect, Fiber, Predicate, Stream } from "effect"
import type { SqlClient, SqlConnection } from "effect/sql"
import { type Column, readRows } from "./Columns.ts"
import { sqlError } from "./HostError.ts"
import { asText } from "./Parameters.ts"

/** A client of `pg`, created directly or taken from a pool. */
export interface PgClient {
  query(config: {
    text: string
    values: Array<string | null>
    rowMode: "array"
    types: { getTypeParser: () => (text: string) => string }
  }): Promise<{
    rows: Array<Array<string | null>>
    fields: Array<{ name: string; dataTypeID: number }>
    command: string
  }>
}

/** The argument that `sql.begin` of `postgres` passes to its callback. */
export interface PostgresTransaction {
  unsafe(
    text: string,
    values: Array<string | null>
  ): {
    raw(): PromiseLike<
      ReadonlyArray<ReadonlyArray<Uint8Array | null>> & {
        readonly columns?: ReadonlyArray<{ name: string; type: number }>
        readonly command?: string
      }
    >
  }
}

/** A transaction that the application has begun and will end. */
export type HostTransaction = PgClient | PostgresTransaction | SqlClient.SqlClient

interface Answer {
  readonly columns: ReadonlyArray<Column>
  readonly rows: ReadonlyArray<ReadonlyArray<unknown>>
  readonly command: string
}

type Query = (
  text: string,
  values: Array<string | null>
) => PromiseLike<{
  readonly columns: ReadonlyArray<Column>
  readonly rows: ReadonlyArray<ReadonlyArray<string | null>>
  readonly command: string
}>

const named = ({ columns, rows }: Answer): ReadonlyArray<Record<string, unknown>> =>
  rows.map((row) => Object.fromEntries(columns.map(({ name }, index) => [name, row[index]])))

/** A running statement cannot be cancelled, so its caller waits until it ends. */
const connection = (query: Query): SqlConnection.Connection => {
  const ask = (statement: string, params: ReadonlyArray<unknown>): Effect.Effect<Answer, ReturnType<typeof sqlError>> =>
    Effect.uninterruptible(
      Effect.tryPromise({
        try: async () => {
          const { text, values } = asText(statement, params)
          const { columns, rows, command } = await query(text, [...values])
          return { columns, rows: readRows(columns, rows), command }
        },
        catch: sqlError
      })
    )
  const execute: SqlConnection.Connection["execute"] = (statement, params, transform) =>
    Effect.map(ask(statement, params), (answer) => (transform ? transform(named(answer)) : named(answer)))
  const values = (statement: string, params: ReadonlyArray<unknown>) =>
    Effect.map(ask(statement, params), ({ rows }) => rows)
  return {
    execute,
    executeRaw: ask,
    executeUnprepared: execute,
    executeValues: values,
    executeValuesUnprepared: values,
    executeStream: (statement, params, transform) => Stream.fromIterableEffect(execute(statement, params, transform))
  }
}

const asItIs = { getTypeParser: () => (text: string) => text }

export const ofPg = (client: PgClient): SqlConnection.Connection =>
  connection(async (text, values) => {
    const { rows, fields, command } = await client.query({ text, values, rowMode: "array", types: asItIs })
    return { columns: fields.map(({ name, dataTypeID }) => ({ name, type: dataTypeID })), rows, command }
  })

const ofPostgres = (transaction: PostgresTransaction): SqlConnection.Connection => {
  const decoder = new TextDecoder()
  return connection(async (text, values) => {
    const rows = await transaction.unsafe(text, values).raw()
    return {
      columns: rows.columns ?? [],
      rows: rows.map((row) => row.map((bytes) => (bytes === null ? null : decoder.decode(bytes)))),
      command: rows.command ?? ""
    }
  })
}

/** The transaction of the calling fiber: `Effect.promise(() => posthorn.transaction(sql, ...))` runs in it. */
const ofEffect = (sql: SqlClient.SqlClient): SqlConnection.Connection | undefined => {
  const fiber = Fiber.getCurrent()
  return fiber && Context.getOrUndefined(fiber.context, sql.transactionService)?.[0]
}

const isSqlClient = (host: HostTransaction): host is SqlClient.SqlClient =>
  Predicate.hasProperty(host, "transactionService")
const isPostgres = (host: HostTransaction): host is PostgresTransaction =>
  typeof host === "function" && Predicate.hasProperty(host, "unsafe")

/** A connection in a transaction of the application, and the object that identifies the connection. */
export interface Host {
  readonly owner: object
  readonly connection: SqlConnection.Connection
}

/** Undefined if Effect's client has no open transaction in the calling fiber. */
export const hostOf = (host: HostTransaction): Host | undefined => {
  if (isSqlClient(host)) {
    const connection = ofEffect(host)
    return connection && { owner: connection, connection }
  }
  return { owner: host, connection: isPostgres(host) ? ofPostgres(host) : ofPg(host) }
}
