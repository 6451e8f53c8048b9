/** The databases that every storage test runs on: PGlite always, PostgreSQL where a server answers. */

import { randomUUID } from "node:crypto"
import { readFile } from "node:fs/promises"
import { PgClient } from "@effect/sql-pg"
import * as Pglite from "@posthorn/pglite"
import { Duration, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import type {} from "./template.ts"

/** A separate, migrated database in memory. */
export const pglite: Layer.Layer<SqlClient.SqlClient> = Layer.unwrap(
  Effect.map(
    Effect.promise(() => readFile(inject("pgliteTemplate"))),
    (template) => Layer.orDie(Pglite.layer({ dump: new Blob([template]) }))
  )
)

/** Options of a connection pool to a database on the test server. */
export const poolOptions = (url: string) => ({
  url: Redacted.make(url),
  maxConnections: 10,
  maxMessageSize: 64 * 1024 * 1024,
  // A test clock that jumps must not expire the connections.
  idleTimeout: Duration.days(1000),
  connectionTTL: Duration.days(1000),
  startupParameters: { search_path: "posthorn", jit: "off" }
})

/** Creates a separate, migrated database on the server, and removes it when the scope closes. */
export const freshDatabase = Effect.fnUntraced(function* ({
  url,
  template
}: {
  readonly url: string
  readonly template: string
}) {
  const name = `posthorn_test_${randomUUID().replaceAll("-", "")}`
  const admin = <A, E>(use: (sql: SqlClient.SqlClient) => Effect.Effect<A, E>) =>
    Effect.orDie(Effect.provide(SqlClient.SqlClient.use(use), PgClient.layer({ url: Redacted.make(url) })))
  yield* Effect.acquireRelease(
    // Copies of one template take turns: PostgreSQL refuses to copy a template that is in use.
    Effect.retry(
      Effect.provide(
        SqlClient.SqlClient.use((sql) => sql.unsafe(`create database ${name} template ${template}`)),
        PgClient.layer({ url: Redacted.make(url) })
      ),
      { times: 50 }
    ).pipe(Effect.orDie),
    // A plain drop waits some seconds for connections that are being closed. A forced one breaks them while they are
    // still in use.
    () =>
      admin((sql) =>
        Effect.catch(sql.unsafe(`drop database if exists ${name}`), () =>
          sql.unsafe(`drop database if exists ${name} with (force)`)
        )
      )
  )
  const own = new URL(url)
  own.pathname = `/${name}`
  return own.href
})

const postgres = (server: { readonly url: string; readonly template: string }): Layer.Layer<SqlClient.SqlClient> =>
  Layer.unwrap(Effect.map(freshDatabase(server), (url) => Layer.orDie(PgClient.layer(poolOptions(url)))))

/** Each database with its name, for a suite to run on. */
export const databases = (): ReadonlyArray<readonly [name: string, layer: Layer.Layer<SqlClient.SqlClient>]> => {
  const server = inject("postgres")
  return [["PGlite", pglite], ...(server === undefined ? [] : [["PostgreSQL", postgres(server)] as const])]
}
