/** Readers of the operators on the events of one name. */
import { Predicate } from "effect"
import type { HistoryMatch } from "./Condition.ts"
import type { FaultReport } from "./FilterFaults.ts"
import { type Given, type Readers, readNumber } from "./FilterValues.ts"
import { hasUnit, readSpan } from "./Spans.ts"

const maxCount = 10_000

/** A number of events. */
const readCount = (value: unknown, absent: number | null, report: FaultReport): number | null | undefined => {
  if (value === undefined) return absent
  const count = readNumber(value, report)
  if (count === undefined) return undefined
  if (count < 1) return report.add("too_small", "Must be at least 1.", count)
  if (count > maxCount) return report.add("too_big", `At most ${maxCount}.`, count)
  return Number.isInteger(count) ? count : report.add("custom", "Must be whole.", count)
}

/** At least one by default, and any number at most. */
const readCounts = (given: unknown, report: FaultReport): { count: number; atMost?: number } | undefined => {
  const value = isRecord(given) ? given : {}
  const count = readCount(value["atLeast"], 1, report.at("atLeast"))
  const atMost = readCount(value["atMost"], null, report.at("atMost"))
  if (count === undefined || count === null || atMost === undefined) return undefined
  if (atMost !== null && atMost < count) {
    return report.at("atMost").add("too_small", "Must not be below `atLeast`, which is 1 by default.", atMost)
  }
  return { count, ...(atMost !== null && { atMost }) }
}

/** `null` counts as absent: the value is optional. */
const triggered = ({ value }: Given, report: FaultReport): HistoryMatch | undefined => {
  const at = report.at("value")
  if (value !== undefined && value !== null && !isRecord(value)) {
    return at.add("invalid_type", "Expected nothing, or {atLeast, atMost}.", value)
  }
  const counts = readCounts(value, at)
  return counts && { _tag: "AtLeast", ...counts }
}

const triggeredWithin = (given: Given, report: FaultReport): HistoryMatch | undefined => {
  hasUnit(given, report)
  const at = report.at("value")
  const isCounted = isRecord(given.value)
  const span = isCounted
    ? readSpan(given.value["amount"], given.unit, at.at("amount"))
    : readSpan(given.value, given.unit, at)
  const counts = readCounts(given.value, at)
  return span && counts && { _tag: "AtLeast", ...counts, span }
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
