/** Tells this process's sender that there is mail, so that it need not wait for its next look. */
import { Context, Effect, Layer, Queue } from "effect"

export class MailNudge extends Context.Service<
  MailNudge,
  {
    readonly wake: Effect.Effect<void>
    /** Returns when somebody woke it since the last time. */
    readonly woken: Effect.Effect<void>
  }
>()("@posthorn/core/sending/MailNudge") {}

export const layer: Layer.Layer<MailNudge> = Layer.effect(
  MailNudge,
  Effect.gen(function* () {
    const signal = yield* Queue.sliding<void>(1)
    return MailNudge.of({
      wake: Effect.asVoid(Queue.offer(signal, undefined)),
      woken: Effect.orDie(Queue.take(signal))
    })
  })
)
