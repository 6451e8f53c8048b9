/** Goes on within a window of the day, or waits until it opens. The opening is computed when the visit begins. */
import { TimeWindowConfig } from "@posthorn/contract/automation/workflows/TimingConfig"
import { DateTime, Effect, Schema } from "effect"
import type { Projects } from "../../../accounts/projects/Projects.ts"
import { isOpen, nextOpening } from "../../../platform/WallClock.ts"
import { restUntil, type StepDefinition, type StepInput, type StepOutcome } from "./StepDefinition.ts"
import * as StepZone from "./StepZone.ts"

const readConfig = Schema.decodeUnknownSync(TimeWindowConfig)

const opening = ({ step }: StepInput, zone: DateTime.TimeZone, now: number): number | undefined => {
  const hours = readConfig(step.config)
  return isOpen(hours, now, zone) ? undefined : nextOpening(hours, now, zone)
}

const outcome = (until: DateTime.Utc | null, now: DateTime.Utc): StepOutcome => {
  if (until === null) return { _tag: "Done", output: {} }
  if (until.epochMilliseconds <= now.epochMilliseconds) {
    return { _tag: "Done", output: { until: DateTime.formatIso(until) } }
  }
  return restUntil(until)
}

export const timeWindow: StepDefinition<Projects, never> = {
  run: Effect.map(StepZone.make, (zoneOf) =>
    Effect.fnUntraced(function* (inputs, now) {
      return yield* Effect.forEach(inputs, (input) => {
        if (input.visit !== null) return Effect.succeed(outcome(input.visit.scheduledFor, now))
        return Effect.map(zoneOf(input, (input.step.config as TimeWindowConfig).timezone), (zone) => {
          const until = opening(input, zone, now.epochMilliseconds)
          return outcome(until === undefined ? null : DateTime.makeUnsafe(until), now)
        })
      })
    })
  )
}
