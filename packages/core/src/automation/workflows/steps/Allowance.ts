/** How a RATE_LIMIT shares out its limit among visitors, in their order. Pure. */
import type { RateLimitConfig } from "@posthorn/contract/automation/workflows/TimingConfig"
import type { DateTime } from "effect"
import { dayMillis, instantOf, localDay, localMillis } from "../../../platform/WallClock.ts"

/** The stored state of a step, in milliseconds since 1970. Null before the first use. */
export interface Allowance {
  /** The next free instant. */
  readonly nextAt: number | null
  /** The start of the minute, hour or day in which `used` visitors went on. */
  readonly windowAt: number | null
  readonly used: number
}

const hour = 3_600_000
const millisIn = { minute: 60_000, hour, day: dayMillis }
const defaultWaitHours = 168

/** When each visitor may go on. Undefined for a visitor that would wait too long. */
export const slots = (
  { limit, per, maxWaitHours }: RateLimitConfig,
  stored: Allowance,
  now: number,
  visitors: number
): { readonly stored: Allowance; readonly slots: ReadonlyArray<number | undefined> } => {
  const distance = millisIn[per] / limit
  const first = Math.max(now, stored.nextAt ?? now)
  const last = now + (maxWaitHours ?? defaultWaitHours) * hour
  const free = first > last ? 0 : Math.min(visitors, Math.floor((last - first) / distance) + 1)
  return {
    stored: { ...stored, nextAt: first + free * distance },
    slots: Array.from({ length: visitors }, (_, n) => (n < free ? first + n * distance : undefined))
  }
}

/** The start of the minute, hour or day of the zone. Of a repeated hour, each has its own start. */
const windowStart = (per: RateLimitConfig["per"], now: number, zone: DateTime.TimeZone): number => {
  const local = localMillis(now, zone)
  return per === "day"
    ? instantOf(localDay(local), zone)
    : now - (((local % millisIn[per]) + millisIn[per]) % millisIn[per])
}

/** How many of the visitors go on. */
export const admittedVisitors = (
  { limit, per }: RateLimitConfig,
  stored: Allowance,
  now: number,
  zone: DateTime.TimeZone,
  visitors: number
): { readonly stored: Allowance; readonly admitted: number } => {
  const current = windowStart(per, now, zone)
  // A process whose clock is a little behind counts in the window that another has begun.
  const isAhead = stored.windowAt !== null && stored.windowAt > current && stored.windowAt - now < millisIn.minute
  const windowAt = isAhead ? stored.windowAt : current
  const used = stored.windowAt === windowAt ? stored.used : 0
  const admitted = Math.max(0, Math.min(visitors, limit - used))
  return { stored: { ...stored, windowAt, used: used + admitted }, admitted }
}
