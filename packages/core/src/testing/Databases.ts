/** The databases that every storage test runs on: PGlite always, PostgreSQL where a server answers. */

import { randomUUID } from "node:crypto"
import { readFile } from "node:fs/promises"
import { PgClient } from "@effect/sql-pg"
import * as Pglite from "@posthorn/pglite"
import { Duration, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { pooledUrl } from "./PgBouncer.ts"
import type {} from "./template.ts"

let template: Promise<Uint8Array> | undefined

/** A separate, migrated database in memory. */
export const pglite: Layer.Layer<SqlClient.SqlClient> = Layer.unwrap(
  Effect.map(
    Effect.promise(() => (template ??= readFile(inject("pgliteTemplate")))),
    (dump) => Layer.orDie(Pglite.layer({ dump }))
  )
)

const pool = {
  maxConnections: 10,
  maxMessageSize: 64 * 1024 * 1024,
  // A test clock that jumps must not expire the connections.
  idleTimeout: Duration.days(1000),
  connectionTTL: Duration.days(1000)
}

// No test cuts the power of this server.
const settings = { search_path: "posthorn", jit: "off", synchronous_commit: "off" }

/** Options of a connection pool to a database on the test server, whose connections are sessions. */
export const sessionOptions = (url: string) => ({ ...pool, url: Redacted.make(url), startupParameters: settings })

/** The same through the pooler of the test run, if there is one. */
export const poolOptions = (url: string) => {
  const pooled = pooledUrl(url)
  return pooled === undefined ? sessionOptions(url) : { ...pool, url: Redacted.make(pooled), prepare: false }
}

/** The removals of this process, one after the other. */
let removals: Promise<unknown> = Promise.resolve()

/** Creates a separate, migrated database on the server. It is removed some time after the scope has closed. */
export const freshDatabase = Effect.fnUntraced(function* ({
  url,
  template
}: {
  readonly url: string
  readonly template: string
}) {
  const name = `${template}_${randomUUID().replaceAll("-", "")}`
  const admin = <A, E>(use: (sql: SqlClient.SqlClient) => Effect.Effect<A, E>) =>
    Effect.provide(SqlClient.SqlClient.use(use), PgClient.layer({ url: Redacted.make(url) }))
  // A plain drop waits some seconds for connections that are being closed. A forced one breaks them while they are
  // still in use.
  const remove = admin((sql) =>
    Effect.catch(sql.unsafe(`drop database if exists ${name}`), () =>
      sql.unsafe(`drop database if exists ${name} with (force)`)
    )
  )
  yield* Effect.acquireRelease(
    // Copies of one template take turns: PostgreSQL refuses to copy a template that is in use.
    Effect.orDie(
      Effect.retry(
        admin((sql) => sql.unsafe(`create database ${name} template ${template}`)),
        { times: 50 }
      )
    ),
    // Before a removal, the server writes all changed pages to its disk, so no test waits for it. What remains of the
    // databases when this process ends is removed with the template.
    () =>
      Effect.sync(() => {
        removals = removals.then(() => Effect.runPromise(Effect.ignore(remove)))
      })
  )
  const own = new URL(url)
  own.pathname = `/${name}`
  if (pooledUrl(url) !== undefined) {
    const each = Object.entries(settings).map(([key, value]) => `alter database ${name} set ${key} = ${value}`)
    yield* Effect.orDie(Effect.forEach(each, (statement) => admin((sql) => sql.unsafe(statement)), { discard: true }))
  }
  return own.href
})

const postgres = (server: { readonly url: string; readonly template: string }): Layer.Layer<SqlClient.SqlClient> =>
  Layer.unwrap(Effect.map(freshDatabase(server), (url) => Layer.orDie(PgClient.layer(poolOptions(url)))))

/** Each database with its name, for a suite to run on. */
export const databases = (): ReadonlyArray<readonly [name: string, layer: Layer.Layer<SqlClient.SqlClient>]> => {
  const server = inject("postgres")
  return [["PGlite", pglite], ...(server === undefined ? [] : [["PostgreSQL", postgres(server)] as const])]
}
