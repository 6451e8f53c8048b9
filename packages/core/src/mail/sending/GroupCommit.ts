/**
 * Group commit. Each begun attempt and each result waits for a durable statement. All marks that arrive while a statement
 * runs share the next one.
 */
import type { EmailId } from "@posthorn/contract/mail/emails/Email"
import { Deferred, Effect, Queue, Schedule, type Scope } from "effect"
import type { AttemptMark, DeliveryQueue, Settlement } from "./DeliveryQueue.ts"

export interface GroupCommit {
  /** True if the begun attempt is stored: only then may the mail be sent. False: the claim was lost. */
  readonly begin: (mark: AttemptMark) => Effect.Effect<boolean>
  /**
   * True if the result is stored. False: it has no consequences, because another worker has the mail or the recipient
   * was erased.
   */
  readonly settle: (settlement: Settlement) => Effect.Effect<boolean>
}

interface Waiting {
  readonly id: EmailId
  readonly begun?: AttemptMark
  readonly settled?: Settlement
  readonly counted: Deferred.Deferred<boolean>
}

/** The most marks in one statement. */
const maxBatch = 500

/** Retries until storage is back, because results of sent mail must be stored. */
const untilBack = Schedule.min([Schedule.exponential("50 millis"), Schedule.spaced("1 second")])

/** Runs until the scope closes. Waiting marks are still written then. */
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
