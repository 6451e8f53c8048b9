/** The types of steps, and how each is run. A new type has its line here. */
import type { AddedStepType, StepType } from "@posthorn/contract/automation/workflows/StepType"
import { type DateTime, Effect } from "effect"
import { RunStore } from "../run/RunStore.ts"
import * as Condition from "./Condition.ts"
import * as Delay from "./Delay.ts"
import * as Exit from "./Exit.ts"
import * as SendEmail from "./SendEmail.ts"
import type { RunStep, StepContext } from "./StepType.ts"
import * as UpdateContact from "./UpdateContact.ts"
import * as WaitForEvent from "./WaitForEvent.ts"

const outside: RunStep = (at) => Effect.succeed(at.map(() => ({ _tag: "Outside" })))

export const make = Effect.gen(function* () {
  const registry: { readonly [Type in AddedStepType]: RunStep } = {
    SEND_EMAIL: yield* SendEmail.make,
    DELAY: Delay.run,
    WAIT_FOR_EVENT: WaitForEvent.make(yield* RunStore),
    CONDITION: yield* Condition.make,
    WEBHOOK: outside,
    UPDATE_CONTACT: yield* UpdateContact.make,
    EXIT: Exit.run
  }
  return {
    /** Runs the step for all of them, in the caller's transaction; outcomes are in their order. */
    run: (type: StepType, at: ReadonlyArray<StepContext>, now: DateTime.Utc) =>
      type === "TRIGGER"
        ? Effect.die(new Error("No execution stands at a TRIGGER"))
        : registry[type](at, now).pipe(Effect.withSpan(`Steps.${type}`))
  }
})
