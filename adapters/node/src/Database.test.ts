import { assert, describe, it } from "@effect/vitest"
import { freshDatabase } from "@posthorn/core/testing/Databases"
import type {} from "@posthorn/core/testing/template"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { inject } from "vitest"
import * as Database from "./Database.ts"

const server = inject("postgres")

describe.runIf(server !== undefined)("a connection to the server", () => {
  it.effect("sees only our schema, and compiles no statement, whatever the cost of its plan", () =>
    Effect.gen(function* () {
      if (server === undefined) return
      const url = yield* freshDatabase(server)
      const settings = SqlClient.SqlClient.use(
        (sql) => sql`select current_setting('search_path') as path, current_setting('jit') as jit`
      )
      const wanted = {
        databaseUrl: Redacted.make(url),
        databaseDirectUrl: undefined,
        databaseRead: undefined,
        databaseConnections: 4,
        nats: undefined,
        dataDir: "nowhere"
      }
      const [session] = yield* Effect.provide(settings, Database.layerNow(wanted))
      assert.deepStrictEqual(session, { path: Database.schema, jit: "off" })
    }).pipe(Effect.scoped, TestClock.withLive)
  )
})
