/** `kill -9` while a server creates its tables. The long form is `node packages/bench/src/chaos/main.ts`. */
import { PgClient } from "@effect/sql-pg"
import { assert } from "@effect/vitest"
import { freshDatabase } from "@posthorn/core/testing/Databases"
import type {} from "@posthorn/core/testing/template"
import { Effect, Redacted, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import * as KilledMigrations from "./KilledMigrations.ts"
import { live } from "./OnPostgres.ts"

/** To repeat a run, write its seed here. */
const seed = String(Math.floor(Math.random() * 1_000_000))
const server = inject("postgres")

const empty = Effect.gen(function* () {
  const url = yield* server === undefined ? Effect.die(new Error("No PostgreSQL answers")) : freshDatabase(server)
  yield* SqlClient.SqlClient.use((sql) => Effect.orDie(sql.unsafe("drop schema posthorn cascade"))).pipe(
    Effect.provide(PgClient.layer({ url: Redacted.make(url) })),
    Effect.orDie
  )
  return url
})

live(
  `a start that is killed while it creates its tables does not affect the next one (seed ${seed})`,
  () =>
    Effect.gen(function* () {
      const scope = yield* Effect.scope
      const database = () => Effect.provideService(empty, Scope.Scope, scope)
      const { accepted, violations } = yield* KilledMigrations.kills({ seed, kills: 2, database })
      assert.deepStrictEqual(violations, [])
      assert.isAtLeast(accepted, 2)
    }),
  240_000
)
