/**
 * Work that comes round: each job is a row that one process claims when it is due (contract-2 18).
 *
 * Due times run on the clock of the service, the claim of a running job on that of the database: a process that dies
 * loses it after 30 seconds. No job waits longer than its period, even if somebody sets the clock back: time that passes
 * counts too. A run that was missed is made up for once, late. A job must bear being run twice, because a process that
 * hangs beyond its lease and comes back notices only at its next renewal.
 */
import { Cause, Context, Data, DateTime, Duration, Effect, Exit, Layer, Metric, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { longestPause, pauseAfter } from "../Backoff.ts"
import { elapsedMillis } from "../Elapsed.ts"
import { jobTable } from "./JobTableSql.ts"

export interface PeriodicJob {
  /** Of the row, the log and the metrics: kebab-case, the same in every release. */
  readonly name: string
  /** From the begin of a run to the next. */
  readonly every: Duration.Duration
  /** In place of `every`: when the run after the one that began then is due. */
  readonly next?: (begun: DateTime.Utc) => DateTime.Utc
}

/**
 * `skipped`: not due, or another process has it. `lost`: another process took it over while it ran. `stopped`: it was
 * interrupted, and stays due.
 */
export type Outcome = "success" | "failure" | "lost" | "stopped" | "skipped"

export class PeriodicJobs extends Context.Service<
  PeriodicJobs,
  {
    /** Runs the job if it is due and nobody else runs it. A failure is logged, counted, kept in the row and repeated. */
    readonly run: <E, R>(job: PeriodicJob, effect: Effect.Effect<unknown, E, R>) => Effect.Effect<Outcome, never, R>
    /**
     * Runs the job whenever it is due, by the clock or because its period has passed. Looks every 5 seconds at least, because
     * clocks may be moved.
     */
    readonly schedule: <E, R>(job: PeriodicJob, effect: Effect.Effect<unknown, E, R>) => Effect.Effect<never, never, R>
  }
>()("@posthorn/core/jobs/PeriodicJobs") {}

class RunLost extends Data.TaggedError("RunLost") {}

const renewal = Duration.seconds(10)
const renewalRetry = Duration.seconds(1)
const poll = Duration.seconds(5)
const pollMillis = Duration.toMillis(poll)

export const runsTotal = Metric.counter("posthorn_jobs_total", {
  description: "Runs of jobs",
  incremental: true
})
export const lastSuccess = Metric.gauge("posthorn_job_last_success_seconds", {
  description: "When a periodic job last succeeded in any process, in seconds since 1970"
})

export const layerSql: Layer.Layer<PeriodicJobs, never, SecureRandom.SecureRandom | SqlClient.SqlClient> = Layer.effect(
  PeriodicJobs,
  Effect.gen(function* () {
    const table = jobTable(yield* SqlClient.SqlClient)
    const random = yield* SecureRandom.SecureRandom
    /** Since when a process has seen a job due at a time, by job: until when that time is waited for at most. */
    const seen = new Map<string, { readonly dueAt: number; readonly until: number }>()
    /** Failures in a row, by job, in this process. */
    const failures = new Map<string, number>()

    const backoffAfter = (name: string) =>
      Effect.sync(() => {
        const count = (failures.get(name) ?? 0) + 1
        failures.set(name, count)
        return pauseAfter(count)
      })

    /** Only the row tells that a run is lost; a renewal that fails says nothing. */
    const holding = (name: string, owner: string): Effect.Effect<never, RunLost> =>
      Effect.uninterruptible(table.renew(name, owner)).pipe(
        Effect.flatMap((held) => (held ? Effect.succeed(renewal) : Effect.fail(new RunLost()))),
        Effect.catchDefect((defect) =>
          Effect.as(Effect.logWarning("Claim on a job not renewed", defect), renewalRetry)
        ),
        Effect.flatMap(Effect.sleep),
        Effect.forever,
        Effect.delay(renewal)
      )

    const settle = Effect.fnUntraced(function* (
      { name, every, next = DateTime.addDuration(every) }: PeriodicJob,
      owner: string,
      begun: DateTime.Utc,
      exit: Exit.Exit<unknown, unknown>
    ): Effect.fn.Return<Outcome> {
      const now = yield* DateTime.now
      if (Exit.isSuccess(exit)) {
        failures.delete(name)
        yield* table.succeed(name, owner, now, next(begun))
        return "success"
      }
      // The process stops: another one may take the job at once.
      if (Cause.hasInterruptsOnly(exit.cause)) {
        yield* table.giveBack(name, owner)
        return "stopped"
      }
      const error = Cause.squash(exit.cause)
      if (error instanceof RunLost) {
        yield* Effect.logWarning("Job stopped: another process has taken it over")
        return "lost"
      }
      const wait = yield* backoffAfter(name)
      yield* Effect.logError(`Job failed; next try in ${Duration.format(wait)}`, exit.cause)
      yield* table.fail(name, owner, String(error), DateTime.addDuration(now, wait))
      return "failure"
    })

    const count = (job: string, result: Outcome) => Metric.update(Metric.withAttributes(runsTotal, { job, result }), 1)

    /** `due`: a time that has passed, though the clock may not say so. */
    const runDue = <E, R>(
      job: PeriodicJob,
      effect: Effect.Effect<unknown, E, R>,
      due?: DateTime.Utc
    ): Effect.Effect<Outcome, never, R> =>
      Effect.uninterruptibleMask((restore) =>
        Effect.gen(function* () {
          const owner = yield* random.uuidV7()
          const begun = yield* DateTime.now
          const claimed = yield* table.claim(job.name, owner, begun, due)
          if (!claimed) return "skipped"
          const exit = yield* Effect.exit(restore(Effect.raceFirst(effect, holding(job.name, owner))))
          const outcome = yield* settle(job, owner, begun, exit)
          yield* count(job.name, outcome)
          return outcome
        })
      ).pipe(
        Effect.annotateLogs({ job: job.name }),
        Effect.withSpan("PeriodicJobs.run", { attributes: { job: job.name } })
      )

    const run: PeriodicJobs["Service"]["run"] = (job, effect) => runDue(job, effect)

    /**
     * Milliseconds until a job is due, by whichever clock says so first. A time that lies further ahead than the period
     * and the longest pause after a failure was set by a clock that was ahead, and is waited for no longer than these.
     */
    const timeLeft = Effect.fnUntraced(function* (
      { name, every, next = DateTime.addDuration(every) }: PeriodicJob,
      due: DateTime.Utc
    ) {
      const now = yield* DateTime.now
      const elapsed = yield* elapsedMillis
      const dueAt = DateTime.toEpochMillis(due)
      const left = dueAt - DateTime.toEpochMillis(now)
      const known = seen.get(name)
      if (known?.dueAt === dueAt) return Math.min(left, known.until - elapsed)
      const period = DateTime.toEpochMillis(next(now)) - DateTime.toEpochMillis(now)
      const until = elapsed + Math.min(left, Math.max(period, Duration.toMillis(longestPause)))
      seen.set(name, { dueAt, until })
      return until - elapsed
    })

    /** How long until it is worth another look, and the time that has come when the job is due and free. */
    const look = Effect.fnUntraced(function* (job: PeriodicJob) {
      const row = yield* table.look(job.name)
      if (Option.isNone(row)) return { pause: 0 }
      const { dueAt, held, lastSuccessAt } = row.value
      if (lastSuccessAt !== null) {
        const seconds = DateTime.toEpochMillis(lastSuccessAt) / 1_000
        yield* Metric.update(Metric.withAttributes(lastSuccess, { job: job.name }), seconds)
      }
      const left = yield* timeLeft(job, dueAt)
      return { pause: held ? pollMillis : Math.min(left, pollMillis), due: dueAt }
    })

    const schedule: PeriodicJobs["Service"]["schedule"] = (job, effect) =>
      Effect.gen(function* () {
        const { pause, due } = yield* look(job)
        if (pause > 0) return yield* Effect.sleep(pause)
        const outcome = yield* runDue(job, effect, due)
        if (outcome !== "success" && outcome !== "failure") yield* Effect.sleep(poll)
      }).pipe(
        Effect.catchDefect((defect) =>
          Effect.gen(function* () {
            const pause = yield* backoffAfter(job.name)
            yield* Effect.logError(`Job could not be scheduled; next try in ${Duration.format(pause)}`, defect)
            yield* count(job.name, "failure")
            yield* Effect.sleep(pause)
          })
        ),
        Effect.annotateLogs({ job: job.name }),
        Effect.forever
      )

    return PeriodicJobs.of({ run, schedule })
  })
)
