/** When a mail is tried again. Pure. `random` in [0, 1) spreads the retries of mails that failed together. */
import { Duration } from "effect"

export type Urgency = "transactional" | "bulk"

const ladders = {
  transactional: { minutes: [1, 5, 15, 30, 60, 120, 240], maxAge: Duration.hours(24) },
  bulk: { minutes: [15, 30, 60, 120, 240], maxAge: Duration.hours(72) }
} as const

/** The random part of a wait, in both directions. */
const jitter = 0.2

/** A mail that fails after this time expires. */
export const maxAge = (urgency: Urgency): Duration.Duration => ladders[urgency].maxAge

/** The wait after `step` counted tries. The last value repeats. */
export const wait = (urgency: Urgency, step: number, random: number): Duration.Duration => {
  const { minutes } = ladders[urgency]
  const rung = minutes[Math.min(step, minutes.length - 1)] ?? 240
  return Duration.minutes(rung * (1 + jitter * (2 * random - 1)))
}

/** The wait after a server asked to slow down: 1 minute, doubled with each try, at most 30 minutes. */
export const patience = (tries: number, random: number): Duration.Duration =>
  Duration.minutes(Math.min(2 ** Math.min(tries, 5), 30) * (1 + jitter * random))
