/** Days in the time zone of the project. */
import { now } from "./Clock.ts"

const day = 86_400_000

/** The date that was so many days ago, as `2026-03-01`. */
export const daysBefore = (count: number, zone: string): string =>
  new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short" }).format(now() - count * day)
