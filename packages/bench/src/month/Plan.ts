/** The size of a simulated month, and the rules of its project. */

export interface Plan {
  readonly contacts: number
  readonly zones: number
  readonly days: number
  /** Of all random choices. */
  readonly seed: number
  /** The clock moves to multiples of this many minutes. */
  readonly stepMinutes: number
}

const minuteMillis = 60_000
export const hourMillis = 60 * minuteMillis

/** A long month has caps of a week. In a short form they are as short as the form. */
const isLong = ({ days }: Plan): boolean => days >= 14

export const quietHours = { from: "21:00", to: "08:00" } as const
export const quietMinutes = { from: 21 * 60, to: 8 * 60 } as const

export interface Cap {
  readonly id: string
  readonly limit: number
  readonly hours: number
  /** The key of the topic that it limits. */
  readonly topic: string | null
}

export const caps = (plan: Plan): ReadonlyArray<Cap> => [
  { id: "all", limit: 3, hours: isLong(plan) ? 168 : 24, topic: null },
  { id: "offers", limit: 1, hours: isLong(plan) ? 72 : 12, topic: "offers" }
]

/** Hours of delays and windows. */
export const spans = (plan: Plan) => ({
  delay: isLong(plan) ? 20 : 3,
  wait: isLong(plan) ? 72 : 6,
  goal: isLong(plan) ? 240 : 24,
  test: isLong(plan) ? 6 : 3,
  spread: isLong(plan) ? 24 : 6,
  expiry: 5
})

export const testShare = 0.3
export const holdoutShare = 0.4
/** Hours of the day at which the local campaigns arrive, and between which a workflow lets mail through. */
export const localHour = 10
export const openMinutes = { from: 9 * 60, to: 17 * 60 } as const

/** Mails a minute of the campaign with a rate, which goes to a tenth of the contacts. */
export const ratePerMinute = ({ contacts }: Plan): number => Math.min(6_000, Math.max(600, contacts))

/** The contacts of the throttling provider, of ten. The refusing one has one of ten. */
export const throttledOfTen = 2
/** What the throttling provider accepts in an hour. */
export const acceptedPerHour = ({ contacts }: Plan): number => Math.max(5, Math.ceil(contacts / 30))

export const recurrence = (plan: Plan): string => (isLong(plan) ? "0 9 * * MON" : "0 9 * * *")

/** Random numbers in [0, 1) from a seed (mulberry32). */
export const randomOf = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
