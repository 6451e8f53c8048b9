/** The `date` helper: formats ISO dates in any time zone and language. */
import { localeOr, remember, zoneOrUtc } from "./Locales.ts"

export interface DateOptions {
  readonly tz: unknown
  readonly locale: unknown
}

/** Empty for a value that is not a date. The zone defaults to UTC, the locale to English, the format to `medium`. */
export const dateText = (value: unknown, format: unknown, { tz, locale }: DateOptions): string => {
  const date = parseDate(value)
  if (date === undefined) return ""
  const zone = date.dayOnly ? "UTC" : zoneOrUtc(tz)
  const language = localeOr(locale, "en")
  if (typeof format !== "string" || format === "" || isStyle(format)) {
    const style = isStyle(format) ? format : "medium"
    return formatter(language, zone, style, { dateStyle: style }).format(date.instant)
  }
  return inTokens(date.instant, format, zone, language)
}

const styles = ["short", "medium", "long", "full"] as const
const isStyle = (format: unknown): format is (typeof styles)[number] => styles.some((style) => style === format)

interface ParsedDate {
  readonly instant: number
  /** A date without a time is the same day in every zone. */
  readonly dayOnly: boolean
}

const isoDate = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?:Z|([+-])(\d\d):?(\d\d))?)?$/

/**
 * `YYYY-MM-DD`, or `YYYY-MM-DDTHH:MM` with optional seconds, fraction and zone. The date must exist. No zone means UTC.
 */
const parseDate = (value: unknown): ParsedDate | undefined => {
  const match = typeof value === "string" && value.length <= 40 ? isoDate.exec(value) : null
  if (match === null) return undefined
  const number = (group: number) => Number(match[group] ?? 0)
  const [year, month, day, hour, minute, second] = [number(1), number(2), number(3), number(4), number(5), number(6)]
  const [zoneHour, zoneMinute] = [number(9), number(10)]
  // Date.UTC would read the years 0 to 99 as 1900 to 1999.
  const midnight = new Date(new Date(0).setUTCFullYear(year, month - 1, day))
  if (midnight.getUTCMonth() !== month - 1 || midnight.getUTCDate() !== day) return undefined
  if (hour > 23 || minute > 59 || second > 59 || zoneHour > 23 || zoneMinute > 59) return undefined
  const offset = (match[8] === "-" ? -1 : 1) * (zoneHour * 60 + zoneMinute)
  const millis = Math.floor(Number(`0.${match[7] ?? 0}`) * 1000)
  const instant = midnight.getTime() + ((hour * 60 + minute - offset) * 60 + second) * 1000 + millis
  return { instant, dayOnly: match[4] === undefined }
}

const tokens = /\[([^\]]{0,100})\]|YYYY|MMMM|MMM|MM|M|DD|D|dddd|ddd|HH|H|hh|h|mm|ss|A/g

/** Prints text in square brackets, and everything that is not a token, unchanged. */
const inTokens = (instant: number, format: string, zone: string, locale: string): string => {
  const numbers = partsOf(numeric("en", zone), instant)
  const twelve = String(Number(numbers.get("hour")) % 12 || 12)
  const texts: Record<string, string | undefined> = {
    YYYY: numbers.get("year")?.padStart(4, "0"),
    MM: numbers.get("month"),
    M: short(numbers.get("month")),
    DD: numbers.get("day"),
    D: short(numbers.get("day")),
    HH: numbers.get("hour"),
    H: short(numbers.get("hour")),
    hh: twelve.padStart(2, "0"),
    h: twelve,
    mm: numbers.get("minute"),
    ss: numbers.get("second")
  }
  const names = (["MMMM", "MMM", "dddd", "ddd", "A"] as const).filter((name) => format.includes(name))
  const withDay = /D/.test(format)
  for (const name of names) texts[name] = nameOf(name, instant, zone, locale, withDay)
  return format.replace(tokens, (token: string, literal: string | undefined) => literal ?? texts[token] ?? token)
}

const short = (digits: string | undefined) => digits?.replace(/^0/, "")

/** Next to a day, a month takes the grammatical form of its language (Polish: 20 listopada, but listopad 2026). */
const nameOf = (
  name: "MMMM" | "MMM" | "dddd" | "ddd" | "A",
  instant: number,
  zone: string,
  locale: string,
  withDay: boolean
): string | undefined => {
  switch (name) {
    case "MMMM":
    case "MMM": {
      const month = name === "MMMM" ? "long" : "short"
      const day = withDay ? { day: "numeric" as const } : {}
      return partsOf(formatter(locale, zone, `${name}${withDay}`, { month, ...day }), instant).get("month")
    }
    case "dddd":
    case "ddd": {
      const weekday = name === "dddd" ? "long" : "short"
      return partsOf(formatter(locale, zone, name, { weekday }), instant).get("weekday")
    }
    case "A":
      return partsOf(formatter(locale, zone, name, { hour: "numeric", hour12: true }), instant).get("dayPeriod")
  }
}

const numeric = (locale: string, zone: string) =>
  formatter(locale, zone, "numeric", {
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23"
  })

const partsOf = (format: Intl.DateTimeFormat, instant: number): ReadonlyMap<string, string> =>
  new Map(format.formatToParts(instant).map(({ type, value }) => [type, value]))

const formatter = remember(
  (locale: string, zone: string, _shape: string, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { timeZone: zone, calendar: "gregory", ...options }),
  (locale, zone, shape) => `${locale} ${zone} ${shape}`
)
