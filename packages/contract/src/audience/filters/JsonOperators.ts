/** Readers of the operators on custom data and on the variables of an execution. */
import type { Schema } from "effect"
import { compareCodePoints } from "./CodePoints.ts"
import type { Bound, Comparison, JsonMatch, JsonPath, ValueTest } from "./Condition.ts"
import { compared, type Order, on, spanning } from "./Dates.ts"
import type { FaultReport } from "./FilterFaults.ts"
import {
  type Given,
  isText,
  lowAboveHigh,
  type Readers,
  readComparable,
  readJson,
  readList,
  readPair,
  readScalar,
  readText
} from "./FilterValues.ts"
import { isoDate } from "./IsoDate.ts"
import { isNegation, type OperatorOf } from "./Operators.ts"
import { readPeriod } from "./Spans.ts"

type JsonReaders = Readers<"json", JsonMatch>

/** ISO date text means the day or the instant, any other value itself. */
const oneOf = (values: ReadonlyArray<Schema.Json>): JsonMatch => {
  const dates = values.map((value) => (isText(value) ? isoDate(value) : undefined))
  return {
    _tag: "OneOf",
    values: values.filter((_, n) => dates[n] === undefined),
    periods: dates.filter((date) => date !== undefined).map(on)
  }
}

const equals: JsonReaders["equals"] = ({ value }, report) => {
  const json = readJson(value, report.at("value"))
  if (json === undefined) return undefined
  return json === null ? { _tag: "Missing" } : oneOf([json])
}

const within: JsonReaders["in"] = ({ value }, report) => {
  const entries = readList(value, readScalar, report.at("value"))
  return entries && oneOf(entries)
}

const contains: JsonReaders["contains"] = ({ value }, report) => {
  const element = readScalar(value, report.at("value"))
  return element === undefined ? undefined : { _tag: "Contains", text: String(element), element }
}

const edge =
  (_tag: "StartsWith" | "EndsWith"): JsonReaders["startsWith"] =>
  ({ value }, report) => {
    const text = readText(value, report.at("value"))
    return text === undefined ? undefined : { _tag, text }
  }

const comparison =
  (order: Order, is: Comparison): JsonReaders["equals"] =>
  ({ value }, report) => {
    const than = readComparable(value, report.at("value"))
    if (than === undefined) return undefined
    if (!isText(than)) return { _tag: "Numbers", bounds: [{ is, value: than }] }
    const date = isoDate(than)
    return date ? { _tag: "Dates", period: compared(order, date) } : { _tag: "Texts", bounds: [{ is, value: than }] }
  }

const dates =
  (_tag: "Within" | "OlderThan"): JsonReaders["within"] =>
  (given, report) => {
    const period = readPeriod(_tag)(given, report)
    return period && { _tag: "Dates", period }
  }

type Ends = readonly [string | number, string | number]

const bounds = <Value>(low: Value, high: Value): ReadonlyArray<Bound<Value>> => [
  { is: ">=", value: low },
  { is: "<=", value: high }
]

/** Both ends are numbers, ISO dates or other texts. A mixture has no order. */
const range = ([low, high]: Ends, report: FaultReport): JsonMatch | undefined => {
  const mixed = () => report.add("custom", "Both ends must be numbers, both dates, or both other texts.")
  if (!isText(low) || !isText(high)) {
    if (isText(low) || isText(high)) return mixed()
    return low <= high ? { _tag: "Numbers", bounds: bounds(low, high) } : report.add("custom", lowAboveHigh)
  }
  const [start, end] = [isoDate(low), isoDate(high)]
  if (start && end) {
    const period = spanning([start, end], report)
    return period && { _tag: "Dates", period }
  }
  if (start || end) return mixed()
  return compareCodePoints(low, high) <= 0
    ? { _tag: "Texts", bounds: bounds(low, high) }
    : report.add("custom", lowAboveHigh)
}

const jsonOperators: JsonReaders = {
  equals,
  notEquals: equals,
  contains,
  notContains: contains,
  startsWith: edge("StartsWith"),
  endsWith: edge("EndsWith"),
  in: within,
  notIn: within,
  greaterThan: comparison("greaterThan", ">"),
  greaterThanOrEqual: comparison("greaterThanOrEqual", ">="),
  lessThan: comparison("lessThan", "<"),
  lessThanOrEqual: comparison("lessThanOrEqual", "<="),
  between: ({ value }, report) => {
    const ends = readPair(value, readComparable, report.at("value"))
    return ends && range(ends, report.at("value"))
  },
  exists: () => ({ _tag: "Present" }),
  notExists: () => ({ _tag: "Missing" }),
  within: dates("Within"),
  olderThan: dates("OlderThan")
}

/** "Not equal to null" means present, and that test takes no negation. */
export const readJsonTest = (
  path: JsonPath,
  operator: OperatorOf<"json">,
  given: Given,
  report: FaultReport
): ValueTest | undefined => {
  const negated = isNegation(operator)
  const match = jsonOperators[operator](given, report)
  if (match === undefined) return undefined
  return negated && match._tag === "Missing"
    ? { path, negated: false, match: { _tag: "Present" } }
    : { path, negated, match }
}
