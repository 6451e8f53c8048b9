/** The dev mode on databases that it did not create. */
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { freshDatabase } from "@posthorn/core/testing/Databases"
import { dataFolder } from "@posthorn/core/testing/DataFolder"
import type {} from "@posthorn/core/testing/template"
import { Effect, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { send } from "../testing/ApiCall.ts"
import { readiness, start } from "../testing/Program.ts"

const Line = Schema.Struct({ url: Schema.String, secretKey: Schema.String, projectId: Schema.String })

const server = inject("postgres")
const database = Effect.suspend(() => (server === undefined ? Effect.die("no server") : freshDatabase(server)))

const query = (url: string, statement: string) =>
  SqlClient.SqlClient.use((sql) => sql.unsafe<{ readonly [column: string]: unknown }>(statement)).pipe(
    Effect.provide(PgClient.layer({ url: Redacted.make(url) })),
    Effect.orDie
  )

/** Every row of every table, and the comment on the schema. */
const dump = Effect.fnUntraced(function* (url: string) {
  const tables = yield* query(url, "select tablename from pg_tables where schemaname = 'posthorn' order by 1")
  const rows = yield* Effect.forEach(tables, ({ ["tablename"]: table }) =>
    query(url, `select coalesce(jsonb_agg(t order by t::text), '[]') as rows from posthorn."${String(table)}" t`)
  )
  return {
    rows,
    comment: yield* query(url, "select obj_description('posthorn'::regnamespace, 'pg_namespace') as text")
  }
})

const develop = Effect.fnUntraced(function* (flags: ReadonlyArray<string>, env: Record<string, string> = {}) {
  const program = yield* start(["dev", "--json", ...flags], {
    POSTHORN_PORT: "0",
    POSTHORN_DATA_DIR: dataFolder(),
    ...env
  })
  return { program, dev: yield* readiness(program, Line) }
})

const refused = (flags: ReadonlyArray<string>) => Effect.scoped(Effect.flip(develop(flags)))

/** A production installation: one project, with one email that waits to be sent. */
const production = Effect.gen(function* () {
  const url = yield* database
  yield* query(
    url,
    `insert into posthorn.users (id, email, email_verified, created_at, updated_at)
     values ('00000000-0000-4000-8000-000000000001', 'owner@shop.example', true, now(), now())`
  )
  yield* query(
    url,
    `insert into posthorn.projects (id, name, public_key, secret_key_hash, secret_hint, created_at, updated_at)
     select '00000000-0000-4000-8000-000000000002', 'Shop', 'pk_shop', 'x', 'x', now(), now()`
  )
  return url
})

describe.skipIf(server === undefined)("posthorn dev", () => {
  it.live(
    "ignores the database of POSTHORN_DATABASE_URL, and says which one it uses",
    () =>
      Effect.gen(function* () {
        const url = yield* production
        const before = yield* dump(url)
        const { dev, program } = yield* develop([], { POSTHORN_DATABASE_URL: url })
        yield* send(dev, "anna@example.com")
        assert.deepStrictEqual(yield* dump(url), before)
        assert.match(program.errors(), /ignores POSTHORN_DATABASE_URL and uses the embedded database in /)
        assert.strictEqual(yield* program.end("SIGTERM"), 0)
        assert.deepStrictEqual(yield* dump(url), before)
      }),
    180_000
  )

  it.live(
    "refuses a database with a project that it did not create, and writes nothing to it",
    () =>
      Effect.gen(function* () {
        const url = yield* production
        const before = yield* dump(url)
        const { code, errors } = yield* refused(["--database", url])
        assert.strictEqual(code, 1)
        assert.match(errors, /^posthorn: postgres:\/\/\S+ has a project that posthorn dev did not create\./m)
        assert.deepStrictEqual(yield* dump(url), before)
      }),
    180_000
  )

  it.live(
    "accepts an empty database, and later the same database until a server has run on it",
    () =>
      Effect.gen(function* () {
        const url = yield* database
        const first = yield* Effect.scoped(
          Effect.tap(develop(["--database", url]), ({ program }) => program.end("SIGTERM"))
        )
        yield* query(url, `update posthorn.projects set name = 'Renamed'`)
        yield* Effect.scoped(Effect.tap(develop(["--database", url]), ({ program }) => program.end("SIGTERM")))
        assert.match(first.dev.projectId, /^[0-9a-f-]{36}$/)

        const serving = yield* start(["serve", "--json"], {
          POSTHORN_PORT: "0",
          POSTHORN_DATABASE_URL: url,
          POSTHORN_SECRET: "0123456789abcdef0123456789abcdef",
          POSTHORN_SMTP_URL: "smtp://user:hunter22@127.0.0.1:1"
        })
        yield* readiness(serving, Schema.Struct({ url: Schema.String }))
        yield* serving.end("SIGTERM")
        assert.strictEqual((yield* refused(["--database", url])).code, 1)
      }),
    180_000
  )

  it.live("explains the format of a database URL that is not valid", () =>
    Effect.gen(function* () {
      const { code, errors } = yield* refused(["--database", "mysql://x"])
      assert.strictEqual(code, 2)
      assert.include(errors, "--database does not begin with postgres://; it may be a URL such as postgres://")
    })
  )
})
