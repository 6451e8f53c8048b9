/** The names of the types of steps. */
import { Schema, Struct } from "effect"
import { stepTypes } from "./StepConfig.ts"

/** The types that callers add. The TRIGGER is created with its workflow. */
export const AddedStepType = Schema.Literals(Struct.keys(stepTypes))
export type AddedStepType = typeof AddedStepType.Type

export const StepType = Schema.Literals(["TRIGGER", ...AddedStepType.literals])
export type StepType = typeof StepType.Type
