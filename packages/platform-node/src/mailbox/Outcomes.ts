/**
 * Addresses that simulate the behaviour of real mailboxes: `bounced@`, `complained@`, `deferred@`, `slow@` under
 * `.test`.
 */
import { simulatedOutcome } from "@posthorn/core/mail/sending/OutcomeAddress"

type Outcome = "bounced" | "complained" | "deferred" | "slow"

/** The outcome that an address simulates; undefined for most addresses. The others are only for test mode. */
export const outcomeOf = (address: string): Outcome | undefined => {
  const outcome = simulatedOutcome(address)
  return outcome === "bounced" || outcome === "complained" || outcome === "deferred" || outcome === "slow"
    ? outcome
    : undefined
}
