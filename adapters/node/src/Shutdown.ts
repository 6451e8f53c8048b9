/** The shutdown of a process, from the first signal. This layer is built last so that it ends first. */
import { Live } from "@posthorn/core/insight/live/Live"
import { ServiceStatus } from "@posthorn/core/service/ServiceStatus"
import { Effect, Layer } from "effect"

export const layer: Layer.Layer<never, never, Live | ServiceStatus> = Layer.effectDiscard(
  Effect.gen(function* () {
    const { drain } = yield* ServiceStatus
    const { end } = yield* Live
    yield* Effect.addFinalizer(() =>
      Effect.andThen(
        Effect.logInfo("Stopping: no new requests are accepted, running ones finish"),
        // Streams would run for minutes. Their clients connect to another process.
        Effect.andThen(drain, end)
      )
    )
  })
)
