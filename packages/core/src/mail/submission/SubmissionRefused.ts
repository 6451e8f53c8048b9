/** The SMTP replies that refuse a login, a client or a message. Pure. */
import type { ValidationError } from "@posthorn/contract/platform/Errors"
import { Data } from "effect"
import type { AcceptRefusal } from "../sending/Sending.ts"

/** A refusal: reply code (RFC 5321 section 4.2), enhanced status code (RFC 3463) and reason. */
export class SubmissionRefused extends Data.TaggedError("SubmissionRefused")<{
  readonly code: number
  readonly status: string
  readonly reason: string
}> {
  /** The reply without its code. One line of ASCII that fits into a reply (RFC 5321 section 4.5.3.1.5). */
  override get message() {
    return `${this.status} ${this.reason.replace(/[^\x20-\x7e]+/g, "?")}`.slice(0, 500)
  }
}

export const refused = (code: number, status: string, reason: string): SubmissionRefused =>
  new SubmissionRefused({ code, status, reason })

/** The message or one of its headers has a fault. */
export const faulty = (reason: string): SubmissionRefused => refused(554, "5.6.0", reason)

/** Fields that a message has as control headers, and that `Sending` checks. */
const headerOf: { readonly [field: string]: string } = {
  interpolate: "Header X-Posthorn-Interpolate",
  scheduledFor: "Header X-Posthorn-Scheduled-For"
}

const reasonOf = ({ errors: [fault] }: ValidationError) =>
  fault === undefined
    ? "The message has a fault"
    : [headerOf[fault.field] ?? fault.field, fault.message].filter(Boolean).join(": ")

/** The reply to a message that `Sending` refuses. */
export const replyTo = (refusal: AcceptRefusal): SubmissionRefused => {
  switch (refusal._tag) {
    case "BILLING_LIMIT_EXCEEDED":
      return refused(451, "4.7.1", refusal.message)
    case "RATE_LIMIT_EXCEEDED":
      return refused(451, "4.7.1", refusal.message)
    case "FORBIDDEN":
      return refused(550, "5.7.1", refusal.domain ? `The key may not send from ${refusal.domain}` : refusal.message)
    case "PAYLOAD_TOO_LARGE":
      return refused(552, "5.3.4", refusal.message)
    case "SENDER_DOMAIN_UNVERIFIED":
      return refused(550, "5.7.1", `The domain ${refusal.domain} is not verified for this project`)
    case "CONFLICT":
    // Recipients of a message have no external ids.
    case "EMAIL_ALREADY_EXISTS":
    case "TEMPLATE_NOT_FOUND":
      return faulty(refusal.message)
    case "VALIDATION_ERROR":
      return faulty(reasonOf(refusal))
  }
}
