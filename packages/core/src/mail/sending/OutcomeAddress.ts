/**
 * Addresses that simulate what mailboxes do: a local part, with or without a label (`bounced+7@`), at any domain under
 * `.test` (RFC 2606). Dev mode has the first five. Pure.
 */

const outcomes = [
  "bounced",
  "complained",
  "deferred",
  "slow",
  "throttled",
  "opened",
  "clicked",
  "failed",
  "suppressed"
] as const

export type Outcome = (typeof outcomes)[number]

const outcomeAddress = new RegExp(`^(${outcomes.join("|")})(?:\\+[^@]*)?@(?:[^@]+\\.)test$`)

/** The outcome that an address asks for, case-insensitive; undefined for most addresses. */
export const simulatedOutcome = (address: string): Outcome | undefined => {
  const name = outcomeAddress.exec(address.toLowerCase())?.[1]
  return outcomes.find((outcome) => outcome === name)
}

/** How often `deferred@` refuses a mail before it accepts it. */
export const deferredTries = 2

/** How long the provider of `throttled@` asks for less mail, from its first one on. Milliseconds. */
export const throttledFor = 60_000

/** How long the reply to the final dot takes for `slow@`. */
export const slowReply = "5 seconds"
