/** Roles with few privileges. */
import { randomUUID } from "node:crypto"
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { inject } from "vitest"
import { ContactStore } from "../../audience/contacts/ContactStore.ts"
import * as ContactStoreSql from "../../audience/contacts/ContactStoreSql.ts"
import { noDataChange } from "../../audience/contacts/DataChange.ts"
import { sessionOptions } from "../../testing/Databases.ts"
import * as Migrations from "./index.ts"

const server = inject("postgres")

const now = DateTime.makeUnsafe(Date.UTC(2026, 10, 20, 15))

const run = (url: string, statement: string) =>
  Effect.provide(
    SqlClient.SqlClient.use((sql) => sql.unsafe(statement).unprepared),
    PgClient.layer({ url: Redacted.make(url) })
  )

/** A database, and a role of the same name that may use it. Returns the URLs of an administrator and of the role. */
const restricted = Effect.fnUntraced(function* () {
  if (server === undefined) return yield* Effect.die("no server")
  const name = `posthorn_test_${randomUUID().replaceAll("-", "")}`
  yield* Effect.acquireRelease(
    Effect.andThen(
      run(server.url, `create role ${name} login password 'secret'`),
      run(server.url, `create database ${name}`)
    ),
    () =>
      Effect.orDie(
        Effect.andThen(run(server.url, `drop database ${name} with (force)`), run(server.url, `drop role ${name}`))
      )
  )
  const admin = new URL(server.url)
  admin.pathname = `/${name}`
  const url = new URL(admin)
  url.username = name
  url.password = "secret"
  return { name, admin, url }
})

describe.runIf(server !== undefined)("a role that may not create a schema", () => {
  it.effect("gets an error with the statement that grants it", () =>
    Effect.gen(function* () {
      const { admin, name, url } = yield* restricted()
      const migrate = Effect.provide(Migrations.migrate, PgClient.layer(sessionOptions(url.href)))
      const refused = yield* Effect.flip(migrate)
      assert.instanceOf(refused, Migrations.SchemaRefused)
      assert.include(refused.message, `CREATE SCHEMA "posthorn" AUTHORIZATION "${name}";`)
      const [grant = ""] = /GRANT .*;$/.exec(refused.message) ?? []
      assert.strictEqual(grant, `GRANT CREATE ON DATABASE "${name}" TO "${name}";`)
      assert.isEmpty(yield* run(admin.href, "select from pg_namespace where nspname = 'posthorn'"))
      yield* run(admin.href, grant)
      yield* migrate
    }).pipe(TestClock.withLive)
  )
})

describe.runIf(server !== undefined)("a role that may use a schema of another role", () => {
  it.effect("gets an error with the statement that lets it create tables", () =>
    Effect.gen(function* () {
      const { admin, name, url } = yield* restricted()
      yield* run(admin.href, "create schema posthorn")
      yield* run(admin.href, `grant usage on schema posthorn to ${name}`)
      const migrate = Effect.provide(Migrations.migrate, PgClient.layer(sessionOptions(url.href)))
      const refused = yield* Effect.flip(migrate)
      const [grant = ""] = /GRANT .*;$/.exec(refused.message) ?? []
      assert.strictEqual(grant, `GRANT USAGE, CREATE ON SCHEMA "posthorn" TO "${name}";`)
      yield* run(admin.href, grant)
      yield* migrate
    }).pipe(TestClock.withLive)
  )

  it.effect(
    "gets an error that the owner of the tables must migrate, and needs no privilege if nothing is missing",
    () =>
      Effect.gen(function* () {
        const { admin, name, url } = yield* restricted()
        const owners = Effect.provide(Migrations.migrate, PgClient.layer(sessionOptions(admin.href)))
        const migrate = Effect.provide(Migrations.migrate, PgClient.layer(sessionOptions(url.href)))
        yield* owners
        yield* run(admin.href, `grant usage, create on schema posthorn to ${name}`)
        const refused = yield* Effect.flip(migrate)
        assert.match(refused.message, /does not own the tables .* Run `posthorn migrate` as their owner/)
        yield* run(admin.href, `grant select on all tables in schema posthorn to ${name}`)
        yield* migrate
        yield* run(admin.href, "delete from posthorn.migrations where migration_id = 66")
        assert.match((yield* Effect.flip(migrate)).message, /does not own the tables/)
      }).pipe(TestClock.withLive)
  )
})

it("a statement quotes names like PostgreSQL", () => {
  const { message } = new Migrations.SchemaRefused({
    role: 'a"b',
    database: "d",
    schema: "posthorn",
    denied: "create tables"
  })
  assert.match(message, /TO "a""b";$/)
})

describe.runIf(server !== undefined)("a role that may not create extensions", () => {
  it.effect("gets the whole schema, and search works without its index", () =>
    Effect.gen(function* () {
      const { admin, name, url } = yield* restricted()
      yield* run(admin.href, `create schema posthorn authorization ${name}`)
      const stores = Layer.provideMerge(ContactStoreSql.layer, PgClient.layer(sessionOptions(url.href)))
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
          [{ id: ContactId.make(randomUUID()), email: "anna@example.com", data: noDataChange }],
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
