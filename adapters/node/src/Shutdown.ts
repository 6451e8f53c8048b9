/** The shutdown of a process, from the first signal. This layer is built last so that it ends first. */
import { ServiceStatus } from "@posthorn/core/service/ServiceStatus"
import { Effect, Layer } from "effect"

export const layer: Layer.Layer<never, never, ServiceStatus> = Layer.effectDiscard(
  Effect.gen(function* () {
    const { drain } = yield* ServiceStatus
    yield* Effect.addFinalizer(() =>
      Effect.andThen(Effect.logInfo("Stopping: no new requests are accepted, running ones finish"), drain)
    )
  })
)
