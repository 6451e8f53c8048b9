/**
 * Group commit: every attempt that begins and every mail that settles waits for one durable statement, and everything
 * that came in while the last one ran shares the next. So a mark costs a share of a commit, and none is ever assumed.
 */
import type { EmailId } from "@posthorn/contract/mail/emails/Email"
import { Deferred, Effect, Queue, Schedule, type Scope } from "effect"
import type { AttemptMark, DeliveryQueue, Settlement } from "./DeliveryQueue.ts"

export interface GroupCommit {
  /** True when the begin is on record: only then may the mail be sent. False: the claim was lost. */
  readonly begin: (mark: AttemptMark) => Effect.Effect<boolean>
  /**
   * True when the result is on record. False: nothing follows from it, as the claim was lost and somebody else's word
   * counts, or the recipient was erased.
   */
  readonly settle: (settlement: Settlement) => Effect.Effect<boolean>
}

interface Waiting {
  readonly id: EmailId
  readonly begun?: AttemptMark
  readonly settled?: Settlement
  readonly counted: Deferred.Deferred<boolean>
}

/** Marks that share one statement at most. */
const maxBatch = 500

/** Storage that is away is asked again until it is back: what was sent must get on record. */
const untilBack = Schedule.min([Schedule.exponential("50 millis"), Schedule.spaced("1 second")])

/** Runs until the scope closes; what waits then is still written. */
export const make = Effect.fnUntraced(function* (
  queue: DeliveryQueue["Service"],
  worker: string
): Effect.fn.Return<GroupCommit, never, Scope.Scope> {
  const inbox = yield* Queue.unbounded<Waiting>()

  const write = (batch: ReadonlyArray<Waiting>) =>
    queue
      .mark(
        worker,
        batch.flatMap(({ begun }) => begun ?? []),
        batch.flatMap(({ settled }) => settled ?? [])
      )
      .pipe(
        Effect.tapDefect((defect) => Effect.logError("Delivery results cannot be recorded yet", defect)),
        Effect.catchDefect(Effect.fail),
        Effect.retry(untilBack),
        Effect.orDie
      )

  const flush = Effect.gen(function* () {
    const batch = yield* Queue.takeBetween(inbox, 1, maxBatch)
    const counted = yield* write(batch)
    for (const waiting of batch) yield* Deferred.succeed(waiting.counted, counted.has(waiting.id))
  })
  yield* Effect.forkScoped(Effect.forever(flush))

  const wait = Effect.fnUntraced(function* (waiting: Omit<Waiting, "counted">) {
    const counted = yield* Deferred.make<boolean>()
    yield* Queue.offer(inbox, { ...waiting, counted })
    return yield* Deferred.await(counted)
  })

  return {
    begin: (mark) => wait({ id: mark.id, begun: mark }),
    settle: (settlement) => wait({ id: settlement.id, settled: settlement })
  }
})
