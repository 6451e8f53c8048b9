/** For the short forms in the test suite: an installation on the server that the tests use. */
import { PgClient } from "@effect/sql-pg"
import { it } from "@effect/vitest"
import { freshDatabase } from "@posthorn/core/testing/Databases"
import type {} from "@posthorn/core/testing/template"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import * as Installation from "./Installation.ts"

const server = inject("postgres")

/** Without the server, tests are reported as skipped. */
export const isThere = server !== undefined

/** A test in real time. */
export const live = it.live.skipIf(!isThere)

const migrated = server === undefined ? Effect.die(new Error("No PostgreSQL answers")) : freshDatabase(server)

/** The URL of a database without tables. */
export const empty = Effect.gen(function* () {
  const url = yield* migrated
  yield* SqlClient.SqlClient.use((sql) => Effect.orDie(sql.unsafe("drop schema posthorn cascade"))).pipe(
    Effect.provide(PgClient.layer({ url: Redacted.make(url) })),
    Effect.orDie
  )
  return url
})

/** With its own database. */
export const installation = (options: Omit<Installation.Options, "databaseUrl">) =>
  Layer.unwrap(Effect.map(migrated, (databaseUrl) => Installation.layer({ ...options, databaseUrl })))
