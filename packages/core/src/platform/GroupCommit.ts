/**
 * Group commit. Each item waits for a durable statement. All items that arrive while a statement runs share the next
 * one. While storage is away, items wait in memory.
 */
import { Deferred, Effect, Queue, type Scope } from "effect"
import { retryDefects } from "./Backoff.ts"

export interface Options<Item, Answer> {
  /** Writes the items in one statement or transaction, and returns the answer for each of them. */
  readonly write: (items: ReadonlyArray<Item>) => Effect.Effect<(item: Item) => Answer>
  /** The message in the log when a write fails. The write is repeated until it succeeds. */
  readonly failed: string
  /** Writes at a time. */
  readonly writers?: number
  /** The most items that wait for a write. Without it there is no limit. More get the answer `refuse`. */
  readonly limit?: { readonly waiting: number; readonly refuse: Effect.Effect<Answer> }
}

/** The most items in one write. */
const maxBatch = 500

/**
 * Returns the effect that writes an item and answers once it is stored. Items are written until the scope closes; then
 * those that wait are interrupted.
 */
export const make = Effect.fnUntraced(function* <Item, Answer>({
  write,
  failed,
  writers = 1,
  limit
}: Options<Item, Answer>): Effect.fn.Return<(item: Item) => Effect.Effect<Answer>, never, Scope.Scope> {
  interface Waiting {
    readonly item: Item
    readonly answer: Deferred.Deferred<Answer>
  }
  const inbox = yield* limit === undefined ? Queue.unbounded<Waiting>() : Queue.dropping<Waiting>(limit.waiting)

  const unanswered = new Set<Deferred.Deferred<Answer>>()
  let isClosed = false
  yield* Effect.addFinalizer(() => {
    isClosed = true
    return Effect.forEach(unanswered, Deferred.interrupt, { discard: true })
  })

  const flush = Effect.gen(function* () {
    const batch = yield* Queue.takeBetween(inbox, 1, maxBatch)
    const answerOf = yield* write(batch.map(({ item }) => item)).pipe(
      Effect.tapDefect((defect) => Effect.logError(failed, defect)),
      retryDefects
    )
    for (const { item, answer } of batch) yield* Deferred.succeed(answer, answerOf(item))
  })
  yield* Effect.replicateEffect(Effect.forkScoped(Effect.forever(flush)), writers, { discard: true })

  return Effect.fnUntraced(function* (item) {
    if (isClosed) return yield* Effect.interrupt
    const answer = yield* Deferred.make<Answer>()
    unanswered.add(answer)
    const isTaken = yield* Queue.offer(inbox, { item, answer })
    const answered = isTaken || limit === undefined ? Deferred.await(answer) : limit.refuse
    return yield* Effect.ensuring(
      answered,
      Effect.sync(() => unanswered.delete(answer))
    )
  })
})
