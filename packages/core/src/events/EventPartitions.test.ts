import { randomUUID } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Cause, DateTime, Deferred, Effect, Exit, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { inject } from "vitest"
import { Failpoint } from "../platform/Failpoint.ts"
import * as Migrations from "../platform/migrations/index.ts"
import * as Partitions from "../platform/Partitions.ts"
import { rowCounts } from "../platform/RowCounts.ts"
import { timePrefix } from "../platform/TimeIds.ts"
import * as ProjectData from "../service/projects/ProjectData.ts"
import { databases } from "../testing/Databases.ts"
import { migratedBefore } from "../testing/EarlierDatabase.ts"
import { eventsTable } from "./EventPartitions.ts"

const server = inject("postgres")

const createNext = Partitions.createNext(eventsTable)
const removeBefore = (before: DateTime.Utc) => Partitions.removeBefore(eventsTable, before)
const deletedUntil = (before: DateTime.Utc) => Partitions.deletedUntil(eventsTable, before)

/** An id of that time. */
const idAt = (time: number) => `${timePrefix(DateTime.makeUnsafe(time))}-7${randomUUID().slice(15)}`

const newProject = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const id = ProjectId.make(randomUUID())
  yield* sql`
    insert into projects (id, name, public_key, secret_key_hash, secret_hint, created_at, updated_at)
    values (${id}, 'P', ${`pk_${id}`}, ${id}, 'x', ${new Date()}, now())`
  return id
})

const newContact = Effect.fnUntraced(function* (project: ProjectId) {
  const sql = yield* SqlClient.SqlClient
  const id = randomUUID()
  yield* sql`
    insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
    values (${id}, ${project}, ${`${id}@example.com`}, true, '{}', now(), now())`
  return id
})

const record = Effect.fnUntraced(function* (
  project: ProjectId,
  time: number,
  { contact = null, name = "paid" }: { readonly contact?: string | null; readonly name?: string } = {}
) {
  const sql = yield* SqlClient.SqlClient
  const id = idAt(time)
  yield* sql`
    insert into events (id, project_id, contact_id, name, source, created_at)
    values (${id}, ${project}, ${contact}, ${name}, 'tracked', ${new Date(time)})`
  return id
})

/** The partition of each event of the project, and its kept total. */
const stored = Effect.fnUntraced(function* (project: ProjectId) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly place: string }>`
    select tableoid::regclass::text as place from events where project_id = ${project} order by id`
  const [total] = yield* sql`
    select coalesce(sum(count), 0)::int as count from ${rowCounts(sql, project, "events")} as counts`
  const waiting = yield* sql`select from event_outbox where project_id = ${project}`
  return { places: rows.map(({ place }) => place), total: total?.["count"], waiting: waiting.length }
})

const names = SqlClient.SqlClient.use(
  (sql) => sql<{ readonly name: string }>`
    select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r' and starts_with(relname, 'events_') order by 1`
).pipe(Effect.map((rows) => rows.map(({ name }) => name)))

/** Pretends that so many events are in the first partition. */
const pretend = (events: number) =>
  SqlClient.SqlClient.use((sql) => sql`update pg_class set reltuples = ${events} where oid = 'events_first'::regclass`)

const setTime = (text: string) => TestClock.setTime(DateTime.toEpochMillis(DateTime.makeUnsafe(text)))
const time = (text: string) => Date.parse(text)

/** The end of the first partition, which is four to five months from now. */
const firstEnd = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly end: Date }>`
    select date_trunc('month', now() + interval '4 months', 'UTC') as end`
  return row?.end.getTime() ?? 0
})

const dayMillis = 86_400_000

describe.each(databases())("partitions of events on %s", (kind, database) => {
  const own = <A, E>(test: Effect.Effect<A, E, SqlClient.SqlClient>) => Effect.provide(test, database)

  it.effect("a database of an earlier version keeps its events, with indexes, triggers and grants", () =>
    own(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* migratedBefore("0292")
        const project = yield* newProject
        const contact = yield* newContact(project)
        const reader = `reader_${randomUUID().replaceAll("-", "")}`
        yield* Effect.acquireRelease(sql`create role ${sql(reader)}`, () =>
          Effect.orDie(Effect.andThen(sql`drop owned by ${sql(reader)}`, sql`drop role ${sql(reader)}`))
        )
        yield* sql`grant select on events to ${sql(reader)}`
        // As after a jump of a test clock.
        const ahead = time("2061-07-02T12:00:00Z")
        for (const at of [time("2020-01-01T00:00:00Z"), Date.now(), ahead]) yield* record(project, at, { contact })
        const indexes = sql`
          select regexp_replace(pg_get_indexdef(indexrelid), 'INDEX \\S+ ON (ONLY )?\\S+', '') as text, indisvalid
          from pg_index where indrelid = 'events'::regclass order by 1`
        const before = yield* indexes
        yield* Migrations.migrate
        yield* Migrations.finish
        assert.deepStrictEqual(yield* indexes, before)
        assert.lengthOf(
          yield* sql`select from pg_index where indrelid = 'events_first'::regclass and indisvalid`,
          before.length
        )
        const granted = yield* sql`select has_table_privilege(${reader}, 'events', 'select') as allowed`
        assert.deepStrictEqual(granted, [{ allowed: true }])
        const first = Array.from({ length: 3 }, () => "events_first")
        assert.deepStrictEqual(yield* stored(project), { places: first, total: 3, waiting: 3 })

        const end = time("2061-11-01T00:00:00Z")
        yield* record(project, end - 1, { contact })
        yield* record(project, end, { contact })
        const places = [...first, "events_first", "events_default"]
        assert.deepStrictEqual(yield* stored(project), { places, total: 5, waiting: 5 })
        yield* sql`delete from contacts where id = ${contact}`
        assert.deepStrictEqual(yield* stored(project), { places: [], total: 0, waiting: 5 })
      }).pipe(Effect.scoped)
    )
  )

  it.effect("a database whose events have ids of no time keeps them in one partition", () =>
    own(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* migratedBefore("0292")
        // Of a project that is deleted.
        const project = ProjectId.make(randomUUID())
        const last = "fffffffe-ffff-4fff-bfff-ffffffffffff"
        yield* sql`
          insert into events (id, project_id, name, source, created_at)
          values (${last}, ${project}, 'paid', 'tracked', now()),
                 ('ffffffff-ffff-4fff-bfff-ffffffffffff', ${project}, 'paid', 'tracked', now())`
        yield* Migrations.migrate
        yield* record(project, Date.now())
        assert.deepInclude(yield* stored(project), { places: ["events_first", "events_first", "events_first"] })
        yield* TestClock.setTime(Date.now())
        yield* createNext
        assert.deepStrictEqual(yield* names, ["events_default", "events_first"])
      })
    )
  )

  it.effect("exist ahead of time, for a year, a month or a day, by the number of events", () =>
    own(
      Effect.gen(function* () {
        const end = yield* firstEnd
        const label = (at: number) => `events_${new Date(at).toISOString().slice(0, 10).replaceAll("-", "")}`
        yield* TestClock.setTime(end - 41 * dayMillis)
        yield* createNext
        assert.deepStrictEqual(yield* names, ["events_default", "events_first"])
        yield* newProject
        yield* TestClock.setTime(end - 40 * dayMillis)
        // Two processes at once, and a third one later.
        yield* Effect.all([createNext, createNext], { concurrency: 2 })
        yield* createNext
        assert.deepStrictEqual(yield* names, [label(end), "events_default", "events_first"])

        const next = Date.UTC(new Date(end).getUTCFullYear() + 1, 0, 1)
        const until = (year: number, month: number, day = 1) => label(Date.UTC(year, month, day))
        const year = new Date(next).getUTCFullYear()
        yield* TestClock.setTime(next - 30 * dayMillis)
        yield* SqlClient.SqlClient.use((sql) => sql`update pg_class set reltuples = 7e7 where relname = ${label(end)}`)
        yield* createNext
        assert.deepStrictEqual(yield* names, [label(end), until(year, 0), "events_default", "events_first"])
        yield* TestClock.setTime(next - 6 * dayMillis)
        yield* SqlClient.SqlClient.use((sql) => sql`update pg_class set reltuples = 7e9 where relname = ${label(end)}`)
        yield* createNext
        assert.lengthOf(yield* names, 4)
        yield* TestClock.setTime(Date.UTC(year, 0, 30))
        yield* SqlClient.SqlClient.use(
          (sql) => sql`update pg_class set reltuples = 7e7 where relname = ${until(year, 0)}`
        )
        yield* createNext
        const days = [1, 2, 3, 4, 5, 6].map((day) => until(year, 1, day))
        assert.deepStrictEqual(yield* names, [label(end), until(year, 0), ...days, "events_default", "events_first"])
      })
    )
  )

  it.effect("take the events that had none, once, with their totals", () =>
    own(
      Effect.gen(function* () {
        const project = yield* newProject
        const end = yield* firstEnd
        yield* record(project, end - 1)
        yield* record(project, end)
        yield* record(project, time("2041-03-04T05:06:07Z"))
        yield* record(project, time("2077-12-31T23:59:59.999Z"))
        const outside = ["events_default", "events_default", "events_default"]
        const rest = { total: 4, waiting: 4 }
        assert.deepStrictEqual(yield* stored(project), { places: ["events_first", ...outside], ...rest })
        yield* setTime("2041-03-04T05:06:07Z")
        yield* createNext
        const { places, ...kept } = yield* stored(project)
        assert.deepStrictEqual(kept, rest)
        assert.strictEqual(places[0], "events_first")
        // One for all the years until this one.
        assert.match(String(places[1]), /^events_20\d\d0\d01$/)
        assert.deepStrictEqual(places.slice(2), ["events_20410101", "events_default"])
        assert.lengthOf(yield* names, 4)
      })
    )
  )

  it.effect("are removed when all their events are old, and the totals follow", () =>
    own(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const [mine, others] = [yield* newProject, yield* newProject]
        const contact = yield* newContact(mine)
        const end = yield* firstEnd
        yield* TestClock.setTime(end)
        yield* createNext
        for (const name of ["paid", "paid", "read"]) yield* record(mine, end - 1, { contact, name })
        yield* record(others, end - 1)
        yield* record(mine, end, { contact })
        yield* record(others, end)
        const before = yield* names

        yield* removeBefore(DateTime.makeUnsafe(end + 59_999))
        assert.deepStrictEqual(yield* names, before)

        // The process ends between the two steps.
        const exit = yield* Effect.exit(
          Effect.provideService(removeBefore(DateTime.makeUnsafe(end + 60_000)), Failpoint, (window) =>
            window === "after_partition_detach" ? Effect.die("killed") : Effect.void
          )
        )
        assert.include(Exit.isFailure(exit) ? Cause.pretty(exit.cause) : "", "killed")
        assert.include(yield* names, "events_removed_first")
        assert.deepInclude(yield* stored(mine), { total: 4, waiting: 4 })
        assert.lengthOf((yield* stored(mine)).places, 1)
        // Contacts are not held by what is about to go.
        yield* sql`delete from contacts where id = ${contact}`
        yield* Effect.all(
          [1, 2].map(() => removeBefore(DateTime.makeUnsafe(end + 60_000))),
          { concurrency: 2 }
        )
        assert.deepStrictEqual(
          yield* names,
          before.filter((name) => name !== "events_first")
        )
        assert.deepInclude(yield* stored(mine), { places: [], total: 0 })
        assert.deepInclude(yield* stored(others), { total: 1 })
        const keys = yield* sql`
          select key, sum(count)::int as count from ${rowCounts(sql, others, "events")} as counts group by 1`
        assert.deepStrictEqual(keys, [{ key: ["tracked", "paid"], count: 1 }])

        // Events of that time are stored, not lost.
        yield* record(others, end - 1)
        assert.deepInclude(yield* stored(others), { total: 2 })

        // The next one, which this job created.
        const last = removeBefore(DateTime.makeUnsafe(end + 400 * dayMillis))
        yield* Effect.all([last, last], { concurrency: 2 })
        assert.deepInclude(yield* stored(others), { places: ["events_default"], total: 1 })
        assert.deepStrictEqual(yield* names, ["events_default"])
        yield* createNext
        assert.deepInclude(yield* stored(others), { total: 1 })
        assert.lengthOf(yield* names, 2)
      })
    )
  )

  it.effect("lose the events of a project that is deleted, and of no other", () =>
    own(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const [mine, others] = [yield* newProject, yield* newProject]
        const end = yield* firstEnd
        yield* TestClock.setTime(end)
        yield* createNext
        // The events of both are at the same places of their partitions.
        for (let n = 0; n < 5; n++) {
          yield* record(mine, end - 1)
          yield* record(others, end)
          yield* record(mine, time("2077-01-01T00:00:00Z"))
        }
        yield* record(mine, end)
        yield* Effect.exit(
          Effect.provideService(removeBefore(DateTime.makeUnsafe(end + 60_000)), Failpoint, () => Effect.die("killed"))
        )
        yield* sql`update projects set deleted_at = now() where id = ${mine}`
        const { wipeSome } = yield* ProjectData.make
        while (yield* wipeSome(mine, null));
        assert.lengthOf((yield* stored(others)).places, 5)
        const rows = yield* sql`
          select project_id from events_removed_first union all select project_id from events where project_id = ${mine}`
        assert.deepStrictEqual(rows, [])
        yield* removeBefore(DateTime.makeUnsafe(end + 60_000))
        assert.deepInclude(yield* stored(mine), { total: 0 })
        assert.deepInclude(yield* stored(others), { total: 5 })
      })
    )
  )

  it.effect("of one day are not emptied before they are removed", () =>
    own(
      Effect.gen(function* () {
        const end = yield* firstEnd
        yield* newProject
        yield* pretend(1e12)
        yield* TestClock.setTime(end - 1)
        yield* createNext
        const at = (millis: number) => Effect.map(deletedUntil(DateTime.makeUnsafe(millis)), DateTime.toEpochMillis)
        assert.strictEqual(yield* at(end - 1), end - 1)
        assert.strictEqual(yield* at(end), end)
        assert.strictEqual(yield* at(end + 1), end)
        assert.strictEqual(yield* at(end + dayMillis - 1), end)
        assert.strictEqual(yield* at(end + dayMillis + 5), end + dayMillis)
        // Behind the last one.
        assert.strictEqual(yield* at(end + 300 * dayMillis + 5), end + 300 * dayMillis + 5)
      })
    )
  )

  it.live.skipIf(server === undefined || kind !== "PostgreSQL")(
    "wait shortly for a table that is in use, so that others can use it meanwhile",
    () =>
      own(
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const project = yield* newProject
          const end = yield* firstEnd
          yield* record(project, end - 1)
          const [held, released] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
          const long = sql.withTransaction(
            sql`select count(*) from events`.pipe(
              Effect.andThen(Deferred.succeed(held, undefined)),
              Effect.andThen(Deferred.await(released))
            )
          )
          const reader = yield* Effect.forkChild(long)
          yield* Deferred.await(held)
          const removing = yield* Effect.forkChild(removeBefore(DateTime.makeUnsafe(end + 60_000)))
          const waiting = sql`select from pg_locks where relation = 'events'::regclass and not granted`
          yield* Effect.repeat(waiting, { until: (rows) => rows.length > 0 })
          // These stand behind it, and pass when it gives up.
          yield* newContact(project)
          yield* record(project, end)
          yield* sql`select count(*) from events`
          assert.isUndefined(removing.pollUnsafe())
          yield* Deferred.succeed(released, undefined)
          yield* Fiber.join(reader)
          yield* Fiber.join(removing)
          assert.deepInclude(yield* stored(project), { places: ["events_default"], total: 1 })
        })
      ),
    60_000
  )
})
