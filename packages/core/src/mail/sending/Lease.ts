/**
 * A worker's hold on its mails: a row that says until when, by the database's clock, and is renewed in time.
 *
 * The worker itself trusts it a little less than the database does: no mail begins unless a good part of the lease is
 * left, counted by the monotonic clock from before the renewal was sent.
 */
import { Clock, Duration, Effect, Option, Ref, type Scope } from "effect"
import type { DeliveryQueue } from "./DeliveryQueue.ts"
import { LeaseKeeper } from "./LeaseKeeper.ts"

const length = Duration.seconds(30)
const renewal = Duration.seconds(10)
const retry = Duration.seconds(1)
/** What must be left of the lease when a mail begins. */
const margin = Duration.seconds(10)
/** Time enough, after an outage of the database, for every worker that lives to renew its lease. */
const grace = Duration.seconds(5)

export interface Lease {
  /** A good part of it is left. */
  readonly holds: Effect.Effect<boolean>
  /** No renewal has failed lately: a worker whose lease is over now is dead, and not as cut off as all of us were. */
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
  const renewedBeside = yield* Effect.flatMap(LeaseKeeper, (keep) => keep(worker, length, renewal))
  yield* Effect.forkScoped(
    Effect.forever(Effect.flatMap(Effect.delay(renew, retry), (wait) => Effect.sleep(Duration.subtract(wait, retry))))
  )

  const since = (then: bigint) => Effect.map(Clock.monotonicTimeNanos, (now) => now - then)
  const lastRenewal = Effect.zipWith(Ref.get(renewedAt), renewedBeside, (own, beside) =>
    Option.match(beside, { onNone: () => own, onSome: (at) => (at > own ? at : own) })
  )
  return {
    holds: Effect.map(Effect.flatMap(lastRenewal, since), (age) => age < nanos(Duration.subtract(length, margin))),
    isSteady: Effect.map(Effect.flatMap(Ref.get(failedAt), since), (age) => age >= nanos(grace))
  }
})
