/** Reports of relays and providers about sent mail, and inbound mail. */
import { Schema } from "effect"
import {
  described,
  EmailAddress,
  isLength,
  listOf,
  optional,
  required,
  TimestampInput
} from "../../platform/Primitives.ts"
import { EmailId } from "../emails/Email.ts"

const Line = (max: number) => Schema.String.check(isLength(0, max))
const atMost = (max: number) => Schema.isMaxLength(max, { code: "too_big", message: `At most ${max} items.` })
const maxText = 10 * 1024 * 1024

/** An inbound email, as the relay that received it describes it. */
export const InboundMail = Schema.Struct({
  from: required(EmailAddress),
  fromName: optional(Line(998)),
  to: optional(Schema.Union([Line(998), Schema.Array(Line(998)).check(atMost(1_000))])).pipe(
    described("One address or several; each whose domain is verified gets the mail.")
  ),
  subject: optional(Line(100_000)),
  text: optional(Line(maxText)),
  html: optional(Line(maxText)),
  date: optional(Line(998)),
  attachments: optional(
    Schema.Array(
      Schema.Struct({
        filename: optional(Line(4_000)),
        contentType: optional(Line(4_000)),
        size: optional(Schema.Int)
      })
    ).check(atMost(1_000))
  ),
  messageId: optional(Line(4_000)),
  spf: optional(Line(4_000)).pipe(described("Result of SPF, in the terms of RFC 8601 or of the provider.")),
  dkim: optional(Line(4_000)).pipe(described("Result of DKIM.")),
  dmarc: optional(Line(4_000)).pipe(
    described("Result of DMARC. A project with `rejectDmarcFailures` gets no event for mail with `fail`.")
  ),
  spam: optional(Schema.Union([Line(4_000), Schema.Boolean, Schema.Finite]))
}).annotate({ identifier: "InboundMail", description: "An inbound mail." })
export type InboundMail = typeof InboundMail.Type

export const Notification = Schema.Struct({
  id: required(Schema.String.check(isLength(1, 255))).pipe(
    described("Unique id; an event that is sent again is not applied.")
  ),
  type: required(
    Schema.Literals(["delivery", "bounce", "complaint", "deferral", "open", "click", "rejected", "inbound"])
  ),
  emailId: optional(EmailId).pipe(
    described("Id of the mail, as in its header `X-Posthorn-Email-Id`; this or `messageId`, except for `inbound`.")
  ),
  messageId: optional(Schema.String.check(isLength(1, 998))).pipe(
    described("Message-ID with or without brackets, or the id that the provider gave the mail when it accepted it.")
  ),
  recipient: optional(EmailAddress).pipe(described("If it is not the recipient of the mail, the event is ignored.")),
  timestamp: required(TimestampInput).pipe(described("When it happened; the future counts as now.")),
  bounceType: optional(Schema.Literals(["Permanent", "Transient", "Undetermined"])).pipe(
    described("Absent: derived from `status` and `diagnostic`.")
  ),
  status: optional(Line(100)).pipe(described("Enhanced status code (RFC 3463): `5.1.1`.")),
  diagnostic: optional(Line(4_000)).pipe(described("The reply of the server.")),
  feedbackType: optional(Schema.Literals(["abuse", "fraud", "virus", "not-spam", "other"])),
  link: optional(Line(16_000)),
  userAgent: optional(Line(4_000)).pipe(described("Only used to recognise bots; it is not stored.")),
  ip: optional(Line(100)).pipe(described("As `userAgent`.")),
  mail: optional(InboundMail).pipe(described("With `inbound`: the mail."))
}).annotate({ identifier: "Notification", description: "One event about one mail." })
export type Notification = typeof Notification.Type

/** Most events of one call. */
export const maxNotifications = 1000

export const Notifications = Schema.Struct({
  events: required(
    listOf(
      Notification,
      Schema.isMinLength(1, { code: "too_small", message: "At least one event." }),
      Schema.isMaxLength(maxNotifications, { code: "too_big", message: `At most ${maxNotifications} events.` })
    )
  )
}).annotate({ identifier: "Notifications", description: "1 to 1,000 events. The body may also be a single event." })

/** Counts of what happened to the events of a call. */
export const Tally = Schema.Struct({
  accepted: Schema.Int.pipe(described("Applied.")),
  duplicates: Schema.Int.pipe(described("Already applied earlier; nothing changed.")),
  parked: Schema.Int.pipe(described("About mail that is not known yet; retried for 24 hours.")),
  ignored: Schema.Int.pipe(described("Events without an effect."))
}).annotate({ identifier: "Tally", description: "The results of the events." })
export type Tally = typeof Tally.Type
