/** The end of a process, from the first signal on. Built last, so that it is the first thing to happen. */
import { ServiceStatus } from "@posthorn/core/service/ServiceStatus"
import { Effect, Layer } from "effect"

export const layer: Layer.Layer<never, never, ServiceStatus> = Layer.effectDiscard(
  Effect.gen(function* () {
    const { drain } = yield* ServiceStatus
    yield* Effect.addFinalizer(() =>
      Effect.andThen(Effect.logInfo("Stopping: nothing new is taken, what runs is finished"), drain)
    )
  })
)
