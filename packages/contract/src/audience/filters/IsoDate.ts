/** ISO date text: `YYYY-MM-DD`, or `YYYY-MM-DDTHH:MM` with optional seconds, fraction and zone. */

/** A whole UTC day, or one millisecond: `start <= x < end`. */
export interface IsoDate {
  readonly start: number
  readonly end: number
}

const form =
  /^(\d{4})-(\d\d)-(\d\d)(?:T([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d+))?)?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))?)?$/

const minute = 60_000
const day = 24 * 60 * minute

/**
 * Undefined for a text that is not a date of the calendar. The zone defaults to UTC. Fractions below a millisecond are
 * cut off.
 */
export const isoDate = (text: string): IsoDate | undefined => {
  const match = form.exec(text)
  if (match === null) return undefined
  const [, year, month, date, hours, minutes, seconds = 0, fraction = "", sign, zoneHours = 0, zoneMinutes = 0] = match
  const midnight = utcDay(Number(year), Number(month), Number(date))
  if (midnight === undefined) return undefined
  if (hours === undefined) return { start: midnight, end: midnight + day }
  const time = (Number(hours) * 60 + Number(minutes)) * minute + Number(seconds) * 1000
  const millis = Number(fraction.slice(0, 3).padEnd(3, "0"))
  const offset = (Number(zoneHours) * 60 + Number(zoneMinutes)) * minute * (sign === "-" ? -1 : 1)
  const start = midnight + time + millis - offset
  return { start, end: start + 1 }
}

/** `Date.UTC` moves the years 0 to 99 into the 20th century, and the calendar has no year 0. */
const utcDay = (year: number, month: number, date: number): number | undefined => {
  const day = new Date(0)
  day.setUTCFullYear(year, month - 1, date)
  return year > 0 && day.getUTCMonth() === month - 1 && day.getUTCDate() === date ? day.getTime() : undefined
}
