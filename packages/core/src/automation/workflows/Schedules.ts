/** When a SCHEDULE trigger fires. Pure. */
import { Cron, DateTime, Option, Result } from "effect"
import { instantOf, localMillis } from "../../platform/WallClock.ts"

export interface Schedule {
  /** Matches local times, written as UTC. `nextAfter` handles clock changes. */
  readonly cron: Cron.Cron
  readonly zone: DateTime.TimeZone
}

/** Minutes between two firings of a workflow, at least. */
const workflowMinutes = 5

const minute = 60_000

/** In milliseconds. No clock change sets a clock back by more. */
const largestOverlap = 3 * 60 * minute

/** Parses a cron expression of five fields, or returns the fault. Firings must be so many minutes apart, at most 60. */
export const parse = (
  text: string,
  timezone: string,
  minimumMinutes = workflowMinutes
): Result.Result<Schedule, string> => {
  const zone = DateTime.zoneFromString(timezone)
  if (Option.isNone(zone)) return Result.fail("Not the name of a time zone.")
  if (text.trim().split(/\s+/).length !== 5) return Result.fail("Five fields: minute hour day month weekday.")
  return Cron.parse(text.trim().toUpperCase(), "UTC").pipe(
    Result.mapError(({ message }) => message),
    Result.filterOrFail(isReachable, () => "There is no such day."),
    Result.filterOrFail(
      (cron) => isSparse(cron, minimumMinutes),
      () => `Two firings are at least ${minimumMinutes} minutes apart.`
    ),
    Result.map((cron) => ({ cron, zone: zone.value }))
  )
}

/** False for dates that do not exist, such as February 30. The next leap day is found, at most eight years ahead. */
const isReachable = (cron: Cron.Cron): boolean =>
  Result.isSuccess(Result.try(() => Cron.next(cron, new Date(Date.UTC(2000, 0, 1)))))

/** Whether any two firings are at least `minimumMinutes` apart, also across the end of an hour. */
const isSparse = ({ minutes, hours }: Cron.Cron, minimumMinutes: number): boolean => {
  const inOrder = minutes.size === 0 ? [0, 1] : [...minutes].sort((a, b) => a - b)
  const gaps = inOrder.slice(1).map((each, n) => each - (inOrder[n] ?? 0))
  const hasNextHour = hours.size === 0 || [...hours].some((hour) => hours.has((hour + 1) % 24))
  const overTheHour = 60 - (inOrder.at(-1) ?? 0) + (inOrder[0] ?? 0)
  return [...gaps, ...(hasNextHour ? [overTheHour] : [])].every((gap) => gap >= minimumMinutes)
}

/**
 * The first firing after an instant. If a clock change skips the local time, it fires at the next minute that exists.
 * If the local time occurs twice, it fires the first time.
 */
export const nextAfter = ({ cron, zone }: Schedule, after: DateTime.Utc): DateTime.Utc => {
  let local = localMillis(after.epochMilliseconds, zone) - largestOverlap
  for (;;) {
    local = Cron.next(cron, new Date(local)).getTime()
    const instant = instantOf(local, zone)
    if (instant > after.epochMilliseconds) return DateTime.makeUnsafe(instant)
  }
}

/** The last firing after one instant, and not after another. */
export const lastBetween = (
  schedule: Schedule,
  after: DateTime.Utc,
  upTo: DateTime.Utc
): Option.Option<DateTime.Utc> => {
  let found = Option.none<DateTime.Utc>()
  for (
    let next = nextAfter(schedule, after);
    next.epochMilliseconds <= upTo.epochMilliseconds;
    next = nextAfter(schedule, next)
  )
    found = Option.some(next)
  return found
}
