/** Migrations in steps, of a table with rows, that are killed at any point. */
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Cause, DateTime, Deferred, Effect, Exit, Fiber, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { databases, freshDatabase, sessionOptions } from "../../testing/Databases.ts"
import { Failpoint, type Window } from "../Failpoint.ts"
import { timePrefix } from "../TimeIds.ts"
import * as Migrations from "./index.ts"
import { backfill, constraint, finished, index, type Migration, transaction, validate } from "./Steps.ts"

const project = "019a9f3c-0000-7000-8000-000000000001"
const people = 2_200

const run = (...statements: ReadonlyArray<string>) =>
  SqlClient.SqlClient.use((sql) => Effect.forEach(statements, (each) => sql.unsafe(each).unprepared))

/** `seen` counts how often a row was changed: a batch that takes effect twice shows. */
const domains: Migration = {
  expand: [
    transaction(
      "columns",
      run("alter table contacts add column domain text", "alter table contacts add column seen int")
    ),
    constraint("contacts", "contacts_domain_known", "check (domain <> '')")
  ],
  background: [
    backfill(
      "contacts",
      (sql, rows) =>
        sql`update contacts set domain = split_part(email, '@', 2), seen = coalesce(seen, 0) + 1 where ${rows}`
    ),
    index("contacts_domain", "on contacts (project_id, domain)"),
    validate("contacts", "contacts_domain_known")
  ]
}
const name = "9000_domains"
const known = { ...Migrations.migrations, [name]: domains }

const migrate = Migrations.migrateTo(known)
const finish = Migrations.finishTo(known)
const status = Migrations.statusIn(known)

const filled = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    insert into projects (id, name, public_key, secret_key_hash, secret_hint, created_at, updated_at)
    values (${project}, 'Example', 'pk', 'hash', 'aaaa', now(), now())`
  yield* sql`
    insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
    select gen_random_uuid(), ${project}, 'ada' || n || '@' || n % 7 || '.example', true, '{}', now(), now()
    from generate_series(1, ${people}) as n`
})

/** What the migration left, without times and ids. */
const outcome = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return {
    rows: yield* sql`select domain, seen, count(*)::int as rows from contacts group by 1, 2 order by 1, 2`,
    wrong: yield* sql`select from contacts where domain is distinct from split_part(email, '@', 2)`,
    indexes: yield* sql`
      select indisvalid, pg_get_indexdef(indexrelid) as text from pg_index where indrelid = 'contacts'::regclass order by 2`,
    constraints: yield* sql`select conname, convalidated from pg_constraint where conname = 'contacts_domain_known'`,
    steps: yield* sql`
      select step, rows_done::int as rows, finished_at is not null as ended from migration_steps
      where migration_id = 9000 order by step`,
    status: (yield* status).unfinished
  }
})

const killed = (window: Window) => (reached: Window) => (reached === window ? Effect.die("killed") : Effect.void)

const wasKilled = (exit: Exit.Exit<unknown, unknown>) => {
  if (Exit.isSuccess(exit)) return false
  assert.include(Cause.pretty(exit.cause), "killed")
  return true
}

describe.each(databases())("a migration in steps, on %s", (_, database) => {
  /** On a database of its own: filled, expanded, and finished in this way. */
  const after = (way: Effect.Effect<unknown, unknown, SqlClient.SqlClient>) =>
    filled.pipe(Effect.andThen(migrate), Effect.andThen(way), Effect.andThen(outcome), Effect.provide(database))

  it.live(
    "has the same result if it is killed in and after each batch",
    () =>
      Effect.gen(function* () {
        const expected = yield* after(finish)
        assert.lengthOf(expected.rows, 7)
        assert.isTrue(expected.rows.every((row) => row["seen"] === 1))
        assert.deepStrictEqual(expected.constraints, [{ conname: "contacts_domain_known", convalidated: true }])
        assert.isTrue(expected.indexes.every((row) => row["indisvalid"] === true))
        assert.deepInclude(expected.steps, { step: "backfill contacts", rows: people, ended: true })
        assert.deepStrictEqual([expected.wrong, expected.status], [[], []])

        let kills = 0
        const interrupted = Effect.gen(function* () {
          const windows = ["before_backfill_commit", "after_backfill_commit"] as const
          let live = true
          while (live) {
            live = false
            for (const window of windows) {
              const exit = yield* Effect.exit(Effect.provideService(finish, Failpoint, killed(window)))
              if (!wasKilled(exit)) continue
              live = window === "after_backfill_commit"
              kills++
            }
            const [step] = (yield* status).unfinished
            if (live) assert.deepInclude(step, { migration: name, step: "backfill contacts", rowsAbout: people })
          }
          yield* finish
        })
        assert.deepStrictEqual(yield* after(interrupted), expected)
        // Batches of 500 rows: each is rolled back once, and all but the last commit.
        assert.strictEqual(kills, 5 + 4)
      }),
    120_000
  )

  it.live(
    "takes effect once if two processes finish it at the same time",
    () =>
      Effect.gen(function* () {
        const both = Effect.all([finish, finish], { concurrency: 2 })
        assert.deepStrictEqual(yield* after(both), yield* after(finish))
      }),
    120_000
  )

  it.live("is expanded before servers start, and finished while they serve", () =>
    Effect.gen(function* () {
      yield* filled
      yield* migrate
      const unfinished = (step: string) => ({ migration: name, step, rowsDone: 0, rowsAbout: null, since: null })
      assert.deepStrictEqual(yield* status, {
        applied: Object.keys(known),
        missing: [],
        unknown: [],
        unfinished: domains.background.map((step) => unfinished(step.name))
      })
      yield* Effect.provideService(Effect.exit(finish), Failpoint, killed("after_backfill_commit"))
      const [step] = (yield* status).unfinished
      assert.deepInclude(step, { rowsDone: 500, rowsAbout: people })
      assert.match(
        Migrations.describeUnfinished(step ?? unfinished("")),
        /^9000_domains, backfill contacts, 500 of about 2,200 rows, since 20\d\d-.*Z$/
      )
      // A second start changes nothing.
      yield* migrate
      assert.deepInclude((yield* status).unfinished[0], { rowsDone: 500 })
    }).pipe(Effect.provide(database))
  )

  it.live("stays missing until all of its expand steps have ended, and repeats none", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      let isBroken = true
      const halves = {
        ...Migrations.migrations,
        "9000_halves": {
          expand: [
            transaction("first", run("create table halves (n int)", "insert into halves values (1)")),
            transaction(
              "second",
              Effect.suspend(() => (isBroken ? Effect.die("killed") : run("insert into halves values (2)")))
            )
          ],
          background: []
        }
      }
      assert.isTrue(wasKilled(yield* Effect.exit(Migrations.migrateTo(halves))))
      assert.deepStrictEqual((yield* Migrations.statusIn(halves)).missing, ["9000_halves"])
      isBroken = false
      yield* Migrations.migrateTo(halves)
      assert.deepStrictEqual((yield* Migrations.statusIn(halves)).missing, [])
      assert.deepStrictEqual(yield* sql`select n from halves order by n`, [{ n: 1 }, { n: 2 }])
    }).pipe(Effect.provide(database))
  )

  it.live("creates an index again that is invalid", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* filled
      const unique = {
        ...Migrations.migrations,
        "9000_unique": {
          expand: [index("contacts_once", "on contacts (subscribed)", { unique: true })],
          background: []
        }
      }
      const valid = sql`select indisvalid as valid from pg_index where indexrelid = to_regclass('contacts_once')`
      // Two contacts have the same value, so the index fails half way.
      const failed = yield* Effect.exit(Migrations.migrateTo(unique))
      assert.isTrue(Exit.isFailure(failed))
      assert.deepStrictEqual(yield* valid, [{ valid: false }])
      yield* sql`delete from contacts where email <> 'ada1@1.example'`
      yield* Migrations.migrateTo(unique)
      assert.deepStrictEqual(yield* valid, [{ valid: true }])
      assert.deepStrictEqual((yield* Migrations.statusIn(unique)).missing, [])
    }).pipe(Effect.provide(database))
  )

  it.live("indexes each partition of a table, also after it was killed between two", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const bounds = ["2100-01-01", "2101-01-01", "2102-01-01"].map(
        (day) => `${timePrefix(DateTime.makeUnsafe(day))}-0000-0000-000000000000`
      )
      const partition = (n: number) =>
        `create table events_${n} partition of events for values from ('${bounds[n]}') to ('${bounds[n + 1]}')`
      yield* run(partition(0), "create index events_sources on only events (project_id, source)")
      const on = "on events (project_id, source) where name <> ''"
      const sources = {
        ...Migrations.migrations,
        "9000_sources": { expand: [index("events_named", on), index("events_sources", on)], background: [] }
      }
      const indexed = sql`
        select inhrelid::regclass::text as name, indisvalid as valid
        from pg_inherits join pg_index on indexrelid = inhrelid
        where inhparent in ('events_named'::regclass, 'events_sources'::regclass) order by 1`
      const isValid = sql`
        select indisvalid as valid from pg_index where indexrelid in ('events_named'::regclass, 'events_sources'::regclass)`
      // Another index of the second name ends it after the first one.
      assert.isTrue(Exit.isFailure(yield* Effect.exit(Migrations.migrateTo(sources))))
      yield* run("drop index events_sources")
      yield* Migrations.migrateTo(sources)
      const names = ["named", "sources"].flatMap((name) =>
        ["0", "default", "first"].map((partition) => `events_${name}_events_${partition}`)
      )
      assert.deepStrictEqual(
        yield* indexed,
        names.map((name) => ({ name, valid: true }))
      )
      assert.deepStrictEqual(yield* isValid, [{ valid: true }, { valid: true }])
      yield* run(partition(1))
      assert.lengthOf(yield* indexed, 8)
    }).pipe(Effect.provide(database))
  )

  it.live("is finished by a later migration that removes what it replaced", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* filled
      const later = {
        ...known,
        "9001_domains_only": {
          expand: [
            finished(name),
            transaction("required", run("alter table contacts alter column domain set not null"))
          ],
          background: []
        },
        "9002_plain": run("alter table contacts drop column seen")
      }
      yield* Migrations.migrateTo(later)
      assert.deepInclude(yield* Migrations.statusIn(later), { missing: [], unfinished: [] })
      assert.lengthOf(yield* sql`select from contacts where domain is not null`, people)
    }).pipe(Effect.provide(database))
  )

  it.live(
    "leaves nothing to finish in an empty database, which is migrated in one transaction",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql.unsafe("drop schema posthorn cascade").unprepared
        yield* Effect.exit(Migrations.migrateTo({ ...known, "9001_broken": Effect.die("killed") }))
        assert.deepStrictEqual(yield* sql`select from pg_namespace where nspname = 'posthorn'`, [])
        yield* migrate
        assert.deepInclude(yield* status, { missing: [], unfinished: [] })
        assert.isTrue((yield* outcome).indexes.some((row) => String(row["text"]).includes("contacts_domain ")))
      }).pipe(Effect.provide(database)),
    120_000
  )
})

const server = inject("postgres")
const sessions = Layer.unwrap(
  Effect.map(server === undefined ? Effect.die(new Error("No PostgreSQL answers")) : freshDatabase(server), (url) =>
    Layer.orDie(PgClient.layer(sessionOptions(url)))
  )
)

describe.runIf(server !== undefined)("a migration in steps, beside a transaction that uses its table", () => {
  /** The transaction updates one contact, waits, and does the rest. Returns how to let it go on. */
  const holder = Effect.fnUntraced(function* (rest: Effect.Effect<unknown, unknown, SqlClient.SqlClient>) {
    const sql = yield* SqlClient.SqlClient
    const [held, released] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
    const fiber = yield* Effect.forkChild(
      sql.withTransaction(
        sql`update contacts set subscribed = false where email = 'ada1@1.example'`.pipe(
          Effect.andThen(Deferred.succeed(held, undefined)),
          Effect.andThen(Deferred.await(released)),
          Effect.andThen(rest)
        )
      )
    )
    yield* Deferred.await(held)
    return Effect.andThen(Deferred.succeed(released, undefined), Fiber.join(fiber))
  })

  const waiting = (statement: string) =>
    SqlClient.SqlClient.use((sql) =>
      Effect.repeat(
        sql`
          select pid from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like ${statement}`,
        { until: (rows) => rows.length > 0 }
      )
    )

  it.live(
    "creates an index again after its session was ended, and writers pass meanwhile",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const indexed = {
          ...Migrations.migrations,
          "9000_indexed": { expand: [], background: [index("contacts_seen", "on contacts (updated_at)")] }
        }
        yield* filled
        yield* Migrations.migrateTo(indexed)
        const valid = sql`select indisvalid as valid from pg_index where indexrelid = to_regclass('contacts_seen')`

        const release = yield* holder(Effect.void)
        const doomed = yield* Effect.forkChild(Migrations.finishTo(indexed))
        const [session] = yield* waiting("create index concurrently%")
        const write = sql`update contacts set subscribed = false where email = 'ada2@2.example'`
        assert.isTrue(Option.isSome(yield* Effect.timeoutOption(write, "10 seconds")))
        // A server starts meanwhile, since nothing that it needs is missing.
        assert.isTrue(Option.isSome(yield* Effect.timeoutOption(Migrations.migrateTo(indexed), "10 seconds")))
        yield* sql`select pg_terminate_backend(${session?.["pid"]})`
        assert.isTrue(Exit.isFailure(yield* Fiber.await(doomed)))
        assert.deepStrictEqual(yield* valid, [{ valid: false }])

        yield* release
        yield* Migrations.finishTo(indexed)
        assert.deepStrictEqual(yield* valid, [{ valid: true }])
        assert.deepStrictEqual((yield* Migrations.statusIn(indexed)).unfinished, [])
      }).pipe(Effect.provide(sessions)),
    60_000
  )

  it.live(
    "gives way where the two would wait for each other",
    () =>
      Effect.gen(function* () {
        yield* filled
        yield* migrate
        const all = run("update contacts set subscribed = false")
        const release = yield* holder(all)
        const finishing = yield* Effect.forkChild(finish)
        yield* waiting("update contacts set domain%")
        yield* release
        yield* Fiber.join(finishing)
        const { rows } = yield* outcome
        assert.isTrue(rows.every((row) => row["seen"] === 1))
      }).pipe(Effect.provide(sessions)),
    60_000
  )
})
