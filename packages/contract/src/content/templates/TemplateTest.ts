/** A template that is sent to one address as a test. */
import { Schema } from "effect"
import { ContactData } from "../../audience/contacts/Contact.ts"
import { LanguageTag } from "../../platform/LanguageTag.ts"
import { Mailbox } from "../../platform/Mailbox.ts"
import { described, Id, optional, required } from "../../platform/Primitives.ts"
import { VersionOrDraft } from "./RenderedMail.ts"

/** Body of `POST /templates/{id}/test`. */
export const TestTemplate = Schema.Struct({
  email: required(Mailbox).pipe(described("Address of a contact, or of a member of the project.")),
  data: optional(ContactData).annotateKey({
    description: "Variables for this test only; they override those of the contact."
  }),
  locale: optional(LanguageTag).pipe(
    described(
      "Chooses the translation. Absent: the `locale` of `data`, then of the contact, then the project's language."
    )
  ),
  version: optional(VersionOrDraft).pipe(described("A version, or `draft`. Absent: the live version."))
}).annotate({ identifier: "TestTemplate" })
export type TestTemplate = typeof TestTemplate.Type

export const TemplateTested = Schema.Struct({
  success: Schema.Literal(true),
  data: Schema.Struct({ email: Id.pipe(described("Id of the mail.")) }),
  message: Schema.String.pipe(described("The result, as a sentence."))
}).annotate({ identifier: "TemplateTested", description: "The test is queued." })
