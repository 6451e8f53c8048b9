/** When retention comes round: daily at 03:00 UTC (contract-2 18). */
import { DateTime, Duration, Effect, Layer } from "effect"
import { PeriodicJobs } from "../jobs/PeriodicJobs.ts"
import { Retention } from "./Retention.ts"

/** The first 03:00 UTC after it. */
export const nextNight = (begun: DateTime.Utc): DateTime.Utc => {
  const tonight = DateTime.add(DateTime.startOf(begun, "day"), { hours: 3 })
  return DateTime.isGreaterThan(tonight, begun) ? tonight : DateTime.add(tonight, { days: 1 })
}

export const layer: Layer.Layer<never, never, PeriodicJobs | Retention> = Layer.effectDiscard(
  Effect.gen(function* () {
    const { schedule } = yield* PeriodicJobs
    const { run } = yield* Retention
    yield* Effect.forkScoped(schedule({ name: "retention", every: Duration.days(1), next: nextNight }, run))
  })
)
