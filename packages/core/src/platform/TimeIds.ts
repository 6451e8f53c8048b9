/** Ids with a time: UUIDs of version 7 (RFC 9562, 5.7). */
import { DateTime } from "effect"

/** The first 48 bits of an id, which are its time in milliseconds: 13 characters, without the dash behind them. */
export const timePrefix = (instant: DateTime.Utc): string => {
  const hex = DateTime.toEpochMillis(instant).toString(16).padStart(12, "0")
  return `${hex.slice(0, 8)}-${hex.slice(8)}`
}

export const timeOf = (id: string): DateTime.Utc =>
  DateTime.makeUnsafe(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16))
