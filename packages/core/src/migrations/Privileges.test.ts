/** On a server whose user may create a schema and nothing else. */
import { randomUUID } from "node:crypto"
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { ProjectId } from "@posthorn/contract/Auth"
import { ContactId } from "@posthorn/contract/contacts/Contact"
import { DateTime, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { inject } from "vitest"
import { ContactStore } from "../contacts/ContactStore.ts"
import * as ContactStoreSql from "../contacts/ContactStoreSql.ts"
import { noChange } from "../contacts/DataChange.ts"
import { poolOptions } from "../testing/Databases.ts"
import * as Migrations from "./index.ts"

const server = inject("postgres")

const now = DateTime.makeUnsafe(Date.UTC(2026, 10, 20, 15))

describe.runIf(server !== undefined)("a user who may not create extensions", () => {
  it.effect("gets the whole schema, and a search without its index", () =>
    Effect.gen(function* () {
      if (server === undefined) return
      const name = `posthorn_test_${randomUUID().replaceAll("-", "")}`
      const admin = (statement: string) =>
        Effect.provide(
          SqlClient.SqlClient.use((sql) => sql.unsafe(statement).unprepared),
          PgClient.layer({ url: Redacted.make(server.url) })
        )
      yield* Effect.acquireRelease(
        Effect.andThen(admin(`create role ${name} login password 'secret'`), admin(`create database ${name}`)),
        () => Effect.orDie(Effect.andThen(admin(`drop database ${name} with (force)`), admin(`drop role ${name}`)))
      )
      const url = new URL(server.url)
      url.pathname = `/${name}`
      yield* Effect.provide(
        SqlClient.SqlClient.use((sql) => sql.unsafe(`create schema posthorn authorization ${name}`)),
        PgClient.layer({ url: Redacted.make(url.href) })
      )
      url.username = name
      url.password = "secret"
      const stores = Layer.provideMerge(ContactStoreSql.layer, PgClient.layer(poolOptions(url.href)))
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const store = yield* ContactStore
        yield* Migrations.migrate
        assert.deepStrictEqual((yield* Migrations.status).missing, [])
        const [index] = yield* sql`select to_regclass('contacts_search') as search`
        assert.isNull(index?.["search"])
        const project = ProjectId.make(randomUUID())
        yield* store.upsert(
          project,
          [{ id: ContactId.make(randomUUID()), email: "anna@example.com", data: noChange }],
          now
        )
        const order = { sort: "createdAt", dir: "desc" } as const
        assert.lengthOf(yield* store.list(project, { search: "NNA@EX" }, order, 10), 1)
        assert.strictEqual(yield* store.count(project, { search: "nna@ex" }), 1)
        assert.strictEqual(yield* store.count(project, { search: "n_a" }), 0)
      }).pipe(Effect.provide(stores))
    }).pipe(TestClock.withLive)
  )
})
