/** What peers and providers report about mail that went out, and mail that comes in (contract-2 14.1). */
import { Schema } from "effect"
import { EmailId } from "../emails/Email.ts"
import { described, Email, isLength, listOf, optional, required, Timestamp } from "../Wire.ts"

const Line = (max: number) => Schema.String.check(isLength(0, max))

/** A mail that came in, as whoever took it describes it. */
export const InboundMail = Schema.Struct({
  from: required(Email),
  fromName: optional(Line(998)),
  to: optional(Schema.Union([Schema.String, Schema.Array(Schema.String)])).pipe(
    described("One address or several; each whose domain is verified gets the mail.")
  ),
  subject: optional(Line(100_000)),
  text: optional(Schema.String),
  html: optional(Schema.String),
  date: optional(Schema.String),
  attachments: optional(
    Schema.Array(
      Schema.Struct({
        filename: optional(Schema.String),
        contentType: optional(Schema.String),
        size: optional(Schema.Int)
      })
    )
  ),
  messageId: optional(Schema.String),
  spf: optional(Schema.String),
  dkim: optional(Schema.String),
  dmarc: optional(Schema.String),
  spam: optional(Schema.Union([Schema.String, Schema.Boolean, Schema.Finite]))
}).annotate({ identifier: "InboundMail", description: "A mail that came in." })
export type InboundMail = typeof InboundMail.Type

export const Notification = Schema.Struct({
  id: required(Schema.String.check(isLength(1, 255))).pipe(
    described("Unique; an event that comes again is not applied.")
  ),
  type: required(
    Schema.Literals(["delivery", "bounce", "complaint", "deferral", "open", "click", "rejected", "inbound"])
  ),
  emailId: optional(EmailId).pipe(
    described("Id of the mail, as in its header `X-Posthorn-Email-Id`; this or `messageId`, except for `inbound`.")
  ),
  messageId: optional(Schema.String.check(isLength(1, 998))).pipe(
    described("Message-ID with or without brackets, or the id that the provider gave the mail when it took it.")
  ),
  recipient: optional(Email).pipe(described("If it is not the recipient of the mail, the event is ignored.")),
  timestamp: required(Timestamp).pipe(described("When it happened; the future counts as now.")),
  bounceType: optional(Schema.Literals(["Permanent", "Transient", "Undetermined"])).pipe(
    described("Else it follows from `status` and `diagnostic`.")
  ),
  status: optional(Line(100)).pipe(described("Enhanced status code (RFC 3463): `5.1.1`.")),
  diagnostic: optional(Line(4_000)).pipe(described("What the peer replied.")),
  feedbackType: optional(Schema.Literals(["abuse", "fraud", "virus", "not-spam", "other"])),
  link: optional(Line(16_000)),
  userAgent: optional(Line(4_000)).pipe(described("Only tells machines from people; it is not kept.")),
  ip: optional(Line(100)).pipe(described("As `userAgent`.")),
  mail: optional(InboundMail).pipe(described("With `inbound`: the mail."))
}).annotate({ identifier: "Notification", description: "One thing that happened to one mail." })
export type Notification = typeof Notification.Type

/** Most events of one call (contract-2 20). */
export const maxNotifications = 1000

export const Notifications = Schema.Struct({
  events: required(
    listOf(
      Notification,
      Schema.isMinLength(1, { code: "too_small", message: "At least one event." }),
      Schema.isMaxLength(maxNotifications, { code: "too_big", message: `At most ${maxNotifications} events.` })
    )
  )
}).annotate({ identifier: "Notifications", description: "1 to 1,000 events; one event may also stand by itself." })

/** What became of the events of a call. */
export const Tally = Schema.Struct({
  accepted: Schema.Int.pipe(described("Applied.")),
  duplicates: Schema.Int.pipe(described("Applied before; nothing changed.")),
  parked: Schema.Int.pipe(described("About mail that is not known yet; tried again for 24 hours.")),
  ignored: Schema.Int.pipe(described("Nothing follows from them."))
}).annotate({ identifier: "Tally", description: "What became of the events." })
export type Tally = typeof Tally.Type
