/** Parses the scheduled time of a campaign. Pure. */
import { DateTime, Option, Predicate } from "effect"

/** Only years of four digits, which every date format of the service supports. */
const earliest = Date.parse("0001-01-01T00:00:00.000Z")
const latest = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

const zone = /(?:Z|UTC|GMT|UT|[ECMP][SD]T|[+-]\d{2}:?\d{2})\s*(?:\([^)]*\))?\s*$/i
/** Formats that `Date.parse` reads as UTC by itself. */
const dateOnly = /^\s*(?:[+-]\d{2})?\d{4}(?:-\d{2}){0,2}\s*$/

/** Parses what `Date.parse` accepts, as UTC if it has no zone. An integer is milliseconds since 1970. */
export const scheduleTime = (given: unknown): Option.Option<DateTime.Utc> => {
  const millis = Predicate.isString(given) ? parse(given) : Number.isInteger(given) ? Number(given) : Number.NaN
  return millis >= earliest && millis <= latest ? DateTime.make(millis) : Option.none()
}

/** In characters. No date format needs more. */
const longest = 100

const parse = (text: string): number => {
  if (text.length > longest) return Number.NaN
  const read = Date.parse(text)
  if (Number.isNaN(read) || dateOnly.test(text) || zone.test(text)) return read
  // `Date.parse` read it as local time, but it means UTC. UTC also has hours that the local clock skips.
  const inUtc = [`${text.trim()}Z`, `${text.trim()} UTC`].map((text) => Date.parse(text))
  return inUtc.find((millis) => !Number.isNaN(millis)) ?? read - new Date(read).getTimezoneOffset() * 60_000
}
