/**
 * The loop that makes the service react to events.
 *
 * One transaction takes a batch of events from the outbox and runs every reaction on it. If the process dies during it,
 * the events stay in the outbox and no reaction has any effect. A batch that fails is split until the faulty event is
 * alone. That event is set aside and retried alone until it succeeds. Projects take turns.
 */

import { Cause, Context, DateTime, Duration, Effect, Exit, Layer, Option } from "effect"
import type { SqlClient } from "effect/sql"
import { failpoint } from "../platform/Failpoint.ts"
import { runLoop } from "../platform/jobs/Loop.ts"
import { Transaction } from "../platform/Transaction.ts"
import { Wakeups } from "../platform/Wakeups.ts"
import type { EventBatch, EventHandler, EventKey } from "./EventHandler.ts"
import * as EventOutbox from "./EventOutbox.ts"

export interface Options {
  /** The interval between checks of an empty outbox, unless a wake-up comes earlier. */
  readonly poll: Duration.Duration
  /** The delay after a wake-up, so that many events share a transaction. */
  readonly gather: Duration.Duration
  /** The number of events in one transaction. */
  readonly batch: number
}

export const Options = Context.Reference<Options>("@posthorn/core/events/EventDispatcher/Options", {
  defaultValue: () => ({ poll: Duration.seconds(1), gather: Duration.millis(20), batch: 500 })
})

const message = (cause: Cause.Cause<never>): string => String(Cause.squash(cause))

export const layer = <R>(
  reactions: ReadonlyArray<EventHandler<R>>
): Layer.Layer<never, never, R | SqlClient.SqlClient | Transaction | Wakeups> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const outbox = yield* EventOutbox.make
      const transaction = yield* Transaction
      const { events: wakeup } = yield* Wakeups
      const { poll, gather, batch } = yield* Options

      /** Returns why a reaction is unfinished, if it says so. */
      const reactTo = Effect.fnUntraced(function* (batch: EventBatch) {
        let left = Option.none<Cause.Cause<never>>()
        for (const reaction of reactions) {
          yield* reaction.react(batch).pipe(
            Effect.catchTag("Unfinished", ({ cause }) => Effect.sync(() => (left = Option.some(Cause.die(cause))))),
            Effect.withSpan(`EventHandler.${reaction.name}`)
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

      /** Returns the cause of a rollback, or none on success. A stopping process is not a failure. */
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
            const failure = yield* failureOf(Effect.flatMap(outbox.takeAgain(part), (waiting) => react(waiting, now)))
            if (Option.isSome(failure)) yield* takeApart(part, failure.value)
          }
        })

      /** The project after which the next turn starts. */
      let after: EventOutbox.OutboxPlace | undefined
      /** Whether this round through the projects has dispatched anything. */
      let hasWorked = false

      /** Returns whether there may be more events. */
      const dispatch = Effect.gen(function* () {
        const now = yield* DateTime.now
        let taken: ReadonlyArray<EventKey> = []
        let next: EventOutbox.OutboxPlace | undefined
        const failure = yield* failureOf(
          Effect.gen(function* () {
            const { events, next: place } = yield* outbox.take(after, batch)
            taken = events
            next = place
            yield* react(taken, now)
          })
        )
        if (Option.isSome(failure)) {
          // No events were taken, so they did not cause the failure.
          if (taken.length === 0) return yield* Effect.failCause(failure.value)
          yield* takeApart(taken, failure.value)
        }
        hasWorked ||= taken.length > 0
        const isRoundOver = next === undefined
        // The round began after the first project, and has dispatched something since: the first ones may have more.
        const isAgain = isRoundOver && after !== undefined && hasWorked
        if (isRoundOver) hasWorked = false
        after = next
        return !isRoundOver || isAgain
      })

      /** Returns whether an event was due. */
      const repeat = Effect.gen(function* () {
        const now = yield* DateTime.now
        let event: Option.Option<EventOutbox.FailedEvent> = Option.none()
        const failed = (event: EventOutbox.FailedEvent, cause: Cause.Cause<never>) =>
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

      const woken = Effect.andThen(yield* wakeup.listen, Effect.sleep(gather))
      const untilDue = yield* outbox.next
      const untilFailedDue = yield* outbox.nextFailed
      const dispatching = runLoop("Dispatch of events", dispatch, Effect.raceFirst(woken, untilDue(poll)))
      const repeating = runLoop("Dispatch of failed events", repeat, untilFailedDue(poll))
      // One fiber, so that both loops end together. With a single connection one of them may wait for the other's.
      yield* Effect.forkScoped(Effect.all([dispatching, repeating], { concurrency: "unbounded", discard: true }))
    })
  )
