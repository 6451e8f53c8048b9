/** Wall clocks of time zones by `Intl`, so that the checks do not use the functions that they check. */

const quarter = 15 * 60_000
const dayMillis = 86_400_000

const formats = new Map<string, Intl.DateTimeFormat>()
const offsets = new Map<string, number>()

const formatOf = (zone: string): Intl.DateTimeFormat => {
  const known = formats.get(zone)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat("en-US", {
    ...{ timeZone: zone, hourCycle: "h23", year: "numeric", month: "numeric", day: "numeric" },
    ...{ hour: "numeric", minute: "numeric", second: "numeric" }
  })
  formats.set(zone, made)
  return made
}

/** Milliseconds between the wall clock and UTC. All changes of today's zones are at a quarter of an hour. */
const offsetAt = (instant: number, zone: string): number => {
  const start = Math.floor(instant / quarter) * quarter
  const key = `${zone} ${start}`
  const known = offsets.get(key)
  if (known !== undefined) return known
  const part = Object.fromEntries(
    formatOf(zone)
      .formatToParts(start)
      .map(({ type, value }) => [type, Number(value)])
  )
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part
  const offset = Date.UTC(year, month - 1, day, hour, minute, second) - start
  offsets.set(key, offset)
  return offset
}

/** The wall clock as milliseconds since 1970 at which a clock in UTC shows it. */
export const wallOf = (instant: number, zone: string): number => instant + offsetAt(instant, zone)

/** Minutes since local midnight. */
export const minuteOf = (instant: number, zone: string): number =>
  Math.floor((((wallOf(instant, zone) % dayMillis) + dayMillis) % dayMillis) / 60_000)

/** 0 is Sunday. */
export const weekdayOf = (instant: number, zone: string): number => new Date(wallOf(instant, zone)).getUTCDay()

/** The first instant at which the wall clock shows this, or the first one after a gap. */
export const instantOf = (wall: number, zone: string): number => {
  for (let wanted = wall; ; wanted += 60_000) {
    const found = [wanted - offsetAt(wanted - dayMillis, zone), wanted - offsetAt(wanted + dayMillis, zone)]
      .filter((instant) => wallOf(instant, zone) === wanted)
      .sort((one, other) => one - other)
    if (found[0] !== undefined) return found[0]
  }
}

/** So many zones, from all over the world. */
export const zones = (count: number): ReadonlyArray<string> => {
  const all = Intl.supportedValuesOf("timeZone")
  return Array.from({ length: count }, (_, n) => all[Math.floor((n * all.length) / count)] ?? "UTC")
}
