/** Versions of a template, and the draft of the next one. */
import { Schema } from "effect"
import { Fault } from "../../platform/Errors.ts"
import { described, Id, isLength, OffsetPage, OffsetQuery, optional, Timestamp } from "../../platform/Primitives.ts"
import {
  byTag,
  EmailType,
  ExpectedVersion,
  isBodySize,
  isSourceSize,
  maxTranslations,
  TemplateFormat,
  templateContent
} from "./Template.ts"

/** The author of a version. */
export const VersionActor = Schema.Struct({
  type: Schema.Literals(["key", "member", "service"]).pipe(
    described("`key`: a caller with a key. `member`: a member of the project. `service`: the service itself.")
  ),
  userId: Schema.optionalKey(Id).pipe(described("Only for a member."))
}).annotate({ identifier: "VersionActor", description: "The author of a version." })
export type VersionActor = typeof VersionActor.Type

export const TemplateVersion = Schema.Struct({
  version: Schema.Int,
  live: Schema.Boolean.pipe(described("Whether it is the version that is sent.")),
  createdAt: Timestamp,
  actor: VersionActor,
  restoredFrom: Schema.NullOr(Schema.Int).pipe(described("The version whose content it has, if it was restored."))
}).annotate({ identifier: "TemplateVersion", description: "A version of a template, without its content." })
export type TemplateVersion = typeof TemplateVersion.Type

export const VersionQuery = Schema.Struct(OffsetQuery)
export type VersionQuery = typeof VersionQuery.Type

export const TemplateVersionPage = OffsetPage("TemplateVersionPage", TemplateVersion)
export type TemplateVersionPage = typeof TemplateVersionPage.Type

/** Body of `POST /templates/{id}/versions/{n}/restore`. */
export const RestoreVersion = Schema.Struct({ expectedVersion: optional(ExpectedVersion) }).annotate({
  identifier: "RestoreVersion"
})
export type RestoreVersion = typeof RestoreVersion.Type

/** Body of `POST /templates/{id}/publish`. */
export const PublishDraft = Schema.Struct({
  force: optional(Schema.Boolean).pipe(
    described("Publish even if another version became live since the draft was stored.", "false")
  )
}).annotate({ identifier: "PublishDraft" })
export type PublishDraft = typeof PublishDraft.Type

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
  basedOn: Schema.Int.pipe(described("The version that was live when the draft was stored.")),
  updatedAt: Timestamp,
  problems: Schema.Array(Fault).pipe(described("The faults that prevent its publication, at most 50."))
}).annotate({ identifier: "TemplateDraft", description: "Content that is not published yet." })
export type TemplateDraft = typeof TemplateDraft.Type
