/** Tells this process's runner that executions have become due. Losing one costs a second. */
import { Context, Effect, Layer, PubSub } from "effect"

export class RunNudge extends Context.Service<
  RunNudge,
  {
    readonly wake: Effect.Effect<void>
    readonly nudges: PubSub.PubSub<void>
  }
>()("@posthorn/core/workflows/run/RunNudge") {}

export const layer: Layer.Layer<RunNudge> = Layer.effect(
  RunNudge,
  Effect.map(PubSub.sliding<void>(1), (nudges) =>
    RunNudge.of({ nudges, wake: Effect.asVoid(PubSub.publish(nudges, undefined)) })
  )
)
