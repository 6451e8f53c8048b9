import { assert, layer } from "@effect/vitest"
import { Clock, Duration, Effect, Fiber, Layer, Tracer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { databases } from "../../testing/Databases.ts"
import { eventually } from "../../testing/Eventually.ts"
import * as Statements from "../../testing/Statements.ts"
import * as Agenda from "./Agenda.ts"

/** Advances the test clock, and gives the database real time to answer. */
const pass = (time: Duration.Input) =>
  Effect.andThen(TestClock.adjust(time), TestClock.withLive(Effect.sleep("15 millis")))

const second = Duration.seconds(1)

for (const [name, database] of databases()) {
  const counted = Statements.counter()
  let tables = 0
  /** A queue of its own. `wait` rests once and returns when it was woken, in milliseconds from its start. */
  const freshQueue = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const table = sql(`waiting_${tables++}`)
    yield* sql`create table ${table} (due_at timestamptz not null)`
    const add = (inMillis: number) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        Effect.asVoid(sql`insert into ${table} values (${new Date(now + inMillis)})`)
      )
    const rest = yield* Agenda.nextDue(sql`select min(due_at) from ${table}`)
    const wait = (poll: Duration.Duration) =>
      Effect.gen(function* () {
        const begun = yield* Clock.currentTimeMillis
        yield* rest(poll)
        return (yield* Clock.currentTimeMillis) - begun
      })
    return { add, table, wait }
  })

  layer(
    Layer.provideMerge(Agenda.layer, database).pipe(Layer.provideMerge(Layer.succeed(Tracer.Tracer, counted.tracer))),
    { timeout: "60 seconds" }
  )(`Agenda on ${name}`, (it) => {
    it.effect("wakes a loop at the time of its row", () =>
      Effect.gen(function* () {
        const queue = yield* freshQueue
        yield* queue.add(3_120)
        const waiting = yield* Effect.forkChild(queue.wait(second), { startImmediately: true })
        // A step of the clock that ends in the middle of an interval.
        for (let at = 0; at < 3_110; at += 10) yield* at % 500 === 490 ? pass(10) : TestClock.adjust(10)
        assert.isUndefined(waiting.pollUnsafe())
        yield* pass(10)
        yield* pass(10)
        assert.isAtLeast(yield* Fiber.join(waiting), 3_120)
      })
    )

    it.effect("finds a row that is written while the loop rests within half a second, whoever wrote it", () =>
      Effect.gen(function* () {
        const queue = yield* freshQueue
        const waiting = yield* Effect.forkChild(queue.wait(second), { startImmediately: true })
        for (const _ of Array(10)) yield* pass(500)
        assert.isUndefined(waiting.pollUnsafe())
        yield* queue.add(0)
        yield* pass(500)
        yield* eventually(
          Effect.sync(() => waiting.pollUnsafe()),
          (exit) => exit !== undefined
        )
      })
    )

    it.effect("wakes a loop that cannot take what is due no more often than it polls", () =>
      Effect.gen(function* () {
        const queue = yield* freshQueue
        yield* queue.add(-1_000)
        for (const _ of Array(3)) {
          const waiting = yield* Effect.forkChild(queue.wait(Duration.seconds(5)), { startImmediately: true })
          yield* Effect.repeat(pass(100), { until: () => waiting.pollUnsafe() !== undefined })
          const waited = yield* Fiber.join(waiting)
          assert.isAtLeast(waited, 5_000)
          assert.isAtMost(waited, 5_700)
        }
      })
    )

    it.effect("asks for all loops by one statement, and for none while all work", () =>
      Effect.gen(function* () {
        const queues = yield* Effect.replicateEffect(freshQueue, 20)
        const waiting = yield* Effect.forEach(queues, ({ wait }) =>
          Effect.forkChild(wait(second), { startImmediately: true })
        )
        yield* pass(500)
        const before = counted.count()
        for (const _ of Array(20)) yield* pass(500)
        assert.isAtLeast(counted.count() - before, 15)
        assert.isAtMost(counted.count() - before, 21)
        yield* Fiber.interruptAll(waiting)
        yield* pass(1_000)
        const idle = counted.count()
        for (const _ of Array(10)) yield* pass(500)
        assert.strictEqual(counted.count(), idle)
      })
    )

    it.effect("asks half as often once no loop has worked for ten seconds, and still wakes at the time of a row", () =>
      Effect.gen(function* () {
        const queue = yield* freshQueue
        const waiting = yield* Effect.forkChild(queue.wait(second), { startImmediately: true })
        for (const _ of Array(24)) yield* pass(500)
        const before = counted.count()
        for (const _ of Array(20)) yield* pass(500)
        assert.isAtLeast(counted.count() - before, 8)
        assert.isAtMost(counted.count() - before, 11)
        const other = yield* freshQueue
        const woken = yield* Effect.forkChild(other.wait(second), { startImmediately: true })
        yield* other.add(0)
        for (const _ of Array(2)) yield* pass(500)
        yield* eventually(
          Effect.sync(() => woken.pollUnsafe()),
          (exit) => exit !== undefined
        )
        const after = counted.count()
        for (const _ of Array(12)) yield* pass(500)
        assert.isAtLeast(counted.count() - after, 10)
        assert.isUndefined(waiting.pollUnsafe())
        for (const _ of Array(12)) yield* pass(500)
        yield* queue.add(1_700)
        for (let at = 0; at < 1_690; at += 10) yield* at % 250 === 0 ? pass(10) : TestClock.adjust(10)
        assert.isUndefined(waiting.pollUnsafe())
        for (const _ of Array(3)) yield* pass(10)
        yield* eventually(
          Effect.sync(() => waiting.pollUnsafe()),
          (exit) => exit !== undefined
        )
      })
    )

    it.effect("lets loops poll for themselves while the database does not answer it", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const queue = yield* freshQueue
        yield* sql`drop table ${queue.table}`
        const waiting = yield* Effect.forkChild(queue.wait(second), { startImmediately: true })
        yield* Effect.repeat(pass(250), { until: () => waiting.pollUnsafe() !== undefined })
        const waited = yield* Fiber.join(waiting)
        assert.isAtLeast(waited, 1_000)
        assert.isAtMost(waited, 2_000)
      })
    )

    it.effect("does not replace the poll of a queue that does not say what is due", () =>
      Effect.gen(function* () {
        const rest = yield* Agenda.polled
        const waiting = yield* Effect.forkChild(rest(second), { startImmediately: true })
        yield* TestClock.adjust(999)
        assert.isUndefined(waiting.pollUnsafe())
        yield* TestClock.adjust(1)
        yield* Fiber.join(waiting)
      })
    )

    it.effect("knows the first of a few rows, and that many are there", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { table } = yield* freshQueue
        const ask = sql<{ readonly first: number | null }>`
          select extract(epoch from (
            ${Agenda.earliest(sql, [
              Agenda.firstOf(sql, sql`${table} order by due_at desc`),
              Agenda.anyOf(sql, sql`${table} where due_at < to_timestamp(10)`)
            ])}))::float8 as first`
        const first = Effect.map(ask, ([row]) => row?.first)
        assert.isNull(yield* first)
        yield* sql`insert into ${table} select to_timestamp(n) from generate_series(20, 118) as n`
        assert.strictEqual(yield* first, 20)
        yield* sql`insert into ${table} values (to_timestamp(119))`
        assert.strictEqual(yield* first, 0)
        yield* sql`delete from ${table} where due_at > to_timestamp(20)`
        yield* sql`insert into ${table} values (to_timestamp(5))`
        assert.strictEqual(yield* first, 0)
      })
    )
  })
}
