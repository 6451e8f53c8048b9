/**
 * The lease of a worker on its mails: a row with an end on the database clock, which the worker renews.
 *
 * The worker sends a mail only while at least `margin` of the lease is left. It measures this on its monotonic clock, from
 * the moment before it sent the renewal, so its lease ends before that in the database.
 */
import { Clock, Duration, Effect, Option, Ref, type Scope } from "effect"
import type { DeliveryQueue } from "./DeliveryQueue.ts"
import { LeaseKeeper } from "./LeaseKeeper.ts"

const length = Duration.seconds(30)
const renewal = Duration.seconds(10)
const retry = Duration.seconds(1)
/** The time that must be left of the lease when a transmission begins. */
const margin = Duration.seconds(10)
/** The time after an outage of the database in which every living worker renews its lease. */
const grace = Duration.seconds(5)

export interface Lease {
  /** Whether enough of the lease is left to send. */
  readonly holds: Effect.Effect<boolean>
  /** False for a few seconds after a failed renewal: other workers may then be alive, but have lost the database too. */
  readonly isSteady: Effect.Effect<boolean>
}

const nanos = Duration.toNanosUnsafe

export const hold = Effect.fnUntraced(function* (
  queue: DeliveryQueue["Service"],
  worker: string
): Effect.fn.Return<Lease, never, Scope.Scope> {
  const now = yield* Clock.monotonicTimeNanos
  const renewedAt = yield* Ref.make(now - nanos(length))
  const failedAt = yield* Ref.make(now - nanos(grace))

  const renew = Effect.gen(function* () {
    const before = yield* Clock.monotonicTimeNanos
    yield* queue.heartbeat(worker, length)
    yield* Ref.set(renewedAt, before)
    return renewal
  }).pipe(
    Effect.catchDefect((defect) =>
      Effect.gen(function* () {
        yield* Ref.set(failedAt, yield* Clock.monotonicTimeNanos)
        yield* Effect.logWarning("Lease not renewed", defect)
        return retry
      })
    )
  )

  yield* renew
  const renewedByKeeper = yield* Effect.flatMap(LeaseKeeper, (keep) => keep(worker, length, renewal))
  yield* Effect.forkScoped(
    Effect.forever(Effect.flatMap(Effect.delay(renew, retry), (wait) => Effect.sleep(Duration.subtract(wait, retry))))
  )

  const since = (then: bigint) => Effect.map(Clock.monotonicTimeNanos, (now) => now - then)
  const lastRenewal = Effect.zipWith(Ref.get(renewedAt), renewedByKeeper, (own, keeper) =>
    Option.match(keeper, { onNone: () => own, onSome: (at) => (at > own ? at : own) })
  )
  return {
    holds: Effect.map(Effect.flatMap(lastRenewal, since), (age) => age < nanos(Duration.subtract(length, margin))),
    isSteady: Effect.map(Effect.flatMap(Ref.get(failedAt), since), (age) => age >= nanos(grace))
  }
})
