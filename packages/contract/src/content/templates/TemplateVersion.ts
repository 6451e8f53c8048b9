/** Versions of a template, and the draft of the next one. */
import { Schema } from "effect"
import { described, isLength, OffsetPage, optional } from "../../platform/Primitives.ts"
import { draftState, versionFields } from "../versions/Version.ts"
import {
  byTag,
  EmailType,
  isBodySize,
  isSourceSize,
  maxTranslations,
  TemplateFormat,
  templateContent
} from "./Template.ts"

const TemplateVersion = Schema.Struct(versionFields).annotate({
  identifier: "TemplateVersion",
  description: "A version of a template, without its content."
})

export const TemplateVersionPage = OffsetPage("TemplateVersionPage", TemplateVersion)
export type TemplateVersionPage = typeof TemplateVersionPage.Type

const UncheckedBody = Schema.String.check(isBodySize)
const line = (max: number) => Schema.String.check(isLength(0, max))

/**
 * Body of `PUT /templates/{id}/draft`. Only types and sizes are checked; all other faults are problems of the stored
 * draft.
 */
export const WriteDraft = Schema.Struct({
  subject: Schema.optionalKey(line(998)),
  format: Schema.optionalKey(TemplateFormat),
  body: Schema.optionalKey(UncheckedBody).pipe(described("HTML with `{{variable}}` placeholders, at most 2 MB.")),
  source: optional(Schema.String.check(isSourceSize)).pipe(described("MJML, at most 1 MB.")),
  text: optional(UncheckedBody).pipe(described("The plain text part, at most 2 MB. `null`: derived from the HTML.")),
  from: Schema.optionalKey(line(1_000)),
  fromName: optional(line(100)),
  replyTo: optional(line(1_000)),
  type: Schema.optionalKey(EmailType),
  language: optional(line(35)).pipe(
    described("Language of subject, body and text. `null`: the language of the project.")
  ),
  translations: Schema.optionalKey(
    Schema.Record(
      Schema.String,
      Schema.NullOr(
        Schema.Struct({
          subject: optional(line(998)),
          body: optional(UncheckedBody),
          source: optional(Schema.String.check(isSourceSize)),
          text: optional(UncheckedBody)
        })
      )
    ).check(byTag(maxTranslations))
  ).pipe(described("All texts in other languages, by language tag; at most 50.")),
  layout: optional(line(64)).pipe(described("Name of the partial around body and text. `null`: none.")),
  strict: Schema.optionalKey(Schema.Boolean)
}).annotate({ identifier: "WriteDraft" })
export type WriteDraft = typeof WriteDraft.Type

export const TemplateDraft = Schema.Struct({
  ...templateContent,
  ...draftState
}).annotate({ identifier: "TemplateDraft", description: "Content that is not published yet." })
export type TemplateDraft = typeof TemplateDraft.Type
