/** Types of workflow steps. */
import { Schema } from "effect"

/** The types that callers add. The TRIGGER is created with its workflow. */
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
