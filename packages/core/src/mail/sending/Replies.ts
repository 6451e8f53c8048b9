/**
 * What an SMTP reply means for the mail, the recipient and the transport (RFC 5321 4.2, RFC 3463).
 * Pure. The first digit decides whether to try again; an address is given up only where code and enhanced code agree.
 */

export type ReplyClass =
  /** The address is bad or disabled: bounced, and suppressed. */
  | "address"
  /** The server asks for patience: tried later, and not counted as a try. */
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
 * The id that a provider gives a mail in its reply to the final dot, as `250 Ok 0100018f...-000000`: its longest word,
 * if that is long enough to be no other mail's. Null where a reply names none.
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
