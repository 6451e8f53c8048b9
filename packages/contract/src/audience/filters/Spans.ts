/** Spans of time that count back from now. */
import type { Period, Span } from "./Condition.ts"
import type { FaultReport } from "./FilterFaults.ts"
import { type Given, isText, readNumber } from "./FilterValues.ts"

const maxAmount = 100_000
const numeral = /^\d+(?:\.\d+)?$/

/** A number above 0, at most 100,000, or the text of one. Months are whole. */
export const readSpan = (amount: unknown, unit: Given["unit"], report: FaultReport): Span | undefined => {
  const value = isText(amount) && numeral.test(amount) ? Number(amount) : readNumber(amount, report)
  if (value === undefined) return undefined
  if (value <= 0) return report.add("too_small", "Must be above 0.", amount)
  if (value > maxAmount) return report.add("too_big", `At most ${maxAmount}.`, amount)
  if (unit === "months" && !Number.isInteger(value)) return report.add("custom", "Months must be whole.", amount)
  return unit && { amount: value, unit }
}

/** Reports a missing unit. */
export const hasUnit = ({ unit }: Given, report: FaultReport): boolean =>
  unit !== undefined || (report.at("unit").add("required", "Required.") ?? false)

export const readPeriod =
  (_tag: "Within" | "OlderThan") =>
  (given: Given, report: FaultReport): Period | undefined => {
    hasUnit(given, report)
    const span = readSpan(given.value, given.unit, report.at("value"))
    return span && { _tag, span }
  }
