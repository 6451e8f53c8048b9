/** `POST /v1/send`: sends an email to one or many recipients. */
import { Schema } from "effect"
import { ContactData } from "../../audience/contacts/Contact.ts"
import { Body } from "../../content/templates/Template.ts"
import { EmailStatus } from "../../mail/emails/Email.ts"
import { DisplayName } from "../../platform/DisplayName.ts"
import { Mailbox } from "../../platform/Mailbox.ts"
import { described, Email, Id, listOf, optional, required, Subject, Timestamp } from "../../platform/Primitives.ts"
import { Attachments } from "./Attachments.ts"
import { CustomHeaders } from "./CustomHeaders.ts"

const PartyName = DisplayName(200)

/** An address, alone or with a display name. */
const Party = Schema.Union([Mailbox, Schema.Struct({ email: required(Email), name: optional(PartyName) })])

const Recipients = listOf(
  Party,
  Schema.isMinLength(1, { message: "At least one recipient." }),
  Schema.isMaxLength(1000, { message: "At most 1,000 recipients." })
)

export const SendEmail = Schema.Struct({
  to: required(Schema.Union([Party, Recipients])).pipe(
    described(
      "One recipient or 1 to 1,000, each an address, alone or with a display name: `ada@example.com`, `Ada <ada@example.com>`, or `{email, name}`."
    )
  ),
  template: optional(Id).pipe(
    described(
      "Id of a template that supplies subject, body, sender, reply address and type; fields of the request win over it, one by one."
    )
  ),
  templateId: optional(Id).pipe(described("The same as `template`, which wins.")),
  subject: optional(Subject).pipe(
    described("1 to 998 characters on one line, with placeholders. Needed without a template.")
  ),
  body: optional(Body).pipe(
    described("HTML with `{{variable}}` placeholders, at most 2 MB. Needed without a template.")
  ),
  from: optional(Party).pipe(
    described("The sender; its domain must be verified for the project. Needed unless the template has one.")
  ),
  name: optional(PartyName).pipe(described("Deprecated display name of the sender; `from.name` is better.")),
  fromName: optional(PartyName).pipe(described("The same as `name`, which wins.")),
  subscribed: optional(Schema.Boolean).pipe(
    described("Applied to every recipient. Absent: new contacts are not subscribed, existing ones keep their state.")
  ),
  data: optional(ContactData),
  headers: optional(CustomHeaders).pipe(
    described(
      "At most 50 headers of your own, values of at most 998 characters on one line. Those that the service sets itself or that relays act on (`X-SES-*`, `X-SMTPAPI`, `Resent-*` and others) are refused."
    )
  ),
  reply: optional(Mailbox).pipe(described("Address for replies.")),
  replyTo: optional(Mailbox).pipe(described("The same as `reply`, which wins.")),
  attachments: optional(Attachments).pipe(
    described("At most 10 files of together 10 MB, unless the server is set otherwise.")
  ),
  tracking: optional(Schema.Boolean).pipe(described("Overrides the project's tracking setting for this request."))
}).annotate({ identifier: "SendEmail" })
export type SendEmail = typeof SendEmail.Type

/** The emails are stored and queued. The record of each email has its delivery state. */
export const SentEmails = Schema.Struct({
  success: Schema.Literal(true),
  data: Schema.Struct({
    emails: Schema.Array(
      Schema.Struct({
        contact: Schema.Struct({ id: Schema.String, email: Schema.String }),
        email: Schema.String.pipe(described("Id of the email's record.")),
        status: EmailStatus
      })
    ),
    timestamp: Timestamp
  })
}).annotate({
  identifier: "SentEmails",
  description: "Stored and queued, one entry for each recipient in the order of `to`."
})
export type SentEmails = typeof SentEmails.Type
