/** `posthorn migrate` and `posthorn doctor`, where a migration goes on in the background. */
import { assert, it } from "@effect/vitest"
import { Failpoint } from "@posthorn/core/platform/Failpoint"
import * as Migrations from "@posthorn/core/platform/migrations/index"
import { backfill, transaction } from "@posthorn/core/platform/migrations/Steps"
import * as Pglite from "@posthorn/pglite"
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { afterEach } from "vitest"
import { newFolder, posthorn } from "../testing/CommandLine.ts"

const Status = Schema.Struct({
  missing: Schema.Array(Schema.String),
  unfinished: Schema.Array(
    Schema.Struct({
      migration: Schema.String,
      step: Schema.String,
      rowsDone: Schema.Int,
      rowsAbout: Schema.NullOr(Schema.Int),
      since: Schema.NullOr(Schema.String)
    })
  )
})

const marked = {
  expand: [
    transaction(
      "column",
      SqlClient.SqlClient.use((sql) => sql`alter table projects add column marked boolean`)
    )
  ],
  background: [
    backfill("projects", (sql, rows) => sql`update projects set marked = true where marked is null and ${rows}`)
  ]
}

// Other files of the same process must not see the later version.
afterEach(() => void Reflect.deleteProperty(Migrations.migrations, "9000_marked"))

it.effect(
  "shows what remains of a migration, and finishes it if asked",
  () =>
    Effect.gen(function* () {
      const folder = newFolder()
      const run = (...args: ReadonlyArray<string>) =>
        Effect.map(posthorn([...args, "--data-dir", folder]), ({ code, stderr, stdout }) => {
          assert.strictEqual(code, 0, stderr)
          return stdout
        })
      const status = Effect.map(run("migrate", "--status", "--json"), (text) =>
        Schema.decodeUnknownSync(Status)(JSON.parse(text))
      )
      const inDatabase = <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient>) =>
        TestClock.withLive(Effect.provide(effect, Layer.orDie(Pglite.layer({ folder }))))
      const env = { POSTHORN_SMTP_URL: "smtp://127.0.0.1:1" }
      const ofMigrations = Effect.map(posthorn(["doctor", "--json", "--data-dir", folder], { env }), ({ stdout }) =>
        stdout.split("\n").find((line) => line.includes('"check":"migrations"'))
      )

      yield* run("migrate")
      yield* inDatabase(
        SqlClient.SqlClient.use(
          (sql) => sql`
            insert into projects (id, name, public_key, secret_key_hash, secret_hint, created_at, updated_at)
            select gen_random_uuid(), 'Example', 'pk' || n, 'hash' || n, 'aaaa', now(), now()
            from generate_series(1, 1200) as n`
        )
      )
      // As if a later version of this program were tested.
      Object.assign(Migrations.migrations, { "9000_marked": marked })
      assert.deepInclude(yield* status, { missing: ["9000_marked"], unfinished: [] })

      assert.strictEqual(
        yield* run("migrate"),
        "applied\t9000_marked\nunfinished\t9000_marked, backfill projects, not begun\n"
      )
      const step = { migration: "9000_marked", step: "backfill projects" }
      assert.deepStrictEqual((yield* status).unfinished, [{ ...step, rowsDone: 0, rowsAbout: null, since: null }])

      yield* Migrations.finish.pipe(
        Effect.provideService(Failpoint, (window) =>
          window === "after_backfill_commit" ? Effect.die("killed") : Effect.void
        ),
        Effect.exit,
        inDatabase
      )
      const [found] = (yield* status).unfinished
      assert.deepInclude(found, { ...step, rowsDone: 500, rowsAbout: 1200 })
      assert.closeTo(Date.parse(found?.since ?? ""), Date.now(), 3_600_000)
      const words = `9000_marked, backfill projects, 500 of about 1,200 rows, since ${found?.since}`
      assert.include(yield* run("migrate", "--status"), `\nunfinished\t${words}\n`)
      const doctor = yield* ofMigrations
      assert.include(doctor, '"state":"ok"')
      assert.include(doctor, `1 steps remain for workers or 'posthorn migrate --finish': ${words}.`)

      assert.strictEqual(yield* run("migrate", "--finish"), "The database is up to date.\n")
      assert.deepInclude(yield* status, { missing: [], unfinished: [] })
      assert.match((yield* ofMigrations) ?? "", /All \d+ are applied\./)
      const left = yield* inDatabase(SqlClient.SqlClient.use((sql) => sql`select from projects where marked is null`))
      assert.lengthOf(left, 0)
    }),
  120_000
)
