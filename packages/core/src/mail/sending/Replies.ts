/**
 * Classifies an SMTP reply (RFC 5321 4.2, RFC 3463). Pure. The first digit decides whether the mail is tried again. An
 * address counts as bad only if both the code and the enhanced code say so.
 */

export type ReplyClass =
  /** The address is bad or disabled: bounced, and suppressed. */
  | "address"
  /** The server asks to slow down: tried later, without a step of the retry ladder. */
  | "slow_down"
  /** Temporary, including a full mailbox with a 5xx reply: one step of the retry ladder. */
  | "temporary"
  /** Refused permanently because of the message, its sender or a policy. Says nothing about the address. */
  | "rejected"

export interface Reply {
  readonly code?: number | undefined
  readonly enhancedCode?: string | undefined
  readonly reply: string
}

const badAddress = new Set(["5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10", "5.2.1"])
const mailboxFull = new Set(["5.2.2", "4.2.2"])

export const saysFull = (text: string) => /quota|mailbox (?:is )?full|over ?quota|insufficient storage/i.test(text)
const saysSlowDown = (text: string) => /\brate\b|throttl|too many (?:connections|messages)|slow down/i.test(text)

/** The mailbox is full, by any reply code. */
export const isMailboxFull = ({ code = 0, enhancedCode = "", reply }: Reply): boolean =>
  mailboxFull.has(enhancedCode) || (code === 552 && enhancedCode === "" && saysFull(reply))

/**
 * The id of a mail in the provider's reply to its content, as in `250 Ok 0100018f...-000000`: the longest word that has a
 * digit and at least 16 characters. Null if there is no such word.
 */
export const providerId = (reply: string): string | null => {
  const words = reply.match(/[A-Za-z0-9][\w.=+-]{15,200}/g)?.filter((word) => /\d/.test(word)) ?? []
  return words.reduce<string | null>((longest, word) => (word.length > (longest?.length ?? 0) ? word : longest), null)
}

export const classify = ({ code = 0, enhancedCode = "", reply }: Reply): ReplyClass => {
  if (isMailboxFull({ code, enhancedCode, reply })) return "temporary"
  if (code >= 500) return badAddress.has(enhancedCode) ? "address" : "rejected"
  const slow =
    code === 421 || code === 454 || enhancedCode.startsWith("4.7.") || (code === 450 && enhancedCode === "4.2.1")
  return slow || saysSlowDown(reply) ? "slow_down" : "temporary"
}
