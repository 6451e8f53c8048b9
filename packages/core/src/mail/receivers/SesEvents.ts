/** Converts an event of Amazon SES, in a message of SNS, to notifications: one for each recipient. Pure. */
import { EmailId } from "@posthorn/contract/mail/emails/Email"
import type { InboundMail, Notification } from "@posthorn/contract/mail/receivers/Notification"
import { EmailAddress } from "@posthorn/contract/platform/Primitives"
import { DateTime, Option, Schema } from "effect"
import { cut as cutText, party } from "../../content/text/FieldText.ts"

const text = Schema.optionalKey(Schema.NullOr(Schema.String))
const texts = Schema.optionalKey(Schema.NullOr(Schema.Array(Schema.String)))
const verdict = Schema.optionalKey(Schema.NullOr(Schema.Struct({ status: text })))
const recipients = Schema.optionalKey(
  Schema.Array(Schema.Struct({ emailAddress: Schema.String, status: text, diagnosticCode: text }))
)

const Ses = Schema.Struct({
  notificationType: text,
  eventType: text,
  mail: Schema.Struct({
    timestamp: text,
    messageId: text,
    destination: texts,
    headers: Schema.optionalKey(
      Schema.NullOr(Schema.Array(Schema.Struct({ name: Schema.String, value: Schema.String })))
    ),
    commonHeaders: Schema.optionalKey(
      Schema.NullOr(Schema.Struct({ from: texts, to: texts, subject: text, date: text, messageId: text }))
    )
  }),
  delivery: Schema.optionalKey(Schema.Struct({ timestamp: text, recipients: texts, smtpResponse: text })),
  bounce: Schema.optionalKey(
    Schema.Struct({ bounceType: text, bounceSubType: text, timestamp: text, bouncedRecipients: recipients })
  ),
  complaint: Schema.optionalKey(
    Schema.Struct({ timestamp: text, complaintFeedbackType: text, complainedRecipients: recipients })
  ),
  deliveryDelay: Schema.optionalKey(Schema.Struct({ timestamp: text, delayType: text, delayedRecipients: recipients })),
  reject: Schema.optionalKey(Schema.Struct({ reason: text })),
  failure: Schema.optionalKey(Schema.Struct({ errorMessage: text })),
  open: Schema.optionalKey(Schema.Struct({ timestamp: text, userAgent: text, ipAddress: text })),
  click: Schema.optionalKey(Schema.Struct({ timestamp: text, userAgent: text, ipAddress: text, link: text })),
  receipt: Schema.optionalKey(
    Schema.Struct({
      timestamp: text,
      recipients: texts,
      spamVerdict: verdict,
      spfVerdict: verdict,
      dkimVerdict: verdict,
      dmarcVerdict: verdict
    })
  )
})
type Ses = typeof Ses.Type

const decodeSes = Schema.decodeUnknownOption(Schema.fromJsonString(Ses))
const decodeAddress = Schema.decodeUnknownOption(EmailAddress)
const decodeId = Schema.decodeUnknownOption(EmailId)
const decodeFeedback = Schema.decodeUnknownOption(Schema.Literals(["abuse", "fraud", "virus", "not-spam", "other"]))

const address = (given: string | null | undefined): string | undefined =>
  Option.getOrUndefined(decodeAddress(party(given ?? "").address))

const instant = (...given: ReadonlyArray<string | null | undefined>): DateTime.Utc | undefined => {
  for (const value of given) {
    const time = value ? DateTime.make(value) : Option.none()
    if (Option.isSome(time)) return DateTime.toUtc(time.value)
  }
}

const bounceTypes = { Permanent: "Permanent", Transient: "Transient" } as const
const isKnown = (type: string): type is keyof typeof bounceTypes => Object.hasOwn(bounceTypes, type)

const cut = (text: string | null | undefined, length: number): string | null =>
  text === null || text === undefined ? null : cutText(text, length)

const inboundMail = ({ mail, receipt }: Ses): InboundMail | undefined => {
  const from = party(mail.commonHeaders?.from?.[0] ?? "")
  const sender = address(from.address)
  if (sender === undefined) return undefined
  return {
    from: sender,
    fromName: from.name,
    to: receipt?.recipients ?? mail.destination ?? [],
    subject: mail.commonHeaders?.subject ?? null,
    date: mail.commonHeaders?.date ?? null,
    messageId: mail.commonHeaders?.messageId ?? null,
    spf: receipt?.spfVerdict?.status ?? null,
    dkim: receipt?.dkimVerdict?.status ?? null,
    dmarc: receipt?.dmarcVerdict?.status ?? null,
    spam: receipt?.spamVerdict?.status ?? null
  }
}

/** Empty for a type of event that is not used. Undefined if the message is not from SES. */
export const notificationsOf = (
  messageId: string,
  message: string,
  receivedAt: DateTime.Utc
): ReadonlyArray<Notification> | undefined => {
  const decoded = decodeSes(message)
  if (Option.isNone(decoded)) return undefined
  const ses = decoded.value
  const { mail } = ses
  const header = mail.headers?.find(({ name }) => name.toLowerCase() === "x-posthorn-email-id")?.value
  const named = { emailId: Option.getOrNull(decodeId(header?.trim())), messageId: cut(mail.messageId, 998) }

  const one = (
    type: Notification["type"],
    recipient: string | null | undefined,
    timestamp: DateTime.Utc | undefined,
    more: Partial<Notification> = {}
  ): Notification => ({
    ...named,
    id: cut(`${messageId} ${recipient ?? ""}`.trim(), 255) ?? messageId,
    type,
    // An invalid address is left out.
    recipient: recipient ? (address(recipient) ?? null) : null,
    timestamp: timestamp ?? receivedAt,
    ...more
  })
  const sent = mail.destination?.[0]

  switch (ses.eventType ?? ses.notificationType) {
    case "Delivery":
      return (ses.delivery?.recipients ?? []).map((to) =>
        one("delivery", to, instant(ses.delivery?.timestamp), { diagnostic: cut(ses.delivery?.smtpResponse, 4_000) })
      )
    case "Bounce": {
      const type = ses.bounce?.bounceType ?? ""
      const isFull = ses.bounce?.bounceSubType === "MailboxFull"
      return (ses.bounce?.bouncedRecipients ?? []).map(({ emailAddress, status, diagnosticCode }) =>
        one("bounce", emailAddress, instant(ses.bounce?.timestamp), {
          bounceType: isKnown(type) ? bounceTypes[type] : "Undetermined",
          status: cut(status, 100) ?? (isFull ? "5.2.2" : null),
          diagnostic: cut(diagnosticCode ?? ses.bounce?.bounceSubType, 4_000)
        })
      )
    }
    case "Complaint":
      return (ses.complaint?.complainedRecipients ?? []).map(({ emailAddress }) =>
        one("complaint", emailAddress, instant(ses.complaint?.timestamp), {
          feedbackType: Option.getOrNull(decodeFeedback(ses.complaint?.complaintFeedbackType))
        })
      )
    case "DeliveryDelay":
      return (ses.deliveryDelay?.delayedRecipients ?? []).map(({ emailAddress, status, diagnosticCode }) =>
        one("deferral", emailAddress, instant(ses.deliveryDelay?.timestamp), {
          status: cut(status, 100),
          diagnostic: cut(diagnosticCode ?? ses.deliveryDelay?.delayType, 4_000)
        })
      )
    case "Reject":
      return [one("rejected", sent, instant(mail.timestamp), { diagnostic: cut(ses.reject?.reason, 4_000) })]
    case "Rendering Failure":
      return [one("rejected", sent, instant(mail.timestamp), { diagnostic: cut(ses.failure?.errorMessage, 4_000) })]
    case "Open":
      return [
        one("open", sent, instant(ses.open?.timestamp), {
          userAgent: cut(ses.open?.userAgent, 4_000),
          ip: cut(ses.open?.ipAddress, 100)
        })
      ]
    case "Click":
      return [
        one("click", sent, instant(ses.click?.timestamp), {
          link: cut(ses.click?.link, 16_000),
          userAgent: cut(ses.click?.userAgent, 4_000),
          ip: cut(ses.click?.ipAddress, 100)
        })
      ]
    case "Received": {
      const content = inboundMail(ses)
      if (content === undefined) return []
      return [
        { id: messageId, type: "inbound", timestamp: instant(ses.receipt?.timestamp) ?? receivedAt, mail: content }
      ]
    }
    default:
      return []
  }
}
