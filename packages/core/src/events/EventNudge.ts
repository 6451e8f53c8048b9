/** Tells this process's dispatcher that there are events. Losing one costs a second. */
import { Context, Effect, Layer, Queue } from "effect"

export class EventNudge extends Context.Service<
  EventNudge,
  {
    readonly wake: Effect.Effect<void>
    /** Returns when somebody woke it since the last time. */
    readonly woken: Effect.Effect<void>
  }
>()("@posthorn/core/events/EventNudge") {}

export const layer: Layer.Layer<EventNudge> = Layer.effect(
  EventNudge,
  Effect.gen(function* () {
    const signal = yield* Queue.sliding<void>(1)
    return EventNudge.of({
      wake: Effect.asVoid(Queue.offer(signal, undefined)),
      woken: Effect.orDie(Queue.take(signal))
    })
  })
)
