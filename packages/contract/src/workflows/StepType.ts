/** The kinds of steps (contract-2 2.1). */
import { Schema } from "effect"

/** Those that callers add; the TRIGGER is made with its workflow. */
export const AddedStepType = Schema.Literals([
  "SEND_EMAIL",
  "DELAY",
  "WAIT_FOR_EVENT",
  "CONDITION",
  "WEBHOOK",
  "UPDATE_CONTACT",
  "EXIT"
])
export type AddedStepType = typeof AddedStepType.Type

export const StepType = Schema.Literals(["TRIGGER", ...AddedStepType.literals])
export type StepType = typeof StepType.Type
