/** What a step names: asked before a segment, field or event is deleted. Pure. */
import { parseCondition, type StepCondition } from "@posthorn/contract/automation/workflows/ConditionConfig"
import type { UpdateContactConfig } from "@posthorn/contract/automation/workflows/StepConfig"
import { Array, Predicate, Result, type Schema } from "effect"
import { reservedKeys } from "../../../audience/contacts/DataChange.ts"
import { dependenciesOf } from "../../../audience/filters/Dependencies.ts"
import { dataName, eventName } from "../../../events/ChangeNotes.ts"
import type { GraphStep } from "./Graph.ts"

export interface StepLinks {
  /** Segments. */
  readonly refersTo: ReadonlyArray<string>
  /** As in `ChangeNotes.ts`. */
  readonly looksAt: ReadonlyArray<string>
}

const conditionsOf = (step: StepCondition) =>
  step._tag === "Binary" ? [step.condition] : step.branches.map(({ condition }) => condition)

export const linksOf = ({ type, config }: Pick<GraphStep, "type" | "config">): StepLinks => {
  switch (type) {
    case "CONDITION": {
      const conditions = Result.match(parseCondition(config), { onSuccess: conditionsOf, onFailure: () => [] })
      const names = conditions.flatMap((condition) => [...dependenciesOf(condition).names])
      return { refersTo: segmentRefs(config).map(({ segment }) => segment), looksAt: Array.dedupe(names) }
    }
    case "WAIT_FOR_EVENT":
      return { refersTo: [], looksAt: [eventName(String(config["eventName"]))] }
    case "UPDATE_CONTACT": {
      const keys = Object.keys((config as UpdateContactConfig).updates ?? {})
      return { refersTo: [], looksAt: keys.filter((key) => !reservedKeys.has(key)).map(dataName) }
    }
    default:
      return { refersTo: [], looksAt: [] }
  }
}

const segmentField = /^segment\.([0-9a-f-]{36})$/i

/** Every filter of a CONDITION that asks about membership, and where it names the segment. */
export const segmentRefs = (
  value: Schema.Json,
  field = "config"
): ReadonlyArray<{ readonly field: string; readonly segment: string }> => {
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([key, nested]) => {
    const segment = key === "field" && Predicate.isString(nested) ? segmentField.exec(nested)?.[1] : undefined
    return segment === undefined
      ? segmentRefs(nested, `${field}.${key}`)
      : [{ field: `${field}.${key}`, segment: segment.toLowerCase() }]
  })
}
