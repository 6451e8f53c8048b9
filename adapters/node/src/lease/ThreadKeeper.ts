/**
 * Renews the lease of a worker whose event loop is blocked, from a thread with its own connection.
 *
 * The event loop writes a heartbeat to shared memory each second. If it writes none for too long, the thread stops
 * renewing, and other workers take over its emails.
 */
import { Worker } from "node:worker_threads"
import { LeaseKeeper } from "@posthorn/core/mail/sending/LeaseKeeper"
import { Duration, Effect, Layer, Option, Redacted } from "effect"

/** The input of the thread. */
export interface Task {
  readonly url: string
  readonly schema: string
  readonly worker: string
  readonly leaseSeconds: number
  readonly everyMillis: number
  readonly silenceMillis: number
  /** Shared: the last heartbeat, and when the last renewal was sent; nanoseconds of the monotonic clock. */
  readonly moments: BigInt64Array
}

/** The thread keeps almost no data. */
const resourceLimits = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 64 }

const thread = new URL("./Thread.ts", import.meta.url)

export interface Options {
  readonly url: Redacted.Redacted<string>
  /** The schema of the tables. */
  readonly schema: string
  /** How long the event loop may be blocked. Default: 15 minutes. */
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
