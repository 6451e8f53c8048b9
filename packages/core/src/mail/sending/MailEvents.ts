/** Makes the events about a mail, with their payloads. Pure. */
import type { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import type { EmailId, EmailMode, RecipientType, SourceType } from "@posthorn/contract/mail/emails/Email"
import type { Provider } from "@posthorn/contract/mail/emails/Provider"
import { DateTime } from "effect"
import type { NewEvent } from "../../events/EventLog.ts"
import { messageId } from "./MessageId.ts"

/** The fields of the mail in every event about it. */
export interface EventMail {
  readonly id: EmailId
  readonly contactId: ContactId | null
  readonly to: string
  readonly from: string
  readonly fromName: string | null
  readonly subject: string | null
  readonly sourceType: SourceType
  readonly templateId: string | null
  readonly templateVersion: number | null
  readonly campaignId: string | null
  readonly workflowId: string | null
  readonly workflowExecutionId: string | null
  readonly recipientType: RecipientType
  readonly groupId: string | null
  readonly messageId: string | null
  readonly tags: { readonly [key: string]: string }
  /** Default `LIVE`. */
  readonly mode?: EmailMode
  readonly provider: Provider | null
}

const base = (mail: EventMail) => ({
  emailId: mail.id,
  messageId: messageId(mail),
  to: mail.to,
  subject: mail.subject,
  from: mail.from,
  fromName: mail.fromName,
  templateId: mail.templateId,
  templateVersion: mail.templateVersion,
  campaignId: mail.campaignId,
  workflowId: mail.workflowId,
  workflowExecutionId: mail.workflowExecutionId,
  sourceType: mail.sourceType,
  recipientType: mail.recipientType,
  groupId: mail.groupId,
  tags: mail.tags,
  mode: mail.mode ?? "LIVE",
  provider: mail.provider
})

type Name =
  | "email.sent"
  | "email.delivery"
  | "email.open"
  | "email.click"
  | "email.bounce"
  | "email.complaint"
  | "email.failed"

const event = (mail: EventMail, name: Name, more: NewEvent["data"] & object): NewEvent => ({
  contact: mail.contactId,
  email: mail.id,
  name,
  source: "system",
  data: { ...base(mail), ...more }
})

export const sentEvent = (mail: EventMail, at: DateTime.Utc): NewEvent =>
  event(mail, "email.sent", { sentAt: DateTime.formatIso(at) })

export const deliveryEvent = (mail: EventMail, at: DateTime.Utc): NewEvent =>
  event(mail, "email.delivery", { deliveredAt: DateTime.formatIso(at) })

/** One open or click: `ordinal` is its number, `first` the time of the first one of the mail. */
export interface Seen {
  readonly at: DateTime.Utc
  readonly first: DateTime.Utc
  readonly ordinal: number
  readonly verdict: "human" | "machine"
}

export const openEvent = (mail: EventMail, { at, first, ordinal, verdict }: Seen): NewEvent =>
  event(mail, "email.open", {
    openedAt: DateTime.formatIso(first),
    at: DateTime.formatIso(at),
    opens: ordinal,
    isFirstOpen: ordinal === 1,
    verdict
  })

export const clickEvent = (mail: EventMail, link: string | null, { at, first, ordinal, verdict }: Seen): NewEvent =>
  event(mail, "email.click", {
    link,
    clickedAt: DateTime.formatIso(first),
    at: DateTime.formatIso(at),
    clicks: ordinal,
    isFirstClick: ordinal === 1,
    verdict
  })

export const complaintEvent = (mail: EventMail, at: DateTime.Utc, feedbackType: string): NewEvent =>
  event(mail, "email.complaint", { complainedAt: DateTime.formatIso(at), feedbackType })

/** `Permanent`: the address does not work. `Transient`: a later try may. `Undetermined`: the report does not say. */
export type BounceType = "Permanent" | "Transient" | "Undetermined"

interface BounceReply {
  readonly enhancedCode?: string | undefined
  readonly reply: string
}

/** A bounce that ends the mail, from the SMTP session or from a later report. */
export const bounceEvent = (
  mail: EventMail,
  at: DateTime.Utc,
  { bounceType, enhancedCode, reply }: BounceReply & { readonly bounceType: Exclude<BounceType, "Transient"> }
): NewEvent =>
  event(mail, "email.bounce", {
    bounceType,
    status: enhancedCode ?? null,
    diagnostic: reply,
    bouncedAt: DateTime.formatIso(at)
  })

/** A transient bounce. The state of the mail does not change. */
export const softBounceEvent = (mail: EventMail, { enhancedCode, reply }: BounceReply): NewEvent =>
  event(mail, "email.bounce", {
    bounceType: "Transient",
    status: enhancedCode ?? null,
    diagnostic: reply,
    transientBounce: true
  })

/** The provider accepted the mail and then refused to send it. */
export const rejectionEvent = (
  mail: EventMail & { readonly attempts: number },
  at: DateTime.Utc,
  message: string
): NewEvent => failedEvent(mail, at, { code: "rejected", message }, mail.attempts)

export const failedEvent = (
  mail: EventMail,
  at: DateTime.Utc,
  error: { readonly code: string; readonly message: string },
  attempts: number
): NewEvent => event(mail, "email.failed", { failedAt: DateTime.formatIso(at), error: { ...error }, attempts })
