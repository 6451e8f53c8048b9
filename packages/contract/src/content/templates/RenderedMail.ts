/** A mail that is rendered but not sent. */
import { Schema } from "effect"
import { ContactData } from "../../audience/contacts/Contact.ts"
import { LanguageTag } from "../../platform/LanguageTag.ts"
import { AtLeastOne, described, EmailAddress, Id, optional, Subject } from "../../platform/Primitives.ts"
import { Body, EmailType, Layout, MjmlSource, TemplateFormat, UpdateTemplate } from "./Template.ts"

/** Which texts of a template. */
export const VersionOrDraft = Schema.Union([AtLeastOne, Schema.Literal("draft")])

const recipient = {
  contactId: optional(Id).pipe(described("The contact whose data is used.")),
  email: optional(EmailAddress).pipe(
    described("Address of the contact whose data is used. Without both, the mail is rendered without a contact.")
  ),
  data: optional(ContactData),
  locale: optional(LanguageTag).pipe(
    described(
      "Chooses the translation. Absent: the `locale` of `data`, then of the contact, then the project's language."
    )
  )
}

const {
  name: _name,
  description: _description,
  alias: _alias,
  expectedVersion: _expected,
  ...content
} = UpdateTemplate.fields

/** Body of `POST /templates/{id}/render`. */
export const RenderTemplate = Schema.Struct({
  version: optional(VersionOrDraft).pipe(described("A version, or `draft`. Absent: the live version.")),
  ...content,
  ...recipient
}).annotate({ identifier: "RenderTemplate" })
export type RenderTemplate = typeof RenderTemplate.Type

/** Body of `POST /templates/render`. */
export const RenderTexts = Schema.Struct({
  subject: optional(Subject).pipe(described("1 to 998 characters on one line, with placeholders.")),
  body: optional(Body).pipe(described("HTML with `{{variable}}` placeholders, at most 2 MB. Required without `text`.")),
  format: optional(TemplateFormat).pipe(described("`MJML`: `source` is compiled to the body.", "HTML")),
  source: optional(MjmlSource).pipe(described("MJML, at most 1 MB. Required with format `MJML`, refused without.")),
  text: optional(Body).pipe(described("The plain text part, at most 2 MB. Absent: derived from the HTML.")),
  layout: optional(Layout),
  type: optional(EmailType).pipe(described("`MARKETING` adds the footer.", "TRANSACTIONAL")),
  ...recipient
}).annotate({ identifier: "RenderTexts" })
export type RenderTexts = typeof RenderTexts.Type

const bytes = (what: string) => Schema.Int.pipe(described(what))

export const RenderWarning = Schema.Struct({
  code: Schema.Literals([
    "clipped",
    "subject_long",
    "missing_alt",
    "image_only",
    "insecure_link",
    "insecure_image",
    "local_link",
    "empty_link",
    "unsupported_tag",
    "no_unsubscribe_link",
    "shouting_subject"
  ]).pipe(
    described(
      "`clipped`: HTML over `clipAt`. `subject_long`: over 150 characters. `missing_alt`: images without alt text. `image_only`: images and under 20 characters of text. `insecure_link`, `insecure_image`: `http:`. `local_link`: a loopback, private, `.local` or `.test` host. `empty_link`: `href` is empty or `#`. `unsupported_tag`: script, form, iframe, object, embed, video, audio. `no_unsubscribe_link`: HEADLESS without `unsubscribeUrl` or `manageUrl`. `shouting_subject`: over half of at least 10 letters are capitals, or two `!` or `$` in a row."
    )
  ),
  message: Schema.String,
  count: Schema.Int.pipe(described("How often it was found.")),
  example: Schema.NullOr(Schema.String).pipe(described("The first place, cut to 100 characters."))
}).annotate({ identifier: "RenderWarning", description: "A problem that mailbox providers can have with a mail." })
export type RenderWarning = typeof RenderWarning.Type

export const RenderedMail = Schema.Struct({
  subject: Schema.String,
  html: Schema.NullOr(Schema.String).pipe(described("Null for a mail of plain text only.")),
  text: Schema.String,
  locale: Schema.NullOr(Schema.String).pipe(described("Language of the texts, if the template names one.")),
  version: Schema.NullOr(Schema.Int).pipe(
    described("The version of the template. Null for a draft and for texts of the request.")
  ),
  size: Schema.Struct({
    html: bytes("Bytes of the HTML as it is sent, with footer, tracked links and pixel."),
    text: bytes("Bytes of the plain text part."),
    message: bytes("Bytes of the encoded message, without signatures."),
    clipAt: bytes("Mailbox providers clip HTML above this size."),
    clipped: Schema.Boolean
  }),
  variables: Schema.Struct({
    used: Schema.Array(Schema.String).pipe(
      described("Paths that the texts read, at most 1,000: `order.total`, and `items[].name` within a loop.")
    ),
    missing: Schema.Array(Schema.String).pipe(
      described(
        "Paths without a value and a fallback that the mail prints, or that `#each` or `#with` without `{{else}}` use."
      )
    ),
    unused: Schema.Array(Schema.String).pipe(described("Top-level keys of `data` that no text reads."))
  }),
  warnings: Schema.Array(RenderWarning)
}).annotate({
  identifier: "RenderedMail",
  description: "A mail as its recipient would get it. Its links change nothing."
})
export type RenderedMail = typeof RenderedMail.Type
