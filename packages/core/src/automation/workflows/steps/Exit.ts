import { defaultExitReason, ExitConfig } from "@posthorn/contract/automation/workflows/StepConfig"
import { Effect, Schema } from "effect"
import type { StepDefinition } from "./StepDefinition.ts"

const readConfig = Schema.decodeUnknownSync(ExitConfig)

export const exit: StepDefinition<never, never> = {
  run: Effect.succeed((inputs) =>
    Effect.sync(() =>
      inputs.map(({ step }) => ({ _tag: "Exit", reason: readConfig(step.config).reason ?? defaultExitReason }))
    )
  )
}
