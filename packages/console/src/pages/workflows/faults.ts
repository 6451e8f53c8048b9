/** Faults of a drawing at their steps. */
import type { Fault } from "@posthorn/client/session"
import { type Drawing, placeOf } from "./Drawing.ts"

export interface PlacedFaults {
  readonly errors: ReadonlyArray<Fault>
  readonly warnings: ReadonlyArray<Fault>
}

export interface Faults {
  readonly bySteps: ReadonlyMap<string, PlacedFaults>
  /** What is about no step. */
  readonly rest: PlacedFaults
}

const none: PlacedFaults = { errors: [], warnings: [] }

export const noFaults: Faults = { bySteps: new Map(), rest: none }

/** Fields of faults at a step start at the step. */
export const placed = (
  drawing: Drawing,
  { errors, warnings }: { readonly errors: ReadonlyArray<Fault>; readonly warnings: ReadonlyArray<Fault> }
): Faults => {
  const bySteps = new Map<string, PlacedFaults>()
  let rest = none
  const put = (fault: Fault, kind: "errors" | "warnings") => {
    const [step, field] = placeOf(drawing, fault)
    const before = (step === undefined ? rest : bySteps.get(step)) ?? none
    const after = { ...before, [kind]: [...before[kind], { ...fault, field }] }
    if (step === undefined) rest = after
    else bySteps.set(step, after)
  }
  for (const fault of errors) put(fault, "errors")
  for (const fault of warnings) put(fault, "warnings")
  return { bySteps, rest }
}
