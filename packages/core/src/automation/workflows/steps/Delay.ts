import { DelayConfig, delaySeconds } from "@posthorn/contract/automation/workflows/StepConfig"
import { DateTime, Effect, Schema } from "effect"
import type { StepDefinition, StepInput, StepOutcome } from "./StepDefinition.ts"

const readConfig = Schema.decodeUnknownSync(DelayConfig)

/** The end is computed and stored when the delay begins. */
const outcome = ({ step, visit }: StepInput, now: DateTime.Utc): StepOutcome => {
  const until = visit?.scheduledFor ?? DateTime.add(now, { seconds: delaySeconds(readConfig(step.config)) })
  if (visit !== null && until.epochMilliseconds <= now.epochMilliseconds) {
    return { _tag: "Done", output: { until: DateTime.formatIso(until) } }
  }
  return { _tag: "Rest", status: "SCHEDULED", until, lookAt: until, event: null }
}

export const delay: StepDefinition<never, never> = {
  takesTime: true,
  run: Effect.succeed((inputs, now) => Effect.sync(() => inputs.map((input) => outcome(input, now))))
}
