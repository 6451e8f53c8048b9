/** Readers of the operators on `createdAt` and `updatedAt`. */
import type { Period } from "./Condition.ts"
import { compared, type Order, on, spanning } from "./Dates.ts"
import { type Readers, readDate, readPair } from "./FilterValues.ts"
import { readPeriod } from "./Spans.ts"

type TimeReaders = Readers<"time", Period>

const equals: TimeReaders["equals"] = ({ value }, report) => {
  const date = readDate(value, report.at("value"))
  return date && on(date)
}

const comparison =
  (order: Order): TimeReaders["equals"] =>
  ({ value }, report) => {
    const date = readDate(value, report.at("value"))
    return date && compared(order, date)
  }

export const timeOperators: TimeReaders = {
  equals,
  notEquals: equals,
  greaterThan: comparison("greaterThan"),
  greaterThanOrEqual: comparison("greaterThanOrEqual"),
  lessThan: comparison("lessThan"),
  lessThanOrEqual: comparison("lessThanOrEqual"),
  between: ({ value }, report) => {
    const ends = readPair(value, readDate, report.at("value"))
    return ends && spanning(ends, report.at("value"))
  },
  within: readPeriod("Within"),
  olderThan: readPeriod("OlderThan")
}
