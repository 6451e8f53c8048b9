/** `POST /v1/send`: sends an email to one or many recipients. */
import { Schema } from "effect"
import { BillingLimitExceeded } from "../../accounts/billing/Billing.ts"
import { ContactData, EmailAlreadyExists, ExternalId, isNamed } from "../../audience/contacts/Contact.ts"
import { DoubleOptIn } from "../../audience/optins/RequestedOptIn.ts"
import { TopicReference } from "../../audience/topics/TopicReference.ts"
import { Alias, Body, TemplateNotFound } from "../../content/templates/Template.ts"
import { Forbidden } from "../../platform/Auth.ts"
import { DisplayName } from "../../platform/DisplayName.ts"
import { Conflict, envelope, RateLimitExceeded, SenderDomainUnverified } from "../../platform/Errors.ts"
import { LanguageTag } from "../../platform/LanguageTag.ts"
import { Mailbox } from "../../platform/Mailbox.ts"
import {
  described,
  EmailAddress,
  Id,
  listOf,
  optional,
  required,
  Subject,
  Timestamp
} from "../../platform/Primitives.ts"
import { EmailStatus, SendTime } from "../emails/Email.ts"
import { Tags } from "../emails/Tags.ts"
import { Attachments } from "./Attachments.ts"
import { CustomHeaders } from "./CustomHeaders.ts"

const PartyName = DisplayName(200)

/** An address, alone or with a display name. */
const Party = Schema.Union([Mailbox, Schema.Struct({ email: required(EmailAddress), name: optional(PartyName) })])

/** An address as above, or a contact by the caller's own id. */
const RecipientParty = Schema.Union([
  Mailbox,
  Schema.Struct({
    email: optional(EmailAddress),
    externalId: optional(ExternalId).pipe(
      described("The caller's own id of the contact, as in `POST /contacts`: it finds the contact before `email` does.")
    ),
    name: optional(PartyName)
  }).check(isNamed)
])

const Recipients = listOf(
  RecipientParty,
  Schema.isMinLength(1, { message: "At least one recipient." }),
  Schema.isMaxLength(1000, { message: "At most 1,000 recipients." })
)

/** More than the 49 that are allowed, so that an address given twice is merged before they are counted. */
const Copies = Schema.Union([
  Party,
  listOf(Party, Schema.isMaxLength(1000, { message: "At most 49 recipients of a copy." }))
])

export const SendEmail = Schema.Struct({
  to: required(Schema.Union([RecipientParty, Recipients])).pipe(
    described(
      "One recipient or 1 to 1,000, each an address, alone or with a display name: `ada@example.com`, `Ada <ada@example.com>`, `{email, name}`, or `{externalId}` of a known contact."
    )
  ),
  cc: optional(Copies).pipe(
    described(
      "Recipients of a visible copy, as in `to`: a `Cc` header shows them to all recipients. Needs exactly one `to` recipient and type `TRANSACTIONAL`; at most 49 copies with `bcc`."
    )
  ),
  bcc: optional(Copies).pipe(
    described("Recipients of a blind copy, whom no header names. Otherwise like `cc`. An address gets only one email.")
  ),
  template: optional(Id).pipe(
    described(
      "Id of a template that supplies subject, body, sender, reply address and type; each field of the request overrides that of the template."
    )
  ),
  templateId: optional(Id).pipe(described("Alias of `template`, which takes precedence.")),
  templateAlias: optional(Alias).pipe(
    described("The alias of a template. `template` and `templateId` take precedence.")
  ),
  locale: optional(LanguageTag).pipe(
    described(
      "Language of the mail: `de`, `pt-BR`. It selects the translation of the template, the footer, and the words of dates. Absent: `locale` of the contact, otherwise the language of the project. Not stored on the contact."
    )
  ),
  subject: optional(Subject).pipe(
    described("1 to 998 characters on one line, with placeholders. Required without a template.")
  ),
  body: optional(Body).pipe(
    described(
      "HTML with `{{variable}}` placeholders, at most 2 MB. Without a template, `body`, `text` or both are needed."
    )
  ),
  text: optional(Body).pipe(
    described(
      "The plain text part, with placeholders that are not escaped, at most 2 MB. Absent: derived from the HTML. Text without `body` gives a mail with one plain part, without tracking."
    )
  ),
  interpolate: optional(Schema.Boolean).pipe(
    described(
      "`false`: subject, body and text are sent as written, and `{{` is plain text. Not together with a template.",
      "true"
    )
  ),
  strict: optional(Schema.Boolean).pipe(
    described(
      "`true`: the request is refused if a variable that the mail prints has neither a value nor a fallback, with the code `missing_variable` and the field `data.<path>`. Absent: the setting of the template, otherwise `false`."
    )
  ),
  from: optional(Party).pipe(
    described("The sender; its domain must be verified for the project. Required unless the template has one.")
  ),
  name: optional(PartyName).pipe(described("Display name of the sender. Deprecated: use `from.name`.")),
  fromName: optional(PartyName).pipe(described("Alias of `name`, which takes precedence.")),
  subscribed: optional(Schema.Boolean).pipe(
    described(
      "Applied to every recipient. If absent, new contacts are not subscribed and existing ones keep their state."
    )
  ),
  doubleOptIn: DoubleOptIn,
  data: optional(ContactData),
  headers: optional(CustomHeaders).pipe(
    described(
      "At most 50 additional headers, with values of at most 998 characters on one line. Headers that the service sets or that relays act on (`X-SES-*`, `X-SMTPAPI`, `Resent-*` and others) are refused."
    )
  ),
  reply: optional(Mailbox).pipe(described("Address for replies.")),
  replyTo: optional(Mailbox).pipe(described("Alias of `reply`, which takes precedence.")),
  tags: optional(Tags).pipe(
    described(
      "At most 10 keys of 1 to 64 letters, digits, `.`, `-` and `_`, each with a text of 1 to 256 characters, a number or a boolean, stored as text. `GET /emails?tag=order:4711` finds emails by tag; events and webhooks of the email contain them."
    )
  ),
  scheduledFor: optional(SendTime).pipe(
    described(
      "When to send: ISO 8601, in UTC without a zone, at most 365 days ahead. Absent, null or past: at once. Texts, sender, recipients and data are fixed now; suppression, subscription and sender domain are checked when it is sent."
    )
  ),
  attachments: optional(Attachments).pipe(
    described("At most 10 files with a total of 10 MB, unless the server has other limits.")
  ),
  topic: optional(TopicReference).pipe(
    described(
      "Id or key of the topic of the mail. Each recipient must take it: 422 `contact_unsubscribed` otherwise. Absent: the template's. Not for mail of type `TRANSACTIONAL`."
    )
  ),
  tracking: optional(Schema.Boolean).pipe(described("Overrides the project's tracking setting for this request."))
}).annotate({ identifier: "SendEmail" })
export type SendEmail = typeof SendEmail.Type

const Sent = Schema.Struct({
  contact: Schema.Struct({ id: Schema.String, email: Schema.String }),
  email: Schema.String.pipe(described("Id of the email's record.")),
  status: EmailStatus
})

const SentCopy = Schema.Struct({
  to: Schema.String,
  type: Schema.Literals(["CC", "BCC"]),
  email: Schema.String.pipe(described("Id of the email's record.")),
  status: EmailStatus
})

/** The emails of one request, or of one item of a batch. */
export const sentFields = {
  emails: Schema.Array(Sent),
  copies: Schema.optionalKey(Schema.Array(SentCopy)).pipe(
    described("The emails to `cc` and `bcc`. Absent if there are none.")
  )
}

export const SentEmails = Schema.Struct({
  success: Schema.Literal(true),
  data: Schema.Struct({ ...sentFields, timestamp: Timestamp })
}).annotate({
  identifier: "SentEmails",
  description: "Stored and queued, one entry for each recipient in the order of `to`."
})
export type SentEmails = typeof SentEmails.Type

/** Bytes of the body: enough for ten attachments of the default total size in base64, and the texts. */
export const sendLimit = 40 * 1024 * 1024

/** Why mail is refused as a whole. */
export const sendErrors = [
  envelope(TemplateNotFound),
  envelope(SenderDomainUnverified),
  envelope(BillingLimitExceeded),
  envelope(EmailAlreadyExists),
  envelope(Conflict),
  envelope(Forbidden),
  envelope(RateLimitExceeded)
] as const
