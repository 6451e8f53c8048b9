import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Deferred, Duration, Effect, Exit, Layer, Metric, Option, Schema, Scope } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { databases } from "../../testing/Databases.ts"
import { eventually } from "../../testing/Eventually.ts"
import * as Transaction from "../Transaction.ts"
import * as Job from "./Job.ts"
import { JobQueue } from "./JobQueue.ts"
import * as JobQueueSql from "./JobQueueSql.ts"
import * as JobRunner from "./JobRunner.ts"
import { runsTotal } from "./PeriodicJobs.ts"

const project = ProjectId.make(randomUUID())

/**
 * Hooks of a run: before a step begins, and within its transaction, after its row is written and before it is saved.
 */
interface Hooks {
  readonly before?: (row: number) => Effect.Effect<void, Job.JobFailed>
  readonly within?: (row: number) => Effect.Effect<void>
}

/** Writes the rows up to a number, each in its own transaction. */
const counting = ({ before = () => Effect.void, within = () => Effect.void }: Hooks = {}) =>
  Job.define({
    name: "count",
    payload: Schema.Struct({ rows: Schema.Int }),
    result: Schema.Struct({ written: Schema.Int }),
    checkpoint: Schema.Struct({ next: Schema.Int }),
    run: Effect.fnUntraced(function* ({ rows }, { id, saved, save }) {
      const sql = yield* SqlClient.SqlClient
      const { run } = yield* Transaction.Transaction
      const first = Option.match(saved, { onNone: () => 1, onSome: ({ checkpoint }) => checkpoint.next })
      for (let row = first; row <= rows; row++) {
        yield* before(row)
        yield* run(
          Effect.gen(function* () {
            yield* Effect.orDie(sql`insert into written (job, row) values (${id}, ${row})`)
            yield* within(row)
            yield* save({ progress: (100 * row) / rows, result: { written: row }, checkpoint: { next: row + 1 } })
          })
        )
      }
      return { written: rows }
    })
  })
const count = counting()

/** A gate that reports when a run has reached it, and lets the run pass when it is open. */
const gateAt = Effect.fnUntraced(function* (place: number) {
  const reached = yield* Deferred.make<void>()
  const open = yield* Deferred.make<void>()
  return {
    reached: Deferred.await(reached),
    open: Deferred.succeed(open, undefined),
    pass: (row: number) =>
      row === place ? Effect.andThen(Deferred.succeed(reached, undefined), Deferred.await(open)) : Effect.void
  }
})

const fresh = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`truncate jobs cascade`
  yield* sql`drop table if exists written`
  yield* sql`create table written (job uuid, row int)`
  return { sql, queue: yield* JobQueue }
})

/** A process that runs this many jobs at once, until its scope closes. */
const start = Effect.fnUntraced(function* <R>(job: Job.RunnableJob<R>, concurrency = 1) {
  const options = Layer.succeed(JobRunner.Options, { concurrency, poll: Duration.seconds(1) })
  yield* Layer.build(Layer.provide(JobRunner.layer([job]), options))
})

const enqueue = Effect.fnUntraced(function* (rows: number) {
  const queue = yield* JobQueue
  return yield* queue.enqueue(project, count, { rows }, yield* DateTime.now)
})

const record = Effect.fnUntraced(function* (id: Job.JobId) {
  const queue = yield* JobQueue
  return Option.getOrThrow(yield* queue.find(project, [count], id))
})

/** Advances the clock until the job has ended, so that jobs become due and idle runners poll. */
const atEnd = (id: Job.JobId) =>
  eventually(Effect.andThen(TestClock.adjust("1 second"), record(id)), ({ finishedAt }) => finishedAt !== null)

const written = Effect.fnUntraced(function* (id: Job.JobId) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`select row from written where job = ${id} order by row`
  return rows.map(({ row }) => row)
})

const runs = (result: string, job = "count") =>
  Effect.map(Metric.value(Metric.withAttributes(runsTotal, { job, result })), ({ count }) => count)

for (const [name, database] of databases()) {
  const services = Layer.merge(JobQueueSql.layer, Transaction.layerSql).pipe(
    Layer.provide(SecureRandom.layerWebCrypto),
    Layer.provideMerge(database)
  )

  layer(services, { timeout: "60 seconds" })(`JobRunner on ${name}`, (it) => {
    it.effect("runs a job as soon as it is committed, and shows how far it is", () =>
      Effect.gen(function* () {
        yield* fresh
        const gate = yield* gateAt(3)
        yield* start(counting({ before: gate.pass }))
        const before = yield* runs("success")
        const id = yield* enqueue(4)
        yield* gate.reached
        assert.deepInclude(yield* record(id), { state: "active", progress: 50, result: { written: 2 } })
        yield* gate.open
        const done = yield* eventually(record(id), ({ finishedAt }) => finishedAt !== null)
        assert.deepInclude(done, { state: "completed", progress: 100, result: { written: 4 } })
        assert.deepStrictEqual(yield* written(id), [1, 2, 3, 4])
        yield* eventually(runs("success"), (count) => count === before + 1)
      })
    )

    it.effect("runs as many at once as it may", () =>
      Effect.gen(function* () {
        yield* fresh
        let [now, most] = [0, 0]
        const work = Effect.acquireUseRelease(
          Effect.sync(() => {
            most = Math.max(most, ++now)
          }),
          () => TestClock.withLive(Effect.sleep("20 millis")),
          () => Effect.sync(() => now--)
        )
        const ids = yield* Effect.replicateEffect(enqueue(3), 4)
        yield* start(counting({ before: () => work }), 2)
        for (const id of ids) yield* atEnd(id)
        assert.strictEqual(most, 2)
      })
    )

    it.effect("goes on behind the last committed step of a process that died, and applies none twice", () =>
      Effect.gen(function* () {
        const { queue, sql } = yield* fresh
        const id = yield* enqueue(5)
        const claimed = Option.getOrThrow(yield* queue.claim([count], yield* DateTime.now))
        const dying = counting({ within: (row) => (row === 3 ? Effect.interrupt : Effect.void) })
        const save = (point: Job.Point<string, string>) => Effect.asVoid(queue.saveProgress(claimed, point))
        yield* Effect.exit(
          dying.execute(claimed.payload, { project, id, saved: claimed.saved, file: Effect.succeedNone, save })
        )
        assert.deepStrictEqual(yield* written(id), [1, 2])

        yield* start(count)
        yield* TestClock.adjust("1 second")
        assert.deepInclude(yield* record(id), { state: "active", result: { written: 2 } })
        yield* sql`update jobs set lease_until = clock_timestamp() - interval '1 millisecond'`
        assert.deepInclude(yield* atEnd(id), { state: "completed", result: { written: 5 } })
        assert.deepStrictEqual(yield* written(id), [1, 2, 3, 4, 5])
      })
    )

    it.effect("a step of a process that was thought dead, and comes back, is undone", () =>
      Effect.gen(function* () {
        const { sql } = yield* fresh
        const gate = yield* gateAt(3)
        yield* start(counting({ before: gate.pass }))
        const id = yield* enqueue(4)
        yield* gate.reached
        yield* start(count)
        yield* sql`update jobs set lease_until = clock_timestamp() - interval '1 millisecond'`
        yield* atEnd(id)
        const lost = yield* runs("lost")
        yield* gate.open
        yield* eventually(runs("lost"), (count) => count === lost + 1)
        assert.deepStrictEqual(yield* written(id), [1, 2, 3, 4])
      })
    )

    it.effect("renews its claim while the job runs, and stops when it has lost it", () =>
      Effect.gen(function* () {
        const { sql } = yield* fresh
        const gate = yield* gateAt(2)
        yield* start(counting({ before: gate.pass }))
        const id = yield* enqueue(2)
        yield* gate.reached
        const kept = Effect.map(
          sql`select lease_until > clock_timestamp() + interval '50 seconds' as kept from jobs`,
          ([row]) => row?.["kept"]
        )
        for (let round = 0; round < 3; round++) {
          yield* sql`update jobs set lease_until = clock_timestamp() + interval '1 second'`
          yield* TestClock.adjust("20 seconds")
          yield* eventually(kept, (found) => found === true)
        }
        const lost = yield* runs("lost")
        yield* sql`update jobs set claim = claim + 1`
        yield* TestClock.adjust("20 seconds")
        yield* eventually(runs("lost"), (count) => count === lost + 1)
        assert.deepInclude(yield* record(id), { state: "active", progress: 50 })
      })
    )

    it.effect("a job that fails is tried 3 times, and ends with a reason that reveals no internals", () =>
      Effect.gen(function* () {
        yield* fresh
        let tries = 0
        const before = (row: number) =>
          row < 3
            ? Effect.void
            : Effect.andThen(
                Effect.sync(() => tries++),
                Effect.die(new Error("password=hunter2"))
              )
        yield* start(counting({ before }))
        const failures = yield* runs("failure")
        const id = yield* enqueue(4)
        assert.deepInclude(yield* atEnd(id), {
          state: "failed",
          progress: 50,
          result: { written: 2 },
          failedReason: "Something unexpected happened. The job was tried 3 times."
        })
        assert.strictEqual(tries, 3)
        yield* eventually(runs("failure"), (count) => count === failures + 3)
        const next = yield* enqueue(2)
        assert.deepInclude(yield* atEnd(next), { state: "completed" })
      })
    )

    it.effect("a job that knows why it failed says so", () =>
      Effect.gen(function* () {
        yield* fresh
        const reason = "The file is no longer there."
        yield* start(counting({ before: () => Effect.fail(new Job.JobFailed({ reason })) }))
        assert.deepInclude(yield* atEnd(yield* enqueue(1)), { state: "failed", result: null, failedReason: reason })
      })
    )

    it.effect("a job that takes three processes down is not tried a fourth time", () =>
      Effect.gen(function* () {
        const { queue, sql } = yield* fresh
        const id = yield* enqueue(1)
        for (let process = 1; process <= 3; process++) {
          assert.isTrue(Option.isSome(yield* queue.claim([count], yield* DateTime.now)))
          yield* sql`update jobs set lease_until = clock_timestamp() - interval '1 millisecond'`
        }
        yield* start(count)
        assert.deepInclude(yield* atEnd(id), {
          state: "failed",
          failedReason: "The process that ran the job ended early, 3 times."
        })
        assert.deepStrictEqual(yield* written(id), [])
      })
    )

    it.effect("a process that stops undoes the step in hand and gives the job back", () =>
      Effect.gen(function* () {
        const { sql } = yield* fresh
        const gate = yield* gateAt(3)
        const scope = yield* Scope.make()
        yield* Scope.provide(start(counting({ within: gate.pass }), 2), scope)
        const id = yield* enqueue(4)
        yield* gate.reached
        yield* Scope.close(scope, Exit.void)
        assert.deepStrictEqual(yield* sql`select tries, lease_until from jobs`, [{ tries: 0, lease_until: null }])
        assert.deepStrictEqual(yield* written(id), [1, 2])
        yield* start(count)
        assert.deepInclude(yield* atEnd(id), { state: "completed" })
        assert.deepStrictEqual(yield* written(id), [1, 2, 3, 4])
      })
    )

    it.effect("outlives its database's failures", () =>
      Effect.gen(function* () {
        const { sql } = yield* fresh
        yield* start(count)
        yield* atEnd(yield* enqueue(1))
        yield* sql`alter table jobs rename to elsewhere`
        const failures = yield* runs("failure", "job-runner")
        yield* eventually(
          Effect.andThen(TestClock.adjust("1 second"), runs("failure", "job-runner")),
          (count) => count > failures + 1
        )
        yield* sql`alter table elsewhere rename to jobs`
        assert.deepInclude(yield* atEnd(yield* enqueue(1)), { state: "completed" })
      })
    )
  })
}
