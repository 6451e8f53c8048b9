import { defaultExitReason, ExitConfig } from "@posthorn/contract/automation/workflows/StepConfig"
import { Effect, Schema } from "effect"
import type { RunStep } from "./StepType.ts"

const readConfig = Schema.decodeUnknownSync(ExitConfig)

export const run: RunStep = (at) =>
  Effect.sync(() =>
    at.map(({ step }) => ({ _tag: "Exit", reason: readConfig(step.config).reason ?? defaultExitReason }))
  )
