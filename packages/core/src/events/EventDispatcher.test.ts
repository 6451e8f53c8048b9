import { PgClient } from "@effect/sql-pg"
import { assert, describe, it, layer } from "@effect/vitest"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Deferred, Effect, Exit, Layer, Schema, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { inject } from "vitest"
import { Failpoint } from "../platform/Failpoint.ts"
import * as Transaction from "../platform/Transaction.ts"
import * as Wakeups from "../platform/Wakeups.ts"
import { databases, freshDatabase, poolOptions } from "../testing/Databases.ts"
import { eventually } from "../testing/Eventually.ts"
import * as EventDispatcher from "./EventDispatcher.ts"
import { batchRows, type EventHandler, Unfinished } from "./EventHandler.ts"

const dispatching = Layer.merge(Wakeups.layer, Transaction.layerSql)

/** A table in which the reactions of these tests record the events, in order. */
const traces = Layer.effectDiscard(
  SqlClient.SqlClient.use(
    (sql) => sql`
      create table traces (
        position bigint generated always as identity, process text, project_id uuid, event_id uuid, name text
      )`
  )
).pipe(Layer.orDie)

let projects = 0
const freshProject = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`truncate events, event_outbox, event_dispatch_failures, traces cascade`
  return ProjectId.make(`019c0000-0000-7000-8000-${String(++projects).padStart(12, "0")}`)
})

let events = 0
/** Records events with these names, in this order. */
const happen = (project: ProjectId, names: ReadonlyArray<string>) =>
  SqlClient.SqlClient.use((sql) => {
    const ids = names.map(() => `019c1000-0000-7000-8000-${String(++events).padStart(12, "0")}`)
    return sql`
      insert into events (id, project_id, name, source, created_at)
      select id, ${project}::uuid, name, 'tracked', now() from unnest(${ids}::uuid[], ${names}::text[]) as event(id, name)`
  })

/** Records each event. A poisonous event makes the whole statement fail. */
const tracing = (process = "one"): EventHandler<SqlClient.SqlClient> => ({
  name: "tracing",
  react: (batch) =>
    SqlClient.SqlClient.use(
      (sql) => sql`
        insert into traces (process, project_id, event_id, name)
        select ${process}::text, events.project_id, events.id, (1 / (name <> 'poison')::int)::text || name
        from ${batchRows(sql, batch)} join events using (project_id, id) order by position`
    ).pipe(Effect.asVoid, Effect.orDie)
})

const start = (reaction = tracing(), batch = 500) =>
  Layer.build(EventDispatcher.layer([reaction])).pipe(
    Effect.provideService(EventDispatcher.Options, { ...EventDispatcher.Options.defaultValue(), batch })
  )

const Traces = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ name: Schema.String })))
const names = SqlClient.SqlClient.use((sql) =>
  Effect.map(Effect.flatMap(sql`select substr(name, 2) as name from traces order by position`, Traces), (rows) =>
    rows.map(({ name }) => name)
  )
)
const waiting = SqlClient.SqlClient.use((sql) => sql`select event_id from event_outbox`)
const failed = SqlClient.SqlClient.use((sql) => sql`select attempts from event_dispatch_failures`)

/** The clock advances by half a second between two checks. */
const soon = <A, E, R>(look: Effect.Effect<A, E, R>, isWanted: (found: A) => boolean) =>
  eventually(Effect.andThen(TestClock.adjust("500 millis"), look), isWanted)
const numbered = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => `${prefix}${n}`)

for (const [name, database] of databases()) {
  layer(Layer.mergeAll(dispatching, traces).pipe(Layer.provideMerge(database)), { timeout: "60 seconds" })(
    `The dispatcher on ${name}`,
    (it) => {
      it.effect("runs the reactions to every event once, in stored order, over more than one batch", () =>
        Effect.gen(function* () {
          const project = yield* freshProject
          const all = numbered("n", 25)
          yield* happen(project, all)
          yield* start(tracing(), 10)
          yield* soon(names, (found) => found.length >= 25)
          assert.deepStrictEqual(yield* names, all)
          yield* happen(project, ["later"])
          yield* soon(names, (found) => found.length > 25)
          assert.deepStrictEqual(yield* names, [...all, "later"])
        })
      )

      it.effect("an event that fails is retried alone, and does not block others", () =>
        Effect.gen(function* () {
          const project = yield* freshProject
          yield* happen(project, [...numbered("a", 5), "poison", ...numbered("b", 5)])
          yield* start()
          yield* soon(names, (found) => found.length >= 10)
          assert.deepStrictEqual(yield* names, [...numbered("a", 5), ...numbered("b", 5)])
          yield* soon(failed, ([row]) => Number(row?.["attempts"]) >= 3)
          assert.deepStrictEqual(yield* waiting, [])
          yield* happen(project, ["after"])
          yield* soon(names, (found) => found.length > 10)
          // The fault of the event is fixed, so its next attempt succeeds.
          const sql = yield* SqlClient.SqlClient
          yield* sql`update events set name = 'cured' where name = 'poison'`
          yield* soon(names, (found) => found.length > 11)
          assert.deepStrictEqual((yield* names).slice(10), ["after", "cured"])
          assert.deepStrictEqual(yield* failed, [])
        })
      )

      it.effect("a retried event keeps the work of finished reactions, and runs only the others again", () =>
        Effect.gen(function* () {
          const project = yield* freshProject
          yield* happen(project, ["half"])
          let attempts = 0
          yield* start({
            name: "half",
            react: (batch) =>
              Effect.suspend(() => {
                const done = tracing().react(batch)
                return attempts++ < 2 ? Effect.andThen(done, Effect.fail(new Unfinished({ cause: "the rest" }))) : done
              })
          })
          // The first attempt is rolled back completely. The second one is recorded.
          yield* soon(names, (found) => found.length >= 2)
          assert.deepStrictEqual([attempts, yield* names], [3, ["half", "half"]])
          assert.deepStrictEqual(yield* failed, [])
        })
      )

      it.effect("a failed event waits 1 second, then twice as long each time, at most an hour", () =>
        Effect.gen(function* () {
          const project = yield* freshProject
          const sql = yield* SqlClient.SqlClient
          yield* happen(project, ["poison"])
          yield* start()
          const wait = sql`
            select attempts, extract(epoch from due_at)::float8 as due from event_dispatch_failures`
          for (const [attempts, seconds] of [
            [1, 1],
            [2, 2],
            [3, 4],
            [14, 3600]
          ] as const) {
            if (attempts === 14) yield* sql`update event_dispatch_failures set attempts = 13`
            const [row] = yield* soon(wait, ([found]) => Number(found?.["attempts"]) >= attempts)
            const now = (yield* TestClock.testClockWith((clock) => clock.currentTimeMillis)) / 1000
            const ahead = Number(row?.["due"]) - now
            assert.isAtMost(ahead, seconds)
            assert.isAbove(ahead, seconds / 2 - 0.75)
          }
        })
      )

      it.effect("many events of one project do not delay the events of another", () =>
        Effect.gen(function* () {
          const flooded = yield* freshProject
          const other = ProjectId.make(`019c0000-0000-7000-8000-${String(++projects).padStart(12, "0")}`)
          yield* happen(flooded, numbered("flood", 40))
          yield* happen(other, ["mine"])
          yield* start(tracing(), 10)
          yield* soon(names, (found) => found.length >= 41)
          assert.isBelow((yield* names).indexOf("mine"), 20)
        })
      )

      it.effect("a process that ends between the reactions and the commit leaves the events to the next", () =>
        Effect.gen(function* () {
          const project = yield* freshProject
          yield* happen(project, ["a", "b"])
          const reached = yield* Deferred.make<void>()
          const scope = yield* Scope.make()
          yield* Scope.provide(start(tracing("killed")), scope).pipe(
            Effect.provideService(Failpoint, () => Effect.andThen(Deferred.succeed(reached, undefined), Effect.never))
          )
          yield* Deferred.await(reached)
          yield* Scope.close(scope, Exit.void)
          assert.deepStrictEqual(yield* names, [])
          assert.strictEqual((yield* waiting).length, 2)
          yield* start()
          yield* soon(names, (found) => found.length > 0)
          assert.deepStrictEqual(yield* names, ["a", "b"])
        })
      )

      it.effect("an event that was deleted before its dispatch leaves the outbox, and runs no reaction", () =>
        Effect.gen(function* () {
          const project = yield* freshProject
          const sql = yield* SqlClient.SqlClient
          yield* happen(project, ["kept", "deleted", "kept too"])
          yield* sql`delete from events where name = 'deleted'`
          yield* start()
          yield* soon(waiting, ({ length }) => length === 0)
          assert.deepStrictEqual(yield* names, ["kept", "kept too"])
        })
      )

      it.effect("an event that is stored as dispatched, such as history, never enters the outbox", () =>
        Effect.gen(function* () {
          const project = yield* freshProject
          const sql = yield* SqlClient.SqlClient
          yield* sql`
            insert into events (id, project_id, name, source, created_at, dispatched_at)
            values (gen_random_uuid(), ${project}, 'old', 'tracked', now(), '-infinity')`
          assert.deepStrictEqual(yield* waiting, [])
        })
      )

      it.effect("survives failures of its database", () =>
        Effect.gen(function* () {
          const project = yield* freshProject
          const sql = yield* SqlClient.SqlClient
          yield* start()
          yield* sql`alter table event_outbox rename to elsewhere`
          yield* TestClock.adjust("5 seconds")
          yield* sql`alter table elsewhere rename to event_outbox`
          yield* happen(project, ["a"])
          yield* soon(names, (found) => found.length > 0)
        })
      )
    }
  )
}

const server = inject("postgres")

describe.runIf(server !== undefined)("Two processes on one database", () => {
  it.effect(
    "dispatch each event once, and the events of one contact in order",
    () =>
      Effect.gen(function* () {
        if (server === undefined) return
        const url = yield* freshDatabase(server)
        const pool = Layer.orDie(PgClient.layer(poolOptions(url)))
        const all = numbered("n", 2_000)
        yield* Effect.gen(function* () {
          const project = yield* freshProject
          const processes = ["one", "two"].map((process) =>
            Layer.build(
              EventDispatcher.layer([tracing(process)]).pipe(
                Layer.provide(dispatching),
                Layer.provideMerge(Layer.fresh(pool))
              )
            ).pipe(
              Effect.provideService(EventDispatcher.Options, {
                ...EventDispatcher.Options.defaultValue(),
                batch: 50
              })
            )
          )
          yield* Effect.all(processes, { concurrency: 2 })
          yield* Effect.forEach(
            Array.from({ length: 40 }, (_, n) => all.slice(n * 50, n * 50 + 50)),
            (part) => happen(project, part)
          )
          yield* soon(names, (found) => found.length >= all.length)
          assert.deepStrictEqual(yield* names, all)
        }).pipe(Effect.provide(Layer.provideMerge(traces, pool)))
      }).pipe(Effect.scoped),
    60_000
  )

  it.effect(
    "dispatch events of different buckets at the same time, and leave a bucket to the one that has it",
    () =>
      Effect.gen(function* () {
        if (server === undefined) return
        const url = yield* freshDatabase(server)
        const pool = Layer.orDie(PgClient.layer(poolOptions(url)))
        yield* Effect.gen(function* () {
          const [slow, quick] = [yield* freshProject, yield* freshProject]
          const held = yield* Deferred.make<void>()
          const free = yield* Deferred.make<void>()
          const process = (name: string, before: Effect.Effect<void>) =>
            Layer.build(
              EventDispatcher.layer([
                { name: "tracing", react: (batch) => Effect.andThen(before, tracing(name).react(batch)) }
              ]).pipe(Layer.provide(dispatching), Layer.provideMerge(Layer.fresh(pool)))
            )
          yield* happen(slow, ["first"])
          yield* process("one", Effect.andThen(Deferred.succeed(held, undefined), Deferred.await(free)))
          yield* Deferred.await(held)
          yield* happen(slow, ["second"])
          yield* happen(quick, ["other"])
          yield* process("two", Effect.void)
          yield* soon(names, (found) => found.length > 0)
          assert.deepStrictEqual(yield* names, ["other"])
          yield* Deferred.succeed(free, undefined)
          yield* soon(names, (found) => found.length >= 3)
          assert.deepStrictEqual(yield* names, ["other", "first", "second"])
        }).pipe(Effect.provide(Layer.provideMerge(traces, pool)))
      }).pipe(Effect.scoped),
    60_000
  )
})
