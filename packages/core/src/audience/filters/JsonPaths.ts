/** Follows a path in a JSON object. */
import type { JsonPath } from "@posthorn/contract/audience/filters/Condition"
import type { Schema } from "effect"

/** Whether a step can be an array position. In an object the same step is a key. */
export const isPosition = (step: string): boolean => /^(?:0|[1-9]\d{0,8})$/.test(step)

/** Undefined if there is nothing at the path. */
export const valueAt = ({ key, steps }: JsonPath, data: Schema.JsonObject): Schema.Json | undefined =>
  Object.hasOwn(data, key)
    ? data[key]
    : steps.reduce<Schema.Json | undefined>(stepInto, steps.length > 0 ? data : undefined)

const stepInto = (value: Schema.Json | undefined, step: string): Schema.Json | undefined => {
  if (typeof value !== "object" || value === null) return undefined
  if (Array.isArray(value)) return isPosition(step) ? value[Number(step)] : undefined
  return Object.hasOwn(value, step) ? (value as Schema.JsonObject)[step] : undefined
}
