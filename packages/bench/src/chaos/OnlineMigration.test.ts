/** Workers die while a migration goes on in the background. The long form is `node packages/bench/src/chaos/main.ts`. */
import { PgClient } from "@effect/sql-pg"
import { assert } from "@effect/vitest"
import { freshDatabase } from "@posthorn/core/testing/Databases"
import type {} from "@posthorn/core/testing/template"
import { Effect, Redacted, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import * as OnlineMigration from "./OnlineMigration.ts"
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
  `a migration that is killed in its background goes on there, while mails are sent (seed ${seed})`,
  () =>
    Effect.gen(function* () {
      const scope = yield* Effect.scope
      const database = () => Effect.provideService(empty, Scope.Scope, scope)
      const most = Number.POSITIVE_INFINITY
      const { accepted, violations } = yield* OnlineMigration.kills({ seed, rows: 4_000, kills: 4, most, database })
      assert.deepStrictEqual(violations, [])
      assert.isAtLeast(accepted, 100)
    }),
  240_000
)
