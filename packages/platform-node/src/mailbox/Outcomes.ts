/** Addresses that simulate what real mailboxes do: `bounced@`, `complained@`, `deferred@`, `slow@` under `.test`. */

type Outcome = "bounced" | "complained" | "deferred" | "slow"

const outcomeAddress = /^(bounced|complained|deferred|slow)@(?:[^@]+\.)test$/

const isOutcome = (name: string | undefined): name is Outcome =>
  name === "bounced" || name === "complained" || name === "deferred" || name === "slow"

/** The outcome that an address asks for, case-insensitive; undefined for most addresses. */
export const outcomeOf = (address: string): Outcome | undefined => {
  const name = outcomeAddress.exec(address.toLowerCase())?.[1]
  return isOutcome(name) ? name : undefined
}

/** How often `deferred@` refuses a message before it accepts it. */
export const deferredTries = 2
