/**
 * Keeps the lease of a worker whose event loop is held up, from a thread of its own with a connection of its own.
 *
 * The event loop shows a sign of life in shared memory each second; a loop that has shown none for long does not come
 * back, and its mails are left to others.
 */
import { Worker } from "node:worker_threads"
import { LeaseKeeper } from "@posthorn/core/sending/LeaseKeeper"
import { Duration, Effect, Layer, Option, Redacted } from "effect"

/** What the thread is given. */
export interface Task {
  readonly url: string
  readonly schema: string
  readonly worker: string
  readonly leaseSeconds: number
  readonly everyMillis: number
  readonly silenceMillis: number
  /** Shared: the last sign of life, and when the last renewal was sent; nanoseconds of the monotonic clock. */
  readonly moments: BigInt64Array
}

/** It holds next to nothing. */
const resourceLimits = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 64 }

const thread = new URL("./Thread.ts", import.meta.url)

export interface Options {
  readonly url: Redacted.Redacted<string>
  /** Of the tables. */
  readonly schema: string
  /** How long the event loop may be held up. Default: 15 minutes. */
  readonly silence?: Duration.Duration
}

export const layer = ({ url, schema, silence = Duration.minutes(15) }: Options): Layer.Layer<never> =>
  Layer.succeed(
    LeaseKeeper,
    Effect.fnUntraced(function* (worker, lease, every) {
      const moments = new BigInt64Array(new SharedArrayBuffer(16))
      const live = Effect.sync(() => Atomics.store(moments, 0, process.hrtime.bigint()))
      yield* live
      yield* Effect.forkScoped(Effect.forever(Effect.delay(live, "1 second")))

      const log = Effect.runForkWith(yield* Effect.context<never>())
      const workerData: Task = {
        url: Redacted.value(url),
        schema,
        worker,
        leaseSeconds: Duration.toSeconds(lease),
        everyMillis: Duration.toMillis(every),
        silenceMillis: Duration.toMillis(silence),
        moments
      }
      yield* Effect.acquireRelease(
        Effect.sync(() => {
          const beside = new Worker(thread, { workerData, resourceLimits })
          beside.on("error", (error) => log(Effect.logWarning("The thread that keeps the lease has ended", error)))
          beside.unref()
          return beside
        }),
        (beside) => Effect.promise(() => beside.terminate())
      )
      return Effect.sync(() => Option.liftPredicate(Atomics.load(moments, 1), (at) => at > 0n))
    })
  )
