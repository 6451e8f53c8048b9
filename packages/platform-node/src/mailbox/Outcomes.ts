/** Addresses that simulate what real mailboxes do: `bounced@`, `complained@`, `deferred@`, `slow@` under `.test`. */
import { simulatedOutcome } from "@posthorn/core/mail/sending/OutcomeAddress"

type Outcome = "bounced" | "complained" | "deferred" | "slow"

/** The outcome that an address asks for; undefined for most addresses. The others are for test mode alone. */
export const outcomeOf = (address: string): Outcome | undefined => {
  const outcome = simulatedOutcome(address)
  return outcome === "bounced" || outcome === "complained" || outcome === "deferred" || outcome === "slow"
    ? outcome
    : undefined
}
