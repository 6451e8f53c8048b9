/** Tells this process's sender of webhooks that there is something to deliver. Losing one costs a second. */
import { Context, Effect, Layer, Queue } from "effect"

export class WebhookNudge extends Context.Service<
  WebhookNudge,
  {
    readonly wake: Effect.Effect<void>
    /** Returns when somebody woke it since the last time. */
    readonly woken: Effect.Effect<void>
  }
>()("@posthorn/core/webhooks/WebhookNudge") {}

export const layer: Layer.Layer<WebhookNudge> = Layer.effect(
  WebhookNudge,
  Effect.gen(function* () {
    const signal = yield* Queue.sliding<void>(1)
    return WebhookNudge.of({
      wake: Effect.asVoid(Queue.offer(signal, undefined)),
      woken: Effect.orDie(Queue.take(signal))
    })
  })
)
