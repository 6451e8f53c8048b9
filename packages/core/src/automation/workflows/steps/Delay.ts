import { DelayConfig, delaySeconds } from "@posthorn/contract/automation/workflows/StepConfig"
import { DateTime, Effect, Schema } from "effect"
import type { Outcome, RunStep, StepContext } from "./StepType.ts"

const readConfig = Schema.decodeUnknownSync(DelayConfig)

/** The instant is stored when the delay begins, and never computed again. */
const outcome = ({ step, visit }: StepContext, now: DateTime.Utc): Outcome => {
  const until = visit?.scheduledFor ?? DateTime.add(now, { seconds: delaySeconds(readConfig(step.config)) })
  if (visit !== null && until.epochMilliseconds <= now.epochMilliseconds) {
    return { _tag: "Done", output: { until: DateTime.formatIso(until) } }
  }
  return { _tag: "Rest", status: "SCHEDULED", until, lookAt: until, event: null }
}

export const run: RunStep = (at, now) => Effect.sync(() => at.map((visitor) => outcome(visitor, now)))
