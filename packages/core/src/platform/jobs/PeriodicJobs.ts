/**
 * Periodic jobs. Each job is a row that one process claims when the job is due.
 *
 * Due times use the clock of the service. The claim of a running job uses the clock of the database; a process that
 * dies loses it after 30 seconds. No job waits longer than its period, even when the clock is set back, since elapsed
 * time counts too. One late run replaces all missed runs. A job must tolerate two concurrent runs: a process that hangs
 * beyond its lease notices this only at its next renewal.
 */
import { Cause, DateTime, Duration, Effect, Exit, Layer, Metric } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { longestPause, pauseAfter } from "../Backoff.ts"
import { elapsedMillis, forgettableFor } from "../Elapsed.ts"
import type { NextDue } from "./Agenda.ts"
import { ClaimLost, holdClaim } from "./Claim.ts"
import { jobTable } from "./JobTableSql.ts"

export interface PeriodicJob {
  /** Name of the row, in the log and in metrics. Kebab-case, the same in every release. */
  readonly name: string
  /** From the start of a run to the next. */
  readonly every: Duration.Duration
  /** Replaces `every`: the time of the next run after one that started at `begun`. */
  readonly next?: (begun: DateTime.Utc) => DateTime.Utc
  /**
   * When there is work. A job that is due then waits for some, for a minute at most: so a frequent job costs an idle
   * process nothing. Work that comes later starts at once.
   */
  readonly work?: NextDue | undefined
}

/**
 * `skipped`: not due, or another process runs it. `lost`: another process took it over while it ran. `stopped`: it was
 * interrupted and stays due.
 */
export type RunOutcome = "success" | "failure" | "lost" | "stopped" | "skipped"

/** Its state of a job is in memory, so schedule a job with only one of them. */
export interface PeriodicJobs {
  /**
   * Runs the job if it is due and no other process runs it. A failure is logged, counted, stored in the row and
   * repeated.
   */
  readonly run: <E, R>(job: PeriodicJob, effect: Effect.Effect<unknown, E, R>) => Effect.Effect<RunOutcome, never, R>
  /**
   * Runs the job whenever it is due, by the clock or because its period has passed. Polls at least every 5 seconds,
   * because clocks may be changed. All jobs poll at the same moments, by one statement.
   */
  readonly schedule: <E, R>(job: PeriodicJob, effect: Effect.Effect<unknown, E, R>) => Effect.Effect<never, never, R>
}

/** A job with its work. */
export interface ScheduledJob extends PeriodicJob {
  readonly run: Effect.Effect<unknown, never, unknown>
}

/** Runs each of the jobs whenever it is due, until the scope closes. */
export const scheduled = <const Jobs extends ReadonlyArray<ScheduledJob>>(
  jobs: Jobs
): Layer.Layer<never, never, Effect.Services<Jobs[number]["run"]> | SecureRandom.SecureRandom | SqlClient.SqlClient> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const { schedule } = yield* make
      for (const { run, ...job } of jobs) {
        const work = run as Effect.Effect<unknown, never, Effect.Services<Jobs[number]["run"]>>
        yield* Effect.forkScoped(schedule(job, work))
      }
    })
  )

const renewal = Duration.seconds(10)
const longestIdle = Duration.minutes(1)
/** The time between two looks at work that another process has. */
const workPoll = Duration.seconds(1)
const poll = Duration.seconds(5)
const pollMillis = Duration.toMillis(poll)
/** Jobs that look within this time share a statement. */
const together = Duration.millis(100)

export const runsTotal = Metric.counter("posthorn_jobs_total", {
  description: "Runs of jobs",
  incremental: true
})
export const lastSuccess = Metric.gauge("posthorn_job_last_success_seconds", {
  description: "When a periodic job last succeeded in any process, in seconds since 1970"
})

export const make: Effect.Effect<PeriodicJobs, never, SecureRandom.SecureRandom | SqlClient.SqlClient> = Effect.gen(
  function* () {
    const table = jobTable(yield* SqlClient.SqlClient)
    const random = yield* SecureRandom.SecureRandom
    /** The due time of each job as this process has seen it, and the longest time to wait for it. */
    const seen = new Map<string, { readonly dueAt: number; readonly until: number }>()
    const [rows, forget] = yield* forgettableFor(together)(table.look)
    /** Failures in a row of each job, in this process. */
    const failures = new Map<string, number>()

    const backoffAfter = (name: string) =>
      Effect.sync(() => {
        const count = (failures.get(name) ?? 0) + 1
        failures.set(name, count)
        return pauseAfter(count)
      })

    const settle = Effect.fnUntraced(function* (
      { name, every, next = DateTime.addDuration(every) }: PeriodicJob,
      owner: string,
      begun: DateTime.Utc,
      exit: Exit.Exit<unknown, unknown>
    ): Effect.fn.Return<RunOutcome> {
      const now = yield* DateTime.now
      if (Exit.isSuccess(exit)) {
        failures.delete(name)
        yield* table.succeed(name, owner, now, next(begun))
        return "success"
      }
      // The process stops. Another process may take the job at once.
      if (Cause.hasInterruptsOnly(exit.cause)) {
        yield* table.giveBack(name, owner)
        return "stopped"
      }
      const error = Cause.squash(exit.cause)
      if (error instanceof ClaimLost) {
        yield* Effect.logWarning("Job stopped: another process has taken it over")
        return "lost"
      }
      const wait = yield* backoffAfter(name)
      yield* Effect.logError(`Job failed; next try in ${Duration.format(wait)}`, exit.cause)
      yield* table.fail(name, owner, String(error), DateTime.addDuration(now, wait))
      return "failure"
    })

    const count = (job: string, result: RunOutcome) =>
      Metric.update(Metric.withAttributes(runsTotal, { job, result }), 1)

    /** `due` is a due time that has passed, even if the clock was set back since. */
    const runDue = <E, R>(
      job: PeriodicJob,
      effect: Effect.Effect<unknown, E, R>,
      due?: DateTime.Utc
    ): Effect.Effect<RunOutcome, never, R> =>
      Effect.uninterruptibleMask((restore) =>
        Effect.gen(function* () {
          const owner = yield* random.uuidV7()
          const begun = yield* DateTime.now
          const claimed = yield* table.claim(job.name, owner, begun, due)
          if (!claimed) return "skipped"
          const exit = yield* Effect.exit(
            restore(Effect.raceFirst(effect, holdClaim(table.renew(job.name, owner), renewal)))
          )
          const outcome = yield* Effect.ensuring(settle(job, owner, begun, exit), forget)
          yield* count(job.name, outcome)
          return outcome
        })
      ).pipe(
        Effect.annotateLogs({ job: job.name }),
        Effect.withSpan("PeriodicJobs.run", { attributes: { job: job.name } })
      )

    const run: PeriodicJobs["run"] = (job, effect) => runDue(job, effect)

    /** Milliseconds from now to the run after one that begins now. */
    const periodOf = ({ every, next = DateTime.addDuration(every) }: PeriodicJob) =>
      Effect.map(DateTime.now, (now) => DateTime.toEpochMillis(next(now)) - DateTime.toEpochMillis(now))

    /**
     * Milliseconds until a job is due, by the clock or by elapsed time, whichever is earlier. A due time that is
     * further ahead than the period and the longest pause after a failure comes from a clock that was ahead. The wait
     * is never longer than these.
     */
    const timeLeft = Effect.fnUntraced(function* (job: PeriodicJob, due: DateTime.Utc) {
      const now = yield* DateTime.now
      const elapsed = yield* elapsedMillis
      const dueAt = DateTime.toEpochMillis(due)
      const left = dueAt - DateTime.toEpochMillis(now)
      const known = seen.get(job.name)
      if (known?.dueAt === dueAt) return Math.min(left, known.until - elapsed)
      const period = yield* periodOf(job)
      const until = elapsed + Math.min(left, Math.max(period, Duration.toMillis(longestPause)))
      seen.set(job.name, { dueAt, until })
      return until - elapsed
    })

    /** The time until all jobs poll. */
    const untilPoll = Effect.map(elapsedMillis, (elapsed) => pollMillis - (elapsed % pollMillis))

    /** How long to wait, and the due time if the job is due then: without one, it is to look again. */
    const look = Effect.fnUntraced(function* (job: PeriodicJob) {
      const row = (yield* rows).get(job.name)
      if (row === undefined) return { pause: 0, isDue: true }
      const { dueAt, held, lastSuccessAt } = row
      if (lastSuccessAt !== null) {
        const seconds = DateTime.toEpochMillis(lastSuccessAt) / 1_000
        yield* Metric.update(Metric.withAttributes(lastSuccess, { job: job.name }), seconds)
      }
      const left = yield* timeLeft(job, dueAt)
      const polling = yield* untilPoll
      if (held || left > polling) return { pause: polling, isDue: false }
      return { pause: Math.max(0, left), isDue: true, due: dueAt }
    })

    const repeat = <E, R>(job: PeriodicJob, effect: Effect.Effect<unknown, E, R>, untilWork: Effect.Effect<void>) =>
      Effect.gen(function* () {
        const { due, isDue, pause } = yield* look(job)
        if (pause > 0) yield* Effect.sleep(pause)
        if (!isDue) return
        if (due !== undefined) yield* untilWork
        const outcome = yield* runDue(job, effect, due)
        if (outcome === "failure") return
        yield* Effect.sleep(outcome === "success" ? Math.min(yield* untilPoll, yield* periodOf(job)) : poll)
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

    const schedule: PeriodicJobs["schedule"] = (job, effect) => {
      if (job.work === undefined) return repeat(job, effect, Effect.void)
      const untilWork = Effect.map(job.work, (rest) => Effect.raceFirst(rest(workPoll), Effect.sleep(longestIdle)))
      return Effect.scoped(Effect.flatMap(untilWork, (wait) => repeat(job, effect, wait)))
    }

    return { run, schedule }
  }
)
