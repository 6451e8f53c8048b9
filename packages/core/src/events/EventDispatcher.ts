/**
 * The loop that has the service react to events (contract-2 3.5).
 *
 * One transaction takes a batch of events out of the outbox and lets every reaction work on it: a process that dies in it
 * leaves the events where they were, and nothing has happened. A batch that fails is split until the faulty event stands
 * alone; that one is set aside and repeated by itself for as long as it takes. Projects take turns.
 */
import type { ProjectId } from "@posthorn/contract/Auth"
import { Cause, Context, DateTime, Duration, Effect, Exit, Layer, Option } from "effect"
import { failpoint } from "../sending/Failpoint.ts"
import { Transaction } from "../Transaction.ts"
import { EventNudge } from "./EventNudge.ts"
import { EventOutbox, type FailedEvent } from "./EventOutbox.ts"
import type { EventBatch, EventKey, Reaction } from "./Reaction.ts"

export interface Options {
  /** Between two looks where there was nothing to do, and nobody nudges. */
  readonly poll: Duration.Duration
  /** After a nudge, so that many events at once share a transaction. */
  readonly gather: Duration.Duration
  /** Events of one transaction. */
  readonly batch: number
}

export const Options = Context.Reference<Options>("@posthorn/core/events/EventDispatcher/Options", {
  defaultValue: () => ({ poll: Duration.seconds(1), gather: Duration.millis(20), batch: 500 })
})

const message = (cause: Cause.Cause<never>): string => String(Cause.squash(cause))

export const layer = <R>(
  reactions: ReadonlyArray<Reaction<R>>
): Layer.Layer<never, never, EventNudge | EventOutbox | R | Transaction> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const outbox = yield* EventOutbox
      const transaction = yield* Transaction
      const nudge = yield* EventNudge
      const { poll, gather, batch } = yield* Options

      /** Why there is something left of it, where a reaction says so. */
      const reactTo = Effect.fnUntraced(function* (batch: EventBatch) {
        let left = Option.none<Cause.Cause<never>>()
        for (const reaction of reactions) {
          yield* reaction.react(batch).pipe(
            Effect.catchTag("Unfinished", ({ cause }) => Effect.sync(() => (left = Option.some(Cause.die(cause))))),
            Effect.withSpan(`Reaction.${reaction.name}`)
          )
        }
        yield* failpoint("after_reactions")
        return left
      })

      /** All or nothing. */
      const react = Effect.fnUntraced(function* (events: ReadonlyArray<EventKey>, now: DateTime.Utc) {
        if (events.length === 0) return
        const left = yield* reactTo({ events, now, isRepeat: false })
        if (Option.isSome(left)) yield* Effect.failCause(left.value)
      })

      /** Why it was undone; none when it was done. A process that stops is no failure. */
      const failureOf = (effect: Effect.Effect<void, never, R>) =>
        Effect.flatMap(
          Effect.exit(transaction.run(effect)),
          (exit): Effect.Effect<Option.Option<Cause.Cause<never>>> =>
            Exit.isSuccess(exit)
              ? Effect.succeedNone
              : Cause.hasInterrupts(exit.cause)
                ? Effect.failCause(exit.cause)
                : Effect.succeedSome(exit.cause)
        )

      const takeApart = (events: ReadonlyArray<EventKey>, cause: Cause.Cause<never>): Effect.Effect<void, never, R> =>
        Effect.gen(function* () {
          const now = yield* DateTime.now
          const [first] = events
          if (first === undefined) return
          if (events.length === 1) {
            yield* outbox.setAside(first, message(cause), now)
            return yield* Effect.logError("An event could not be dispatched; it will be repeated", cause).pipe(
              Effect.annotateLogs({ projectId: first.project, eventId: first.id })
            )
          }
          const middle = Math.ceil(events.length / 2)
          for (const part of [events.slice(0, middle), events.slice(middle)]) {
            const failure = yield* failureOf(
              Effect.flatMap(outbox.takeAgain(part, now), (waiting) => react(waiting, now))
            )
            if (Option.isSome(failure)) yield* takeApart(part, failure.value)
          }
        })

      /** The last project that had its turn. */
      let after: ProjectId | undefined

      /** Whether there may be more. */
      const dispatch = Effect.gen(function* () {
        const now = yield* DateTime.now
        let taken: ReadonlyArray<EventKey> = []
        const failure = yield* failureOf(
          Effect.gen(function* () {
            taken = Option.getOrElse(yield* outbox.take(after, batch, now), () => [])
            yield* react(taken, now)
          })
        )
        if (Option.isSome(failure)) {
          // Nothing was taken: it is not the events that failed.
          if (taken.length === 0) return yield* Effect.failCause(failure.value)
          yield* takeApart(taken, failure.value)
        }
        const wasLate = after !== undefined
        after = taken.length < batch ? undefined : taken.at(-1)?.project
        return wasLate || after !== undefined
      })

      /** Whether one was due. */
      const repeat = Effect.gen(function* () {
        const now = yield* DateTime.now
        let event: Option.Option<FailedEvent> = Option.none()
        const failed = (event: FailedEvent, cause: Cause.Cause<never>) =>
          Effect.andThen(
            outbox.failAgain(event, message(cause), now),
            Effect.logError("An event could not be dispatched again", cause).pipe(
              Effect.annotateLogs({ projectId: event.project, eventId: event.id })
            )
          )
        const failure = yield* failureOf(
          Effect.gen(function* () {
            event = yield* outbox.takeFailed(now)
            if (Option.isNone(event)) return
            const left = yield* reactTo({ events: [event.value], now, isRepeat: true })
            yield* Option.isSome(left) ? failed(event.value, left.value) : outbox.settle(event.value)
          })
        )
        if (Option.isNone(event)) return Option.isNone(failure) ? false : yield* Effect.failCause(failure.value)
        if (Option.isSome(failure)) yield* failed(event.value, failure.value)
        return true
      })

      /** Whatever happens to a step, the loop goes on. */
      const loop = (step: Effect.Effect<boolean, never, R>, rest: Effect.Effect<void>) =>
        step.pipe(
          Effect.flatMap((hasMore) => (hasMore ? Effect.yieldNow : rest)),
          Effect.catchDefect((defect) =>
            Effect.andThen(Effect.logError("Events cannot be dispatched", defect), Effect.sleep("1 second"))
          ),
          Effect.forever
        )

      const nudged = Effect.andThen(yield* nudge.listen, Effect.sleep(gather))
      const dispatching = loop(dispatch, Effect.raceFirst(nudged, Effect.sleep(poll)))
      const repeating = loop(repeat, Effect.sleep(poll))
      // One fiber, so that they end together: where there is but one connection, one may be waiting for the other's.
      yield* Effect.forkScoped(Effect.all([dispatching, repeating], { concurrency: "unbounded", discard: true }))
    })
  )
