/**
 * Reads the reports in an inbound mail: delivery reports (RFC 3464), complaints (RFC 5965) and bounces of qmail. Any other
 * mail is inbound mail for a project.
 *
 * The signed token of the return path identifies the reported mail, or else its header `X-Posthorn-Email-Id`, or else its
 * Message-ID. A report with a forged token is ignored. Everyone who received a mail knows its Message-ID, so only the token
 * counts in a report from an unauthenticated client.
 */
import { EmailId } from "@posthorn/contract/mail/emails/Email"
import type { Notification } from "@posthorn/contract/mail/receivers/Notification"
import { EmailAddress } from "@posthorn/contract/platform/Primitives"
import { DateTime, Effect, Option, Schema } from "effect"
import { capped, cut, unbracketed, withoutComments } from "../../content/text/FieldText.ts"
import { TextWork } from "../../content/text/TextWork.ts"
import { ReturnPath } from "../sending/ReturnPath.ts"
import { blocksOf, type Fields, fieldsOf, type ReportedMail, readMail, type UnreadableMail } from "./ReportedMail.ts"

export interface RawMail {
  readonly bytes: Uint8Array
  /** Identifies the report, so that it is applied once. */
  readonly id: string
  /** The recipients of the envelope, or of the header fields if there is no envelope. */
  readonly recipients?: ReadonlyArray<string> | undefined
  /** Whether the client is authenticated. For other clients, only the signed token identifies a mail. */
  readonly isSigned: boolean
}

export interface MailReport {
  /** Empty for a report that identifies no mail, and for inbound mail without a valid sender. */
  readonly read: (mail: RawMail) => Effect.Effect<ReadonlyArray<Notification>, UnreadableMail>
}

const decodeId = Schema.decodeUnknownOption(EmailId)
const decodeAddress = Schema.decodeUnknownOption(EmailAddress)

/** The ids of the reported mail. `isProven` means that a valid token has its id. */
type Named = Pick<Notification, "emailId" | "messageId"> & { readonly isProven: boolean }

/** Makes a text storable in PostgreSQL: replaces NUL and lone surrogates. */
const storable = (text: string): string => text.replaceAll("\0", " ").toWellFormed()

const optionalText = (text: string | null): string | null => (text === null ? null : storable(text))

/** `rfc822; ada@example.com`, with a comment or without. */
const addressIn = (field: string | undefined): string | undefined => {
  const text = capped(field ?? "")
  return Option.getOrUndefined(decodeAddress(unbracketed(withoutComments(text.slice(text.indexOf(";") + 1)))))
}

const instant = (...texts: ReadonlyArray<string | null | undefined>): DateTime.Utc | undefined => {
  for (const text of texts) {
    const found = text ? DateTime.make(withoutComments(capped(text)).trim()) : Option.none()
    if (Option.isSome(found)) return DateTime.toUtc(found.value)
  }
}

const actions: { readonly [action: string]: Notification["type"] } = {
  failed: "bounce",
  delayed: "deferral",
  delivered: "delivery"
}

/** Header fields of the returned mail in a report. */
const returnedFields = ({ parts }: ReportedMail): Fields => {
  const part = parts.find(
    ({ type }) => type === "message/rfc822" || type === "text/rfc822-headers" || type === "message/global"
  )
  const text = new TextDecoder().decode(part?.content.subarray(0, 64 * 1024))
  return fieldsOf(text.split(/\r?\n\r?\n/, 1)[0] ?? "")
}

const report = (mail: ReportedMail, type: string) => mail.parts.find((part) => part.type === type)

/** A bounce of qmail (QSBMF): recipients in angle brackets, each with its reply. */
const qmailBounces = ({ text }: ReportedMail): ReadonlyArray<{ readonly diagnostic: string }> => {
  if (!/^\s*Hi\. This is the (?:qmail-send program|deliver program)/i.test(text ?? "")) return []
  const [body = ""] = (text ?? "").split(/^---? (?:Below this line|Enclosed)/im, 1)
  const bounces: Array<{ readonly diagnostic: string }> = []
  let words: Array<string> | undefined
  const end = () => {
    if (words !== undefined && words.length > 0) bounces.push({ diagnostic: words.join(" ") })
    words = undefined
  }
  for (const line of body.split("\n").map((each) => each.trim())) {
    if (line === "") end()
    else if (words !== undefined) words.push(line)
    else if (line.startsWith("<") && line.endsWith(">:")) words = []
  }
  end()
  return bounces
}

export const make: Effect.Effect<MailReport, never, ReturnPath> = Effect.gen(function* () {
  const work = yield* TextWork
  const returnPath = yield* ReturnPath

  /** Undefined if a token is forged, or nothing identifies a mail. */
  const namedBy = Effect.fnUntraced(function* (
    addresses: ReadonlyArray<string>,
    returned: Fields,
    { isSigned }: RawMail
  ): Effect.fn.Return<Named | undefined> {
    const tokens = yield* Effect.forEach(addresses, (address) => returnPath.mailOf(address))
    const proven = tokens.find((token) => token !== "other" && token !== "forged")
    if (proven !== undefined) return { emailId: EmailId.make(proven), isProven: true }
    if (tokens.includes("forged") || !isSigned) return undefined
    const emailId = Option.getOrNull(decodeId(returned.get("x-posthorn-email-id")))
    const messageId = returned.get("message-id") ?? null
    return emailId === null && !messageId
      ? undefined
      : { emailId, messageId: messageId && cut(storable(messageId), 998), isProven: false }
  })

  const receivedAt = (mail: ReportedMail) => Effect.map(DateTime.now, (now) => instant(mail.date) ?? now)

  const deliveryReport = Effect.fnUntraced(function* (mail: ReportedMail, id: string, { isProven, ...named }: Named) {
    const status = report(mail, "message/delivery-status") ?? report(mail, "message/global-delivery-status")
    const [, ...recipients] = status ? blocksOf(status) : []
    const at = yield* receivedAt(mail)
    return recipients.flatMap((fields, n): ReadonlyArray<Notification> => {
      const type = actions[(fields.get("action") ?? "").toLowerCase().split(/[\s(]/, 1)[0] ?? ""]
      if (type === undefined) return []
      const diagnostic = fields.get("diagnostic-code")?.replace(/^[\w-]+\s*;\s*/, "")
      return [
        {
          ...named,
          id: `${id} ${n}`,
          type,
          // A token belongs to one recipient. Without a token, the recipient of the mail must match.
          recipient: isProven ? null : (addressIn(fields.get("original-recipient")) ?? null),
          timestamp: instant(fields.get("last-attempt-date")) ?? at,
          status: cut(storable(fields.get("status") ?? ""), 100) || null,
          diagnostic: diagnostic === undefined ? null : cut(storable(diagnostic), 4_000)
        }
      ]
    })
  })

  const feedbackReport = Effect.fnUntraced(function* (mail: ReportedMail, id: string, named: Named) {
    const part = report(mail, "message/feedback-report")
    const fields = part ? (blocksOf(part)[0] ?? new Map<string, string>()) : new Map<string, string>()
    const { isProven: _, ...names } = named
    const type = (fields.get("feedback-type") ?? "abuse").toLowerCase()
    const known = ["abuse", "fraud", "virus", "not-spam"] as const
    const feedback: Notification = {
      ...names,
      id,
      type: "complaint",
      timestamp: instant(fields.get("arrival-date"), fields.get("received-date")) ?? (yield* receivedAt(mail)),
      feedbackType: known.find((each) => each === type) ?? "other"
    }
    return part === undefined ? [] : [feedback]
  })

  const inbound = Effect.fnUntraced(function* (mail: ReportedMail, id: string, recipients: ReadonlyArray<string>) {
    const from = Option.getOrUndefined(decodeAddress(mail.from?.address ?? ""))
    if (from === undefined) return []
    const attachments = mail.parts.map(({ type, filename, content }) => ({
      filename: optionalText(filename),
      contentType: storable(type),
      size: content.length
    }))
    const content = {
      from,
      fromName: optionalText(mail.from?.name ?? null) || null,
      to: [...new Set(recipients.map(storable))],
      subject: optionalText(mail.subject),
      text: optionalText(mail.text),
      html: optionalText(mail.html),
      date: optionalText(mail.date),
      messageId: optionalText(mail.messageId),
      attachments
    }
    return [{ id, type: "inbound" as const, timestamp: yield* receivedAt(mail), mail: content }]
  })

  const read = Effect.fn("MailReport.read")(function* (
    raw: RawMail
  ): Effect.fn.Return<ReadonlyArray<Notification>, UnreadableMail> {
    const mail = yield* readMail(raw.bytes, work)
    const recipients = raw.recipients ?? mail.recipients
    if (mail.type === "multipart/report" && mail.reportType === "delivery-status") {
      const named = yield* namedBy(recipients, returnedFields(mail), raw)
      return named ? yield* deliveryReport(mail, raw.id, named) : []
    }
    if (mail.type === "multipart/report" && mail.reportType === "feedback-report") {
      const returned = returnedFields(mail)
      const part = report(mail, "message/feedback-report")
      const sender = part ? blocksOf(part)[0]?.get("original-mail-from") : undefined
      const paths = [sender, returned.get("return-path")].flatMap((path) =>
        path === undefined ? [] : [unbracketed(path)]
      )
      const named = yield* namedBy([...recipients, ...paths], returned, raw)
      return named ? yield* feedbackReport(mail, raw.id, named) : []
    }
    const bounces = qmailBounces(mail)
    if (bounces.length > 0) {
      const named = yield* namedBy(recipients, new Map(), raw)
      if (named === undefined) return []
      const { isProven: _, ...names } = named
      const timestamp = yield* receivedAt(mail)
      return bounces.map(({ diagnostic }, n) => ({
        ...names,
        id: `${raw.id} ${n}`,
        type: "bounce" as const,
        timestamp,
        diagnostic: cut(storable(diagnostic), 4_000)
      }))
    }
    return yield* inbound(mail, raw.id, recipients)
  })

  return { read }
})
