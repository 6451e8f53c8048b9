/** What comes round for receivers (contract-2 18, 19). */
import { Duration, Effect, Layer } from "effect"
import { PeriodicJobs } from "../jobs/PeriodicJobs.ts"
import { Suppressions } from "../suppression/Suppressions.ts"
import { Intake } from "./Intake.ts"

export const layer: Layer.Layer<never, never, Intake | PeriodicJobs | Suppressions> = Layer.effectDiscard(
  Effect.gen(function* () {
    const { schedule } = yield* PeriodicJobs
    const intake = yield* Intake
    const suppressions = yield* Suppressions
    const sweep = Effect.andThen(intake.sweep, suppressions.sweep)
    yield* Effect.forkScoped(schedule({ name: "parked-notifications", every: Duration.minutes(1) }, intake.retryParked))
    yield* Effect.forkScoped(schedule({ name: "notification-receipts", every: Duration.days(1) }, sweep))
  })
)
