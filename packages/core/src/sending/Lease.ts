/**
 * A worker's hold on its mails: a row that says until when, by the database's clock, and is renewed in time.
 *
 * The worker itself trusts it a little less than the database does: no mail begins unless a good part of the lease is
 * left, counted by the monotonic clock from before the renewal was sent.
 */
import { Clock, Duration, Effect, Ref, type Scope } from "effect"
import type { DeliveryQueue } from "./DeliveryQueue.ts"

const length = Duration.seconds(30)
const renewal = Duration.seconds(10)
const retry = Duration.seconds(1)
/** What must be left of the lease when a mail begins. */
const margin = Duration.seconds(10)

export interface Lease {
  readonly holds: Effect.Effect<boolean>
}

export const hold = Effect.fnUntraced(function* (
  queue: DeliveryQueue["Service"],
  worker: string
): Effect.fn.Return<Lease, never, Scope.Scope> {
  const renewedAt = yield* Ref.make(0n)

  const renew = Effect.gen(function* () {
    const before = yield* Clock.monotonicTimeNanos
    yield* queue.heartbeat(worker, length)
    yield* Ref.set(renewedAt, before)
    return renewal
  }).pipe(Effect.catchDefect((defect) => Effect.as(Effect.logWarning("Lease not renewed", defect), retry)))

  yield* renew
  yield* Effect.forkScoped(
    Effect.forever(Effect.flatMap(Effect.delay(renew, retry), (wait) => Effect.sleep(Duration.subtract(wait, retry))))
  )

  const usable = Duration.toNanosUnsafe(Duration.subtract(length, margin))
  return {
    holds: Effect.gen(function* () {
      return (yield* Clock.monotonicTimeNanos) - (yield* Ref.get(renewedAt)) < usable
    })
  }
})
