/**
 * The receiving side of the month, by recipient domain: one mailbox provider takes only so much mail in an hour, one
 * refuses everything, and all others accept.
 */
import type { Misbehaviour, Moment } from "@posthorn/mailer-smtp/testing"

export const throttling = "gmail.com"
export const refusing = "gmx.de"
/** The others. */
export const open = ["example.com", "example.net", "example.org"]

export const domainOf = (address: string): string => address.slice(address.indexOf("@") + 1)

/** Mailboxes of the refusing provider that do not exist; the others are refused by its policy. */
export const isGone = (address: string): boolean => address.startsWith("gone-")

export interface Providers {
  readonly misbehave: (moment: Moment) => Misbehaviour | undefined
  /** Begins an hour of the service's time. */
  readonly begin: (hour: number) => void
  /** Replies with 421, and with 5xx. */
  readonly counts: () => { readonly throttled: number; readonly refused: number }
}

/** `perHour` mails of the throttling provider are accepted in each hour of the service's time. */
export const make = (perHour: number): Providers => {
  let [hour, left, throttled, refused] = [-1, perHour, 0, 0]
  const reply = (domain: string, address: string): string | undefined => {
    if (domain === refusing) {
      refused++
      return isGone(address)
        ? "550 5.1.1 Requested action not taken: mailbox unavailable"
        : "554 5.7.1 Transaction failed: policy"
    }
    if (domain !== throttling || left-- > 0) return undefined
    throttled++
    return "421 4.7.28 Our system has detected an unusual rate of mail"
  }
  return {
    misbehave: ({ rcpt, stage }) => {
      const text = stage === "rcpt" ? reply(domainOf(rcpt), rcpt) : undefined
      return text === undefined ? undefined : { reply: text }
    },
    begin: (next) => {
      if (next === hour) return
      hour = next
      left = perHour
    },
    counts: () => ({ throttled, refused })
  }
}
