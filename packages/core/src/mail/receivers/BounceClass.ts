/** Classifies a bounce: permanent, transient or undetermined. Pure. */

import type { BounceType } from "../sending/MailEvents.ts"
import { saysFull } from "../sending/Replies.ts"

export interface BounceEvidence {
  /** The classification by the provider. If given, it is used. */
  readonly bounceType?: BounceType | null | undefined
  /** The `Status` field of the report (RFC 3463). */
  readonly status?: string | null | undefined
  /** The reply of the receiving server. */
  readonly diagnostic?: string | null | undefined
}

const badAddress = new Set(["5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10", "5.2.1", "5.4.4"])

const noSuchMailbox =
  /\b(?:unknown|no such|non[- ]?existent|invalid|unrecognized|unrouteable|unroutable)\b.{0,30}\b(?:user|recipient|mailbox|address|account|domain|host)\b|\b(?:user|recipient|mailbox|address|account|domain|host)\b.{0,40}\b(?:unknown|not found|unavailable to deliver|does(?: not|n't) exist|no longer exists?|not exist|invalid|unrouteable|unroutable)\b|no mailbox here|NXDOMAIN/i

/** The code in a reply, as in `550 5.1.1 User unknown` or `(#5.1.1)`. */
const codeIn = (text: string): string | undefined =>
  /(?:^|[\s(#-])([245]\.\d{1,3}\.\d{1,3})(?=$|[\s),:;.-])/.exec(text)?.[1]

/** The enhanced code of the report or, if that is `x.0.0`, the one in the reply. */
export const statusOf = ({ status, diagnostic }: BounceEvidence): string | undefined => {
  const given = codeIn(status ?? "")
  const replied = codeIn(diagnostic ?? "")
  return given === undefined || (/\.0\.0$/.test(given) && replied !== undefined) ? (replied ?? given) : given
}

export const bounceType = (evidence: BounceEvidence): BounceType => {
  if (evidence.bounceType) return evidence.bounceType
  const text = evidence.diagnostic ?? ""
  const code = statusOf(evidence)
  if (code === "5.2.2" || code?.startsWith("4.")) return "Transient"
  if (code !== undefined && badAddress.has(code)) return "Permanent"
  if (code !== undefined && code !== "5.0.0") return "Undetermined"
  if (saysFull(text)) return "Transient"
  if (noSuchMailbox.test(text)) return "Permanent"
  return code === undefined && /^\s*4\d\d\b/.test(text) ? "Transient" : "Undetermined"
}

/** Whether a soft bounce is about the mailbox itself. A soft bounce without a code counts as one. */
export const isAboutMailbox = (evidence: BounceEvidence): boolean => {
  const code = statusOf(evidence)
  return code === undefined || /^[45]\.(?:2\.\d+|0\.0)$/.test(code) || saysFull(evidence.diagnostic ?? "")
}
