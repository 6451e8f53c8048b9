/**
 * Runs the jobs of a queue, as many at once as the options allow. A job that fails or dies does not affect the others.
 *
 * A run renews its claim. When the scope closes, each run stops after its last committed step and returns its job to
 * the queue, for another process to continue.
 */
import { Cause, Context, DateTime, Duration, Effect, Exit, Layer, Metric, Option } from "effect"
import { untilItSucceeds } from "../Backoff.ts"
import { polled } from "./Agenda.ts"
import { ClaimLost, holdClaim } from "./Claim.ts"
import { JobFailed, JobHeld, type RunnableJob } from "./Job.ts"
import { type ClaimedJob, JobQueue, maxTries } from "./JobQueue.ts"
import { type RunOutcome, runsTotal } from "./PeriodicJobs.ts"

export interface Options {
  /** Jobs that this process runs at once. */
  readonly concurrency: number
  /** Time between two polls of an idle queue without a wake-up. */
  readonly poll: Duration.Duration
}

export const Options = Context.Reference<Options>("@posthorn/core/jobs/JobRunner/Options", {
  defaultValue: () => ({ concurrency: 2, poll: Duration.seconds(1) })
})

const renewal = Duration.seconds(20)

const unexpected = `Something unexpected happened. The job was tried ${maxTries} times.`
const died = `The process that ran the job ended early, ${maxTries} times.`

/** Jobs that are not in the list stay for a process that knows them. */
export const layer = <R>(jobs: ReadonlyArray<RunnableJob<R>>): Layer.Layer<never, never, JobQueue | R> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const queue = yield* JobQueue
      const { concurrency, poll } = yield* Options

      const execute = Effect.fnUntraced(function* (claimed: ClaimedJob) {
        if (claimed.tries > maxTries) return yield* new JobFailed({ reason: died })
        const job = jobs.find(({ name }) => name === claimed.name)
        if (job === undefined) return yield* Effect.die(new Error("A job was claimed that was not requested"))
        return yield* job.execute(claimed.payload, {
          project: claimed.projectId,
          id: claimed.id,
          saved: claimed.saved,
          file: queue.file(claimed),
          save: (point) =>
            Effect.flatMap(queue.saveProgress(claimed, point), (held) =>
              held ? Effect.void : Effect.die(new ClaimLost())
            )
        })
      })

      const settle = Effect.fnUntraced(function* (
        job: ClaimedJob,
        exit: Exit.Exit<string, JobFailed | JobHeld | ClaimLost>
      ): Effect.fn.Return<RunOutcome> {
        const now = yield* DateTime.now
        if (Exit.isSuccess(exit)) return (yield* queue.complete(job, exit.value, now)) ? "success" : "lost"
        // The process stops. Another process may take the job at once.
        if (Cause.hasInterruptsOnly(exit.cause)) {
          yield* queue.release(job)
          return "stopped"
        }
        const error = Cause.squash(exit.cause)
        if (error instanceof ClaimLost) return "lost"
        if (error instanceof JobHeld) {
          yield* queue.release(job)
          return "stopped"
        }
        yield* Effect.logError("Job failed", exit.cause)
        return (yield* queue.fail(job, error instanceof JobFailed ? error.reason : unexpected, now))
          ? "failure"
          : "lost"
      })

      const count = (job: string, result: RunOutcome) =>
        Metric.update(Metric.withAttributes(runsTotal, { job, result }), 1)

      const run = Effect.fn("JobRunner.run")(function* (job: ClaimedJob) {
        const exit = yield* Effect.exit(
          Effect.interruptible(Effect.raceFirst(execute(job), holdClaim(queue.renew(job), renewal)))
        )
        const result = yield* settle(job, exit)
        if (result === "lost")
          yield* Effect.logWarning("Job stopped: it was cancelled, or another process has taken it over")
        yield* count(job.name, result)
        return result
      })

      const untilDue = yield* queue.nextDue ?? polled
      const rest = Effect.interruptible(Effect.raceFirst(queue.woken, untilDue(poll)))

      const turn = Effect.gen(function* () {
        const claimed = yield* queue.claim(jobs, yield* DateTime.now)
        if (Option.isNone(claimed)) return yield* rest
        const { name: job, id: jobId, projectId } = claimed.value
        const result = yield* Effect.annotateLogs(run(claimed.value), { job, jobId, projectId })
        if (result === "stopped") yield* rest
      }).pipe(Effect.uninterruptible)

      const keepOn = turn.pipe(
        Effect.tapDefect((defect) =>
          Effect.andThen(Effect.logError("The queue of jobs cannot be reached", defect), count("job-runner", "failure"))
        ),
        Effect.catchDefect(Effect.fail),
        Effect.retry(untilItSucceeds),
        Effect.orDie,
        Effect.forever
      )
      yield* Effect.forkScoped(Effect.replicateEffect(keepOn, concurrency, { concurrency, discard: true }))
    })
  )
