/** Where a path leads in a JSON object (contract 16.2). */
import type { JsonPath } from "@posthorn/contract/filters/Condition"
import type { Schema } from "effect"

/** A step that addresses a position when it stands before an array; before an object it is a key like any other. */
export const isPosition = (step: string): boolean => /^(?:0|[1-9]\d{0,8})$/.test(step)

/** Undefined where nothing is. */
export const valueAt = ({ key, steps }: JsonPath, data: Schema.JsonObject): Schema.Json | undefined =>
  Object.hasOwn(data, key)
    ? data[key]
    : steps.reduce<Schema.Json | undefined>(stepInto, steps.length > 0 ? data : undefined)

const stepInto = (value: Schema.Json | undefined, step: string): Schema.Json | undefined => {
  if (typeof value !== "object" || value === null) return undefined
  if (Array.isArray(value)) return isPosition(step) ? value[Number(step)] : undefined
  return Object.hasOwn(value, step) ? (value as Schema.JsonObject)[step] : undefined
}
