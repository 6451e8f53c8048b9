/** Evaluates a test of a JSON value in memory. */
import { compareCodePoints } from "@posthorn/contract/audience/filters/CodePoints"
import type { Bound, Comparison, JsonMatch, ValueTest } from "@posthorn/contract/audience/filters/Condition"
import { isoDate } from "@posthorn/contract/audience/filters/IsoDate"
import type { Schema } from "effect"
import { valueAt } from "./JsonPaths.ts"
import { isInPeriod } from "./Periods.ts"

export const jsonHolds = ({ path, match, negated }: ValueTest, data: Schema.JsonObject, now: number): boolean => {
  const value = valueAt(path, data) ?? null
  return negated ? value !== null && !matches(match, value, now) : matches(match, value, now)
}

const matches = (match: JsonMatch, value: Schema.Json, now: number): boolean => {
  switch (match._tag) {
    case "Present":
      return value !== null
    case "Missing":
      return value === null
    case "OneOf":
      return (
        match.values.some((each) => isEqualJson(each, value)) ||
        match.periods.some((period) => isDateIn(value, (instant) => isInPeriod(period, instant, now)))
      )
    case "Contains":
      return isText(value)
        ? value.includes(match.text)
        : Array.isArray(value) && value.some((element) => element === match.element)
    case "StartsWith":
      return isText(value) && value.startsWith(match.text)
    case "EndsWith":
      return isText(value) && value.endsWith(match.text)
    case "Numbers":
      return typeof value === "number" && match.bounds.every((bound) => isWithin(value - bound.value, bound))
    case "Texts":
      return isText(value) && match.bounds.every((bound) => isWithin(compareCodePoints(value, bound.value), bound))
    case "Dates":
      return isDateIn(value, (instant) => isInPeriod(match.period, instant, now))
  }
}

const isText = (value: Schema.Json): value is string => typeof value === "string"

const isDateIn = (value: Schema.Json, holds: (instant: number) => boolean): boolean => {
  const date = isText(value) ? isoDate(value) : undefined
  return date !== undefined && holds(date.start)
}

const signs: { readonly [Is in Comparison]: (difference: number) => boolean } = {
  ">": (difference) => difference > 0,
  ">=": (difference) => difference >= 0,
  "<": (difference) => difference < 0,
  "<=": (difference) => difference <= 0
}

const isWithin = (difference: number, { is }: Bound<unknown>): boolean => signs[is](difference)

/** Whether both have the same type and are deeply equal. The order of keys does not matter. */
const isEqualJson = (one: Schema.Json, other: Schema.Json): boolean => {
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return one === other
  const [keys, others] = [Object.keys(one), Object.keys(other)]
  return (
    Array.isArray(one) === Array.isArray(other) &&
    keys.length === others.length &&
    keys.every((key) => Object.hasOwn(other, key) && isEqualJson(entry(one, key), entry(other, key)))
  )
}

const entry = (value: object, key: string): Schema.Json => (value as Schema.JsonObject)[key] ?? null
