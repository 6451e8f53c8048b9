/**
 * Readers of the values that filters compare with. A reader returns the value, or reports a fault and returns
 * undefined.
 */
import type { Schema } from "effect"
import type { FaultReport } from "./FilterFaults.ts"
import { type IsoDate, isoDate } from "./IsoDate.ts"
import type { FilterFieldKind, OperatorOf, Unit } from "./Operators.ts"

/** The value and unit of a filter, as given; `undefined` is absent. */
export interface Given {
  readonly value: unknown
  readonly unit: Unit | undefined
}

/** For every operator of a kind, the reader of its value. Faults are reported below the filter. */
export type Readers<K extends FilterFieldKind, Match> = {
  readonly [Name in OperatorOf<K>]: (given: Given, report: FaultReport) => Match | undefined
}

export type Scalar = string | number | boolean

const maxText = 1000
const maxEntries = 1000
/** Contact data is at most 10 levels deep. */
const maxDepth = 10

export const isText = (value: unknown): value is string => typeof value === "string"
const isNumber = (value: unknown): value is number => typeof value === "number"
const isScalar = (value: unknown): value is Scalar => isText(value) || isNumber(value) || typeof value === "boolean"

const isTooLong = (text: string): boolean => text.length > maxText && [...text].length > maxText

/** Whether PostgreSQL can store the text and it is not too long. */
export const isSoundText = (text: string, report: FaultReport): boolean => {
  if (isTooLong(text)) return report.add("too_big", `At most ${maxText} characters.`, text) ?? false
  if (text.isWellFormed() && !text.includes("\0")) return true
  return report.add("invalid_string", "Must not contain U+0000 or an unpaired surrogate.") ?? false
}

/** Limits of a value of any shape, even if the operator takes no value. */
export const isSoundValue = (value: unknown, report: FaultReport, depth = 0): boolean => {
  if (isText(value)) return isSoundText(value, report)
  if (isNumber(value)) return Number.isFinite(value) || (report.add("too_big", "The number is too large.") ?? false)
  if (typeof value !== "object" || value === null) return true
  if (depth >= maxDepth) return report.add("too_big", `Must not be nested deeper than ${maxDepth} levels.`) ?? false
  const entries = Object.entries(value)
  if (entries.length > maxEntries) return report.add("too_big", `At most ${maxEntries} entries.`) ?? false
  return entries.every(([key, nested]) => {
    const at = report.at(Array.isArray(value) ? Number(key) : key)
    return isSoundText(key, at) && isSoundValue(nested, at, depth + 1)
  })
}

const missing = (value: unknown, report: FaultReport): boolean =>
  value === undefined && (report.add("required", "Required.") ?? true)

export const readJson = (value: unknown, report: FaultReport): Schema.Json | undefined =>
  missing(value, report) ? undefined : (value as Schema.Json)

export const readText = (value: unknown, report: FaultReport): string | undefined => {
  if (missing(value, report) || isText(value)) return value as string | undefined
  return report.add("invalid_type", "Expected text.", value)
}

export const readScalar = (value: unknown, report: FaultReport): Scalar | undefined => {
  if (missing(value, report) || isScalar(value)) return value as Scalar | undefined
  return report.add("invalid_type", "Expected text, a number or a boolean.", value)
}

export const readComparable = (value: unknown, report: FaultReport): string | number | undefined => {
  if (missing(value, report) || isText(value) || isNumber(value)) return value as string | number | undefined
  return report.add("invalid_type", "Expected a number or text.", value)
}

export const readNumber = (value: unknown, report: FaultReport): number | undefined => {
  if (missing(value, report) || isNumber(value)) return value as number | undefined
  return report.add("invalid_type", "Expected a number.", value)
}

export const readFlag = (value: unknown, report: FaultReport): boolean | undefined => {
  if (missing(value, report)) return undefined
  if (typeof value === "boolean") return value
  if (value === "true" || value === "false") return value === "true"
  return isText(value)
    ? report.add("invalid_enum", "Expected true or false.", value)
    : report.add("invalid_type", "Expected true or false.", value)
}

export const readDate = (value: unknown, report: FaultReport): IsoDate | undefined => {
  if (missing(value, report)) return undefined
  if (!isText(value)) return report.add("invalid_type", "Expected an ISO date as text.", value)
  return isoDate(value) ?? report.add("invalid_string", "Expected an ISO date such as 2026-11-20.", value)
}

/** A list of at least one entry, each read by `entry`. */
export const readList = <A>(
  value: unknown,
  entry: (value: unknown, report: FaultReport) => A | undefined,
  report: FaultReport
): ReadonlyArray<A> | undefined => {
  if (missing(value, report)) return undefined
  if (!Array.isArray(value)) return report.add("invalid_type", "Expected a list.", value)
  if (value.length === 0) return report.add("too_small", "At least one entry.")
  const read = value.map((each, n) => entry(each, report.at(n)))
  return read.every((each) => each !== undefined) ? read : undefined
}

/** `[low, high]`, each read by `entry`. */
export const readPair = <A>(
  value: unknown,
  entry: (value: unknown, report: FaultReport) => A | undefined,
  report: FaultReport
): readonly [A, A] | undefined => {
  if (Array.isArray(value) && value.length === 1) return report.add("too_small", "Exactly two entries: low and high.")
  if (Array.isArray(value) && value.length > 2) return report.add("too_big", "Exactly two entries: low and high.")
  const [low, high] = readList(value, entry, report) ?? []
  return low === undefined || high === undefined ? undefined : [low, high]
}

export const lowAboveHigh = "The low end is above the high end."
