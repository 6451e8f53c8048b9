/**
 * Addresses that simulate the behaviour of real mailboxes: `bounced@`, `complained@`, `deferred@`, `slow@`,
 * `throttled@` under `.test`.
 */
import { simulatedOutcome } from "@posthorn/core/mail/sending/OutcomeAddress"

const simulated = ["bounced", "complained", "deferred", "slow", "throttled"] as const
type Outcome = (typeof simulated)[number]

/** The outcome that an address simulates; undefined for most addresses. The others are only for test mode. */
export const outcomeOf = (address: string): Outcome | undefined => {
  const outcome = simulatedOutcome(address)
  return simulated.find((one) => one === outcome)
}
