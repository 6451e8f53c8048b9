/** What the reply of a mail server says about the provider of the recipient. Pure. */
import type { Provider } from "@posthorn/contract/mail/emails/Provider"
import { knownReply } from "../sending/KnownReplies.ts"
import { classify, type Reply } from "../sending/Replies.ts"
import type { ShapingSignal } from "./ShapingState.ts"

/**
 * The signal in a reply. Undefined if the provider does not ask for less mail.
 *
 * `isExchange`: the reply is from a mail exchange of the recipient. A relay also has limits of its own, so its reply
 * counts only if a provider is known to use that text.
 */
export const signalOf = (provider: Provider | null, reply: Reply, isExchange: boolean): ShapingSignal | undefined => {
  const known = knownReply(provider, reply)
  if (known === undefined) return isExchange && classify(reply) === "slow_down" ? { kind: "slow" } : undefined
  const { action, providers } = known
  if (action.kind !== "slow" && action.kind !== "suspend") return undefined
  return isExchange || providers !== undefined ? action : undefined
}

/** Whether a reply is about the provider or the recipient, and not about the transport that passed it on. */
export const isAboutProvider = (provider: Provider | null, reply: Reply, isExchange: boolean): boolean => {
  const known = knownReply(provider, reply)
  return isExchange || (known !== undefined && known.providers !== undefined)
}

/** Characters of a reply that are kept. */
const longest = 1_000

const isAddress = /@|\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f]{0,4}:[0-9a-f]{0,4}:[0-9a-f]{0,4}/i

/** The reply without addresses of mailboxes and hosts, since mail of another project may have caused it. */
export const withoutAddresses = (reply: string): string =>
  reply
    .slice(0, longest)
    .replaceAll(/\s+/g, " ")
    .replaceAll("\0", " ")
    .toWellFormed()
    .split(" ")
    .map((word) => (isAddress.test(word) ? "..." : word))
    .join(" ")
    .trim()
