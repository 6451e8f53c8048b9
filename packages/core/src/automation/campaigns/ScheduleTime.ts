/** Parses the scheduled time of a campaign. Pure. */
import { DateTime, Option, Predicate } from "effect"

/** Years of four digits, which every part of the service can write down. */
const earliest = Date.parse("0001-01-01T00:00:00.000Z")
const latest = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

const zone = /(?:Z|UTC|GMT|UT|[ECMP][SD]T|[+-]\d{2}:?\d{2})\s*(?:\([^)]*\))?\s*$/i
/** Forms that the parser takes for UTC by itself. */
const dateOnly = /^\s*(?:[+-]\d{2})?\d{4}(?:-\d{2}){0,2}\s*$/

/** Whatever `Date` reads; without a zone it is UTC, wherever the server stands. An integer is milliseconds since 1970. */
export const scheduleTime = (given: unknown): Option.Option<DateTime.Utc> => {
  const millis = Predicate.isString(given) ? parse(given) : Number.isInteger(given) ? Number(given) : Number.NaN
  return millis >= earliest && millis <= latest ? DateTime.make(millis) : Option.none()
}

/** Characters. No form of a date needs more. */
const longest = 100

const parse = (text: string): number => {
  if (text.length > longest) return Number.NaN
  const read = Date.parse(text)
  if (Number.isNaN(read) || dateOnly.test(text) || zone.test(text)) return read
  // It was read as local time, and is meant as UTC; an hour that the local clock skips is there in UTC.
  const inUtc = [`${text.trim()}Z`, `${text.trim()} UTC`].map((spelled) => Date.parse(spelled))
  return inUtc.find((millis) => !Number.isNaN(millis)) ?? read - new Date(read).getTimezoneOffset() * 60_000
}
