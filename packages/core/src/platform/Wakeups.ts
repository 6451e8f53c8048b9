/** Wakes loops that rest. A lost wake-up only delays the loop until `jobs/Agenda.ts` finds its work. */
import { Context, Effect, Layer, Queue, type Scope } from "effect"

/** What a loop waits for. `limits`: what mailbox providers take has changed. */
export type WakeupTopic = "campaigns" | "events" | "executions" | "limits" | "mail" | "webhooks"

/** Carries wake-ups to the other processes on this database. Without a carrier, those processes find the work by themselves. */
export const WakeupTransport = Context.Reference<{
  readonly send: (topic: WakeupTopic) => Effect.Effect<void>
  /** Runs `wake` whenever another process sends the topic, until the scope closes. */
  readonly onReceived: (topic: WakeupTopic, wake: Effect.Effect<void>) => Effect.Effect<void, never, Scope.Scope>
}>("@posthorn/core/platform/Wakeups/WakeupTransport", {
  defaultValue: () => ({ send: () => Effect.void, onReceived: () => Effect.void })
})

export interface Wakeup {
  /** Wakes the loops of this process that listen to the topic. If there are none, wakes those of other processes. */
  readonly wake: Effect.Effect<void>
  /** Wakes all loops that listen to the topic, in all processes. */
  readonly wakeAll: Effect.Effect<void>
  /** Listens until the scope closes. The inner effect returns once `wake` has run since its last return. */
  readonly listen: Effect.Effect<Effect.Effect<void>, never, Scope.Scope>
}

/** One wake-up for each topic. A service: the loops and their callers share the same wake-ups. */
export class Wakeups extends Context.Service<Wakeups, { readonly [topic in WakeupTopic]: Wakeup }>()(
  "@posthorn/core/platform/Wakeups"
) {}

const make = Effect.fnUntraced(function* (topic: WakeupTopic) {
  const transport = yield* WakeupTransport
  const listeners = new Set<Effect.Effect<void>>()
  const listen = Effect.gen(function* () {
    const signal = yield* Queue.sliding<void>(1)
    const wake = Effect.asVoid(Queue.offer(signal, undefined))
    yield* Effect.acquireRelease(
      Effect.sync(() => listeners.add(wake)),
      () => Effect.sync(() => listeners.delete(wake))
    )
    yield* transport.onReceived(topic, wake)
    return Effect.orDie(Queue.take(signal))
  })
  const wakeThese = Effect.suspend(() => Effect.forEach([...listeners], (wake) => wake, { discard: true }))
  const wake = Effect.suspend(() => (listeners.size > 0 ? wakeThese : transport.send(topic)))
  return { wake, wakeAll: Effect.andThen(wakeThese, transport.send(topic)), listen }
})

export const layer: Layer.Layer<Wakeups> = Layer.effect(
  Wakeups,
  Effect.map(
    Effect.all({
      campaigns: make("campaigns"),
      events: make("events"),
      executions: make("executions"),
      limits: make("limits"),
      mail: make("mail"),
      webhooks: make("webhooks")
    }),
    Wakeups.of
  )
)
