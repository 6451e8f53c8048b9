/** Wakes loops that rest between two looks. One that is lost costs what is left of the rest, and nothing else. */
import { Context, Effect, Queue, type Scope } from "effect"

/** Takes nudges to the other processes on this database, where a host has a way; without one they look by themselves. */
export const NudgeCarrier = Context.Reference<{
  readonly tell: (topic: string) => Effect.Effect<void>
  /** Runs the effect whenever another process tells of the topic, until the scope closes. */
  readonly onTold: (topic: string, wake: Effect.Effect<void>) => Effect.Effect<void, never, Scope.Scope>
}>("@posthorn/core/NudgeCarrier", {
  defaultValue: () => ({ tell: () => Effect.void, onTold: () => Effect.void })
})

export interface Nudge {
  /** Wakes all who listen in this process; where nobody does, those of other processes. */
  readonly wake: Effect.Effect<void>
  /** Listens until the scope closes; what it gives returns when somebody woke since the last time. */
  readonly listen: Effect.Effect<Effect.Effect<void>, never, Scope.Scope>
}

export const make = (topic: string): Effect.Effect<Nudge> =>
  Effect.gen(function* () {
    const carrier = yield* NudgeCarrier
    const listeners = new Set<Effect.Effect<void>>()
    const listen = Effect.gen(function* () {
      const signal = yield* Queue.sliding<void>(1)
      const wake = Effect.asVoid(Queue.offer(signal, undefined))
      yield* Effect.acquireRelease(
        Effect.sync(() => listeners.add(wake)),
        () => Effect.sync(() => listeners.delete(wake))
      )
      yield* carrier.onTold(topic, wake)
      return Effect.orDie(Queue.take(signal))
    })
    const wake = Effect.suspend(() =>
      listeners.size > 0 ? Effect.forEach([...listeners], (wake) => wake, { discard: true }) : carrier.tell(topic)
    )
    return { wake, listen }
  })
