/** Converts values of data to text. */
import { Predicate } from "effect"

/** Arrays are joined with `, `. Objects become JSON. A missing value prints nothing. */
export const printed = (value: unknown): string => {
  if (typeof value === "string") return value
  if (typeof value === "number" || typeof value === "boolean") return String(value)
  if (Array.isArray(value)) return value.map(printed).join(", ")
  return Predicate.isObject(value) ? JSON.stringify(value) : ""
}

/** Values that `default` and `??` replace: everything that prints nothing. */
export const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0)

/** Values that `#if` treats as false: empty values, false and 0. */
export const isFalse = (value: unknown): boolean => isEmpty(value) || value === false || value === 0

/** Percent-encodes one component of a URL (RFC 3986, 2.1). A lone surrogate becomes U+FFFD. */
export const encodeUrl = (text: string): string => encodeURIComponent(text.toWellFormed())

const maxSubject = 998

/** One trimmed line of at most 998 characters (RFC 5322, 2.1.1). A run of control characters becomes one blank. */
export const subjectLine = (text: string): string => {
  const line = text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim()
  return line.length > maxSubject ? [...line].slice(0, maxSubject).join("") : line
}
