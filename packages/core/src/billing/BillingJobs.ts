/** What comes round for billing (contract-2 18). */
import { Duration, Effect, Layer } from "effect"
import { PeriodicJobs } from "../jobs/PeriodicJobs.ts"
import { Meter } from "./Meter.ts"
import { Warnings } from "./Warnings.ts"

export const layer: Layer.Layer<never, never, Meter | PeriodicJobs | Warnings> = Layer.effectDiscard(
  Effect.gen(function* () {
    const { schedule } = yield* PeriodicJobs
    const meter = yield* Meter
    const warnings = yield* Warnings
    yield* Effect.forkScoped(schedule({ name: "billing-meter", every: Duration.minutes(1) }, meter.drain))
    yield* Effect.forkScoped(schedule({ name: "billing-warnings", every: Duration.minutes(15) }, warnings.send))
  })
)
