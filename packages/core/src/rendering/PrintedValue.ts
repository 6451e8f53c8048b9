/** How values of data become text (contract 7.2). */
import { Predicate } from "effect"

/** Arrays are joined with `, `, objects are their JSON, what is missing prints nothing. */
export const printed = (value: unknown): string => {
  if (typeof value === "string") return value
  if (typeof value === "number" || typeof value === "boolean") return String(value)
  if (Array.isArray(value)) return value.map(printed).join(", ")
  return Predicate.isObject(value) ? JSON.stringify(value) : ""
}

/** What `default` and `??` step in for: everything that prints nothing. */
export const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0)

/** What `#if` takes for false: besides empty values also false and 0. */
export const isFalse = (value: unknown): boolean => isEmpty(value) || value === false || value === 0

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

export const escapeHtml = (text: string): string =>
  /[&<>"']/.test(text) ? text.replace(/[&<>"']/g, (character) => entities[character] ?? "") : text

/** Percent-encoded for one component of a URL (RFC 3986, 2.1); a lone surrogate becomes U+FFFD. */
export const encodeUrl = (text: string): string => encodeURIComponent(text.toWellFormed())

const maxSubject = 998

/** One line, trimmed, at most 998 characters (RFC 5322, 2.1.1); control characters in a row become one blank. */
export const subjectLine = (text: string): string => {
  const line = text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim()
  return line.length > maxSubject ? [...line].slice(0, maxSubject).join("") : line
}
