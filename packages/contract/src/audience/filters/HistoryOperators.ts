/** Readers of the operators on the events of one name. */
import { Predicate } from "effect"
import type { HistoryMatch } from "./Condition.ts"
import type { FaultReport } from "./FilterFaults.ts"
import { type Given, type Readers, readNumber } from "./FilterValues.ts"
import { hasUnit, readSpan } from "./Spans.ts"

const maxCount = 10_000

/** The least number of events; 1 by default. */
const readCount = (value: unknown, report: FaultReport): number | undefined => {
  if (value === undefined) return 1
  const count = readNumber(value, report)
  if (count === undefined) return undefined
  if (count < 1) return report.add("too_small", "Must be at least 1.", count)
  if (count > maxCount) return report.add("too_big", `At most ${maxCount}.`, count)
  return Number.isInteger(count) ? count : report.add("custom", "Must be whole.", count)
}

/** `null` counts as absent: `atLeast` is optional. */
const triggered = ({ value }: Given, report: FaultReport): HistoryMatch | undefined => {
  const at = report.at("value")
  if (value !== undefined && value !== null && !isRecord(value)) {
    return at.add("invalid_type", "Expected nothing, or {atLeast}.", value)
  }
  const count = readCount(value?.["atLeast"], at.at("atLeast"))
  return count === undefined ? undefined : { _tag: "AtLeast", count }
}

const triggeredWithin = (given: Given, report: FaultReport): HistoryMatch | undefined => {
  hasUnit(given, report)
  const at = report.at("value")
  if (!isRecord(given.value)) {
    const span = readSpan(given.value, given.unit, at)
    return span && { _tag: "AtLeast", count: 1, span }
  }
  const span = readSpan(given.value["amount"], given.unit, at.at("amount"))
  const count = readCount(given.value["atLeast"], at.at("atLeast"))
  return span && count !== undefined ? { _tag: "AtLeast", count, span } : undefined
}

const since =
  (_tag: "Never" | "Lapsed") =>
  (given: Given, report: FaultReport): HistoryMatch | undefined => {
    hasUnit(given, report)
    const span = readSpan(given.value, given.unit, report.at("value"))
    return span && { _tag, span }
  }

const isRecord = (value: unknown): value is { readonly [key: string]: unknown } =>
  Predicate.isObject(value) && !Array.isArray(value)

export const historyOperators: Readers<"history", HistoryMatch> = {
  triggered,
  notTriggered: () => ({ _tag: "Never" }),
  triggeredWithin,
  triggeredOlderThan: since("Lapsed"),
  notTriggeredWithin: since("Never")
}
