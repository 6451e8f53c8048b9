import { assert, layer } from "@effect/vitest"
import { Clock, DateTime, Deferred, Duration, Effect, Exit, Fiber, Layer, Metric, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { databases } from "../../testing/Databases.ts"
import { eventually } from "../../testing/Eventually.ts"
import { movedClock } from "../../testing/MovedClock.ts"
import * as Agenda from "./Agenda.ts"
import { lastSuccess, make, type PeriodicJob, type PeriodicJobs, runsTotal } from "./PeriodicJobs.ts"

const rowOf = Schema.decodeUnknownEffect(
  Schema.Tuple([
    Schema.Struct({
      dueAt: Schema.DateTimeUtcFromDate,
      owner: Schema.NullOr(Schema.String),
      fresh: Schema.NullOr(Schema.Boolean),
      lastSuccessAt: Schema.NullOr(Schema.DateTimeUtcFromDate),
      lastError: Schema.NullOr(Schema.String)
    })
  ])
)

/** The row of a job. `fresh`: the claim holds for at least 20 more seconds. */
const row = Effect.fnUntraced(function* ({ name }: PeriodicJob) {
  const sql = yield* SqlClient.SqlClient
  const [found] = yield* rowOf(
    yield* sql`
      select due_at as "dueAt", owner, lease_until > clock_timestamp() + interval '20 seconds' as fresh,
             last_success_at as "lastSuccessAt", last_error as "lastError"
      from periodic_jobs where name = ${name}`
  )
  return found
})

/** Another process of the same installation. */
const instance = make

/** Advances the test clock, and gives the database real time to answer. */
const pass = (time: Duration.Input) =>
  Effect.andThen(TestClock.adjust(time), TestClock.withLive(Effect.sleep("10 millis")))

for (const [name, database] of databases()) {
  const services = Layer.merge(database, SecureRandom.layerWebCrypto)
  let jobs = 0
  /** A job that runs every 5 minutes, and a function for the time that many minutes from now. */
  const freshJob = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const job = { name: `job-${jobs++}`, every: Duration.minutes(5) }
    return { job, at: (minute: number) => now + minute * 60_000 }
  })

  layer(services, { timeout: "60 seconds" })(`PeriodicJobs on ${name}`, (it) => {
    it.effect("a new job runs at once, then when it is due; what was missed runs once", () =>
      Effect.gen(function* () {
        const { job, at } = yield* freshJob
        const { run } = yield* instance
        assert.strictEqual(yield* run(job, Effect.void), "success")
        assert.deepInclude(yield* row(job), {
          dueAt: DateTime.makeUnsafe(at(5)),
          owner: null,
          lastSuccessAt: DateTime.makeUnsafe(at(0))
        })
        yield* TestClock.setTime(at(5) - 1)
        assert.strictEqual(yield* run(job, Effect.die("too early")), "skipped")
        yield* TestClock.setTime(at(5))
        assert.strictEqual(yield* run(job, Effect.void), "success")
        yield* TestClock.setTime(at(59))
        assert.strictEqual(yield* run(job, Effect.void), "success")
        assert.strictEqual(yield* run(job, Effect.die("a second time")), "skipped")
        assert.deepStrictEqual((yield* row(job)).dueAt, DateTime.makeUnsafe(at(64)))
      })
    )

    it.effect("of many processes one runs it", () =>
      Effect.gen(function* () {
        const { job, at } = yield* freshJob
        const processes = yield* Effect.replicateEffect(instance, 6)
        for (const minute of [0, 5, 10]) {
          yield* TestClock.setTime(at(minute))
          const outcomes = yield* Effect.forEach(processes, ({ run }) => run(job, Effect.yieldNow), {
            concurrency: "unbounded"
          })
          assert.deepStrictEqual(outcomes.toSorted(), [...Array(5).fill("skipped"), "success"])
        }
      })
    )

    it.effect("a run that takes longer than its period is not started twice", () =>
      Effect.gen(function* () {
        const { job, at } = yield* freshJob
        const [one, two] = [yield* instance, yield* instance]
        const begun = yield* Deferred.make<void>()
        const end = yield* Deferred.make<void>()
        const slow = Effect.andThen(Deferred.succeed(begun, undefined), Deferred.await(end))
        const running = yield* Effect.forkChild(one.run(job, slow))
        yield* Deferred.await(begun)
        yield* TestClock.setTime(at(20))
        assert.strictEqual(yield* two.run(job, Effect.die("while it runs")), "skipped")
        yield* Deferred.succeed(end, undefined)
        assert.strictEqual(yield* Fiber.join(running), "success")
        assert.strictEqual(yield* two.run(job, Effect.void), "success")
      })
    )

    it.effect("a failure is kept, and repeated after 1, 2, 4 seconds, at most 5 minutes", () =>
      Effect.gen(function* () {
        const { job, at } = yield* freshJob
        const { run } = yield* instance
        let now = at(0)
        for (const seconds of [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]) {
          assert.strictEqual(yield* run(job, Effect.die(new Error("no\u0000where"))), "failure")
          now += seconds * 1_000
          assert.deepInclude(yield* row(job), {
            dueAt: DateTime.makeUnsafe(now),
            owner: null,
            lastSuccessAt: null,
            lastError: "Error: no\uFFFDwhere"
          })
          yield* TestClock.setTime(now)
        }
        assert.strictEqual(yield* run(job, Effect.void), "success")
        assert.deepInclude(yield* row(job), { lastError: null, lastSuccessAt: DateTime.makeUnsafe(now) })
        yield* TestClock.setTime(now + 300_000)
        assert.strictEqual(yield* run(job, Effect.fail("x".repeat(2_000))), "failure")
        const { dueAt, lastError } = yield* row(job)
        assert.deepStrictEqual([dueAt, lastError?.length], [DateTime.makeUnsafe(now + 301_000), 1_000])
      })
    )

    it.effect("a dead process loses it when its claim ends, not before", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { job, at } = yield* freshJob
        const { run } = yield* instance
        yield* sql`
          insert into periodic_jobs (name, due_at, owner, lease_until)
          values (${job.name}, ${new Date(at(0))}, gen_random_uuid(), clock_timestamp() + interval '20 seconds')`
        assert.strictEqual(yield* run(job, Effect.die("held")), "skipped")
        yield* sql`
          update periodic_jobs set lease_until = clock_timestamp() - interval '1 millisecond' where name = ${job.name}`
        assert.strictEqual(yield* run(job, Effect.void), "success")
      })
    )

    it.effect("a claim is renewed while the job runs", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { job } = yield* freshJob
        const { run } = yield* instance
        const begun = yield* Deferred.make<void>()
        const running = yield* Effect.forkChild(
          run(job, Effect.andThen(Deferred.succeed(begun, undefined), Effect.never))
        )
        yield* Deferred.await(begun)
        for (let round = 0; round < 3; round++) {
          yield* sql`
            update periodic_jobs set lease_until = clock_timestamp() + interval '1 second' where name = ${job.name}`
          yield* TestClock.adjust("10 seconds")
          yield* eventually(row(job), ({ fresh }) => fresh === true)
        }
        yield* Fiber.interrupt(running)
      })
    )

    it.effect("a run that was taken over stops, and leaves the row alone", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { job } = yield* freshJob
        const { run } = yield* instance
        const begun = yield* Deferred.make<void>()
        const stopped = yield* Deferred.make<void>()
        const endless = Effect.andThen(Deferred.succeed(begun, undefined), Effect.never).pipe(
          Effect.onInterrupt(() => Deferred.succeed(stopped, undefined))
        )
        const running = yield* Effect.forkChild(run(job, endless))
        yield* Deferred.await(begun)
        yield* sql`update periodic_jobs set owner = gen_random_uuid() where name = ${job.name}`
        const taken = yield* row(job)
        yield* TestClock.adjust("10 seconds")
        assert.strictEqual(yield* Fiber.join(running), "lost")
        yield* Deferred.await(stopped)
        assert.deepStrictEqual(yield* row(job), taken)
      })
    )

    it.effect("a process that stops gives it back, still due", () =>
      Effect.gen(function* () {
        const { job } = yield* freshJob
        const [one, two] = [yield* instance, yield* instance]
        const begun = yield* Deferred.make<void>()
        const running = yield* Effect.forkChild(
          one.schedule(job, Effect.andThen(Deferred.succeed(begun, undefined), Effect.never))
        )
        yield* Deferred.await(begun)
        yield* Fiber.interrupt(running)
        assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(running)))
        assert.deepInclude(yield* row(job), { owner: null, lastSuccessAt: null, lastError: null })
        assert.strictEqual(yield* two.run(job, Effect.void), "success")
      })
    )

    it.effect("a schedule runs each tick once over all processes, whatever a run comes to", () =>
      Effect.gen(function* () {
        const { job } = yield* freshJob
        const runs: Array<number> = []
        const work = Effect.gen(function* () {
          runs.push(yield* Clock.currentTimeMillis)
          if (runs.length === 2) return yield* Effect.die("once")
          if (runs.length === 3) return yield* Effect.interrupt
        })
        const processes = yield* Effect.replicateEffect(instance, 2)
        const fibers = yield* Effect.forEach(processes, ({ schedule }) => Effect.forkChild(schedule(job, work)))
        yield* eventually(
          Effect.sync(() => runs.length),
          (length) => length === 1
        )
        yield* Effect.repeat(pass("4 seconds"), { until: () => runs.length === 6 })
        yield* Fiber.interruptAll(fibers)
        // At most one poll late, never early: the tick, the backoff, at once after it was given back, the ticks.
        const gaps = runs.slice(1).map((run, i) => run - (runs[i] ?? 0))
        // On a busy machine the clock advances by two steps between the claim of a run and the time that the run records.
        for (const [i, seconds] of [300, 1, 0, 300, 300].entries())
          assert.isAtLeast(gaps[i] ?? 0, (seconds - 8) * 1_000)
      })
    )

    it.effect("a job that is due waits for work, for a minute at most, and starts with it", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { job } = yield* freshJob
        const table = sql(job.name.replace("-", "_"))
        yield* sql`create table ${table} (due_at timestamptz)`
        const { schedule } = yield* instance
        const agenda = yield* Layer.build(Agenda.layer)
        let runs = 0
        const frequent = {
          ...job,
          every: Duration.seconds(5),
          work: Agenda.nextDue(sql`select min(due_at) from ${table}`)
        }
        const scheduled = yield* Effect.forkChild(
          Effect.provide(
            schedule(
              frequent,
              Effect.sync(() => runs++)
            ),
            agenda
          )
        )
        const passes = (count: number) =>
          Effect.map(
            Effect.repeat(
              Effect.suspend(() => Effect.as(pass("500 millis"), runs)),
              { until: (found) => found >= count }
            ),
            () => Clock.currentTimeMillis
          ).pipe(Effect.flatten)
        const first = yield* passes(1)
        const second = yield* passes(2)
        assert.isAtLeast(second - first, 60_000)
        assert.isAtMost(second - first, 70_000)
        yield* Effect.repeat(pass("500 millis"), { times: 40 })
        assert.strictEqual(runs, 2)
        yield* sql`insert into ${table} values (${new Date(yield* Clock.currentTimeMillis)})`
        const begun = yield* Clock.currentTimeMillis
        assert.isAtMost((yield* passes(3)) - begun, 2_500)
        yield* Fiber.interrupt(scheduled)
      }).pipe(Effect.scoped)
    )

    it.effect("a wall clock that is set back, or was, keeps no job waiting, and has none run twice in a period", () =>
      Effect.gen(function* () {
        const { job } = yield* freshJob
        const hour = 3_600_000
        const { clock, set } = yield* movedClock
        const runs: Array<bigint> = []
        const work = Effect.gen(function* () {
          runs.push(yield* Clock.monotonicTimeNanos)
        })
        const begin = ({ schedule }: PeriodicJobs) =>
          Effect.forkChild(Effect.provideService(schedule(job, work), Clock.Clock, clock))
        const passes = (count: number) => Effect.repeat(pass("4 seconds"), { until: () => runs.length === count })
        const [one, two] = yield* Effect.forEach([yield* instance, yield* instance], begin)
        yield* passes(1)
        yield* pass("4 seconds")
        yield* set(-hour)
        yield* passes(2)
        yield* set(-2 * hour)
        yield* Fiber.interruptAll([one, two].flatMap((fiber) => fiber ?? []))
        // A process that starts does not know how long the job has been due.
        const three = yield* begin(yield* instance)
        yield* passes(3)
        yield* set(0)
        yield* passes(4)
        yield* Fiber.interrupt(three)
        const seconds = runs.slice(1).map((run, i) => Number(run - (runs[i] ?? 0n)) / 1e9)
        // When the clock is set forward again, jobs that were due until then are due.
        for (const gap of seconds.slice(0, 2)) {
          assert.isAtLeast(gap, 296)
          assert.isBelow(gap, hour / 1_000)
        }
      })
    )

    it.effect("a schedule outlives its database's failures", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { job } = yield* freshJob
        const { schedule } = yield* instance
        let runs = 0
        const scheduled = yield* Effect.forkChild(
          schedule(
            job,
            Effect.sync(() => runs++)
          )
        )
        yield* eventually(
          Effect.sync(() => runs),
          (count) => count === 1
        )
        yield* sql`alter table periodic_jobs rename to elsewhere`
        yield* TestClock.adjust("6 minutes")
        const failed = Metric.value(Metric.withAttributes(runsTotal, { job: job.name, result: "failure" }))
        yield* eventually(failed, ({ count }) => count > 0)
        yield* sql`alter table elsewhere rename to periodic_jobs`
        yield* Effect.repeat(pass("1 second"), { until: () => runs === 2 })
        yield* Fiber.interrupt(scheduled)
      })
    )

    it.effect("every process shows when a job last succeeded, wherever it ran", () =>
      Effect.gen(function* () {
        const { job, at } = yield* freshJob
        const [one, two] = [yield* instance, yield* instance]
        yield* one.run(job, Effect.void)
        const scheduled = yield* Effect.forkChild(two.schedule(job, Effect.void))
        const seconds = Metric.value(Metric.withAttributes(lastSuccess, { job: job.name }))
        yield* eventually(seconds, ({ value }) => value === at(0) / 1_000)
        yield* Fiber.interrupt(scheduled)
      })
    )
  })
}
