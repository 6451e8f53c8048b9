/** A template: content that is written once and rendered for each recipient. */
import { Effect, Option, Predicate, Schema, SchemaIssue } from "effect"
import { TopicReference, topicId } from "../../audience/topics/TopicReference.ts"
import { ProjectId } from "../../platform/Auth.ts"
import { DisplayName } from "../../platform/DisplayName.ts"
import { BatchIndex } from "../../platform/Errors.ts"
import { isLanguageTag, LanguageTag, notATag } from "../../platform/LanguageTag.ts"
import { Mailbox } from "../../platform/Mailbox.ts"
import {
  described,
  Id,
  isWithin,
  lenient,
  Name,
  Note,
  OffsetPage,
  OffsetQuery,
  optional,
  required,
  Search,
  Subject,
  Timestamp
} from "../../platform/Primitives.ts"
import { PartialName } from "../partials/Partial.ts"
import { ExpectedVersion, versionedState } from "../versions/Version.ts"

export const TemplateId = Id.pipe(Schema.brand("TemplateId"))
export type TemplateId = typeof TemplateId.Type

/** Type of an email: which contacts may get it, and which footer it has. */
export const EmailType = Schema.Literals(["TRANSACTIONAL", "MARKETING", "HEADLESS"]).annotate({
  description:
    "Which contacts get the mail, and with which footer. `TRANSACTIONAL`: every contact, no unsubscribe link. `MARKETING`: subscribed contacts, with footer and unsubscribe link. `HEADLESS`: like `MARKETING`, without the footer."
})
export type EmailType = typeof EmailType.Type

/** The format of the source of a template or campaign. */
export const TemplateFormat = Schema.Literals(["HTML", "MJML"]).annotate({
  description:
    "The format of the source. `MJML`: `source` is compiled to `body` when it is saved; sending compiles nothing."
})
export type TemplateFormat = typeof TemplateFormat.Type

/** Display name of a sender. Without line breaks, it cannot add a header. */
export const SenderName = DisplayName(100)

const aliasForm = /^[a-z0-9][a-z0-9._-]{0,99}$/
const aliasMessage = "1 to 100 lower-case letters, digits, `.`, `_` and `-`, starting with a letter or digit."

/** A name of a template that its callers choose. Unique in the project. */
export const Alias = Schema.String.check(
  isWithin(100, aliasMessage),
  Schema.isPattern(aliasForm, { message: aliasMessage })
)

const maxBodyBytes = 2 * 1024 * 1024

/** At most 2 MB of UTF-8. */
export const isBodySize = Schema.makeFilter(
  (text: string) =>
    text.length > maxBodyBytes ||
    (text.length * 3 > maxBodyBytes && new TextEncoder().encode(text).length > maxBodyBytes)
      ? new SchemaIssue.InvalidValue({ code: "too_big", message: "At most 2 MB." })
      : true,
  { toJsonSchema: () => ({ maxLength: maxBodyBytes }) }
)

/** HTML of an email as written: 1 byte to 2 MB of UTF-8. */
export const Body = Schema.String.check(Schema.isMinLength(1, { code: "required", message: "Required." }), isBodySize)

const maxSourceBytes = 1024 * 1024

/** At most 1 MB of UTF-8. */
export const isSourceSize = Schema.makeFilter(
  (text: string) =>
    text.length > maxSourceBytes ||
    (text.length * 3 > maxSourceBytes && new TextEncoder().encode(text).length > maxSourceBytes)
      ? new SchemaIssue.InvalidValue({ code: "too_big", message: "At most 1 MB." })
      : true,
  { toJsonSchema: () => ({ maxLength: maxSourceBytes }) }
)

/** MJML as written: 1 byte to 1 MB of UTF-8. */
export const MjmlSource = Schema.String.check(
  Schema.isMinLength(1, { code: "required", message: "Required." }),
  isSourceSize
)

/** The texts of a mail in another language, as stored. */
export const Translation = Schema.Struct({
  subject: Schema.String,
  body: Schema.String,
  text: Schema.NullOr(Schema.String).pipe(described("The plain text part. Null: derived from the HTML."))
}).annotate({ identifier: "Translation", description: "The texts of a mail in another language." })
export type Translation = typeof Translation.Type

/** By language tag. */
export const Translations = Schema.Record(Schema.String, Translation)
export type Translations = typeof Translations.Type

/** The texts of a template or campaign in another language, as stored. */
export const TemplateTranslation = Schema.Struct({
  ...Translation.fields,
  source: Schema.optionalKey(Schema.String).pipe(
    described("The MJML that the body was compiled from. Only with format `MJML`.")
  )
}).annotate({
  identifier: "TemplateTranslation",
  description: "The texts of a template or campaign in another language."
})
export type TemplateTranslation = typeof TemplateTranslation.Type

/** What a version of a template has. All other fields of the record belong to the template itself. */
export const templateContent = {
  subject: Schema.String,
  format: TemplateFormat,
  body: Schema.String.pipe(described("HTML with `{{variable}}` placeholders.")),
  source: Schema.NullOr(Schema.String).pipe(
    described("The MJML that the body was compiled from. Null unless the format is `MJML`.")
  ),
  text: Schema.NullOr(Schema.String).pipe(described("The plain text part. Null: derived from the HTML.")),
  from: Schema.String,
  fromName: Schema.NullOr(Schema.String).pipe(described("Display name of the sender.")),
  replyTo: Schema.NullOr(Schema.String),
  type: EmailType,
  language: Schema.NullOr(Schema.String).pipe(
    described("Language of subject, body and text. Null: the language of the project.")
  ),
  translations: Schema.Record(Schema.String, TemplateTranslation).pipe(
    described("Subject, body and text in other languages, by language tag.")
  ),
  layout: Schema.NullOr(Schema.String).pipe(described("Name of the partial around body and text.")),
  strict: Schema.Boolean.pipe(described("Whether mail with a missing variable is refused."))
}
export const TemplateContent = Schema.Struct(templateContent)
export type TemplateContent = typeof TemplateContent.Type

const head = {
  id: TemplateId,
  name: Schema.String,
  description: Schema.NullOr(Schema.String).pipe(described("Internal note, never sent.")),
  alias: Schema.NullOr(Schema.String).pipe(described("An alternative to the id when sending, unique in the project.")),
  topicId
}

const state = {
  ...versionedState,
  projectId: ProjectId,
  createdAt: Timestamp,
  updatedAt: Timestamp
}

export const Template = Schema.Struct({ ...head, ...templateContent, ...state }).annotate({
  identifier: "Template",
  description: "Content that is written once and rendered for each recipient."
})
export type Template = typeof Template.Type

const { source: _source, text: _text, translations: _translations, ...listedContent } = templateContent

/** The translations of a template or campaign in a list. */
export const TranslatedSubjects = Schema.Record(Schema.String, Schema.Struct({ subject: Schema.String })).pipe(
  described("Subjects in other languages, by language tag.")
)

/** A template in a list, without its longer texts. */
export const TemplateSummary = Schema.Struct({
  ...head,
  ...listedContent,
  translations: TranslatedSubjects,
  ...state
}).annotate({
  identifier: "TemplateSummary",
  description: "A template without MJML, text parts and translated bodies."
})
export type TemplateSummary = typeof TemplateSummary.Type

export const maxTranslations = 50

/** At most `max` texts, each under a language tag. */
export const byTag = (max: number) =>
  Schema.makeFilter<{ readonly [tag: string]: unknown }>(
    (given) => {
      const tags = Object.keys(given)
      if (tags.length > max) {
        return new SchemaIssue.InvalidValue({ code: "too_big", message: `At most ${max} translations.` })
      }
      return tags.flatMap(
        (tag): ReadonlyArray<Schema.FilterIssue> =>
          isLanguageTag(tag)
            ? []
            : [{ path: [tag], issue: new SchemaIssue.InvalidValue({ code: "invalid_string", message: notATag }) }]
      )
    },
    { toJsonSchema: () => ({ maxProperties: max }) }
  )

/** The translations of a request. Which of `body` and `source` each needs depends on the format. */
export const WriteTemplateTranslations = Schema.Record(
  Schema.String,
  Schema.NullOr(
    Schema.Struct({
      subject: required(Subject),
      body: optional(Body).pipe(described("Required unless the format is `MJML`, refused with it.")),
      text: optional(Body).pipe(described("The plain text part. Absent: derived from the HTML.")),
      source: optional(MjmlSource).pipe(described("MJML, at most 1 MB. Required with format `MJML`, refused without."))
    }).annotate({ identifier: "WriteTemplateTranslation" })
  )
).check(byTag(2 * maxTranslations))
export type WriteTemplateTranslations = typeof WriteTemplateTranslations.Type

const sourceText =
  "MJML with `{{variable}}` placeholders, at most 1 MB, elements at most 50 deep, without `mj-include`. Its HTML has at most 5 MB. Required with format `MJML`, refused without."
const bodyText = "HTML with `{{variable}}` placeholders, at most 2 MB."
const plainText =
  "The plain text part, with placeholders that are not escaped, at most 2 MB. `null`: derived from the HTML."
const languageText = "Language of subject, body and text: `de`, `pt-BR`. `null`: the language of the project."
const strictText = "Whether mail with a missing variable is refused."
const aliasText = `An alternative to the id when sending, unique in the project: ${aliasMessage.charAt(0).toLowerCase()}${aliasMessage.slice(1)}`
/** The name of a partial that is a layout. */
export const Layout = PartialName.pipe(
  described(
    "Name of a partial that contains `{{> content}}`, where the body is inserted, and also the text if the partial has one."
  )
)
const topicText =
  "Id or key of the topic of the mail made from it, which campaigns copy. Not for the type `TRANSACTIONAL`. `null`: none."
const typeDefault = "Absent: `MARKETING`."
const senderText =
  "An address, alone or with a display name (`Ada <ada@example.com>`), which takes precedence over `fromName`. Its domain must be verified for the project."

/** Body of `POST /templates`. */
export const CreateTemplate = Schema.Struct({
  name: required(Name(100)).pipe(described("1 to 100 characters on one line.")),
  description: optional(Note(500)).pipe(described("Internal note, never sent; at most 500 characters.")),
  alias: optional(Alias).pipe(described(aliasText)),
  topicId: optional(TopicReference).pipe(described(topicText)),
  subject: required(Subject).pipe(described("1 to 998 characters on one line, with placeholders.")),
  format: optional(TemplateFormat).pipe(described("`MJML`: `source` is compiled to the body.", "HTML")),
  body: optional(Body).pipe(described(`${bodyText} Required unless the format is \`MJML\`, refused with it.`)),
  source: optional(MjmlSource).pipe(described(sourceText)),
  text: optional(Body).pipe(described(plainText)),
  from: required(Mailbox).pipe(described(senderText)),
  fromName: optional(SenderName).pipe(described("Display name of the sender.")),
  replyTo: optional(Mailbox),
  type: optional(EmailType).pipe(described(typeDefault)),
  language: optional(LanguageTag).pipe(described(languageText)),
  translations: optional(WriteTemplateTranslations).pipe(
    described("Subject, body and text in other languages, by language tag; at most 50.")
  ),
  layout: optional(Layout),
  strict: optional(Schema.Boolean).pipe(described(strictText, "false"))
}).annotate({ identifier: "CreateTemplate" })
export type CreateTemplate = typeof CreateTemplate.Type

const decodeHtml = Schema.decodeUnknownEffect(Schema.Struct({ ...CreateTemplate.fields, body: required(Body) }), {
  errors: "all",
  reportInput: true
})

/** `CreateTemplate`. The faults of a body include a missing `body`, unless its format is MJML. */
export const CreateTemplateBody = CreateTemplate.pipe(
  Schema.catchDecoding((issue) => {
    const input = issue.input ?? {}
    return !Predicate.isObject(input) || input["format"] === "MJML"
      ? Effect.fail(issue)
      : Effect.mapBoth(decodeHtml(input), { onFailure: (error) => error.issue, onSuccess: Option.some })
  })
)

/** Body of `PATCH /templates/{id}`. An absent field stays. `null` clears a field that may be empty. */
export const UpdateTemplate = Schema.Struct({
  name: Schema.optionalKey(Name(100)).pipe(described("1 to 100 characters on one line.")),
  description: optional(Note(500)).pipe(described("Internal note, never sent; at most 500 characters.")),
  alias: optional(Alias).pipe(described(aliasText)),
  topicId: optional(TopicReference).pipe(described(topicText)),
  subject: Schema.optionalKey(Subject),
  format: Schema.optionalKey(TemplateFormat).pipe(
    described(
      "`MJML`: `source` is compiled to the body. `HTML` on an MJML template keeps the compiled body and removes `source`."
    )
  ),
  body: Schema.optionalKey(Body).pipe(described(`${bodyText} Refused with format \`MJML\`.`)),
  source: optional(MjmlSource).pipe(described(sourceText)),
  text: optional(Body).pipe(described(plainText)),
  from: Schema.optionalKey(Mailbox).pipe(described(senderText)),
  fromName: optional(SenderName),
  replyTo: optional(Mailbox),
  type: Schema.optionalKey(EmailType),
  language: optional(LanguageTag).pipe(described(languageText)),
  translations: Schema.optionalKey(WriteTemplateTranslations).pipe(
    described(
      "Replaces the texts of each given language; `null` removes them. Other languages are not changed. At most 50."
    )
  ),
  layout: optional(Layout),
  strict: Schema.optionalKey(Schema.Boolean).pipe(described(strictText)),
  expectedVersion: optional(ExpectedVersion)
}).annotate({ identifier: "UpdateTemplate" })
export type UpdateTemplate = typeof UpdateTemplate.Type

export const TemplateQuery = Schema.Struct({
  ...OffsetQuery,
  type: Schema.optionalKey(EmailType).pipe(described("Only templates of this type.")),
  search: Schema.optionalKey(Search),
  sort: lenient("createdAt", "name", "updatedAt"),
  dir: lenient("desc", "asc")
})
export type TemplateQuery = typeof TemplateQuery.Type

export const TemplatePage = OffsetPage("TemplatePage", TemplateSummary)
export type TemplatePage = typeof TemplatePage.Type

/** Where a template is used. `canDelete` is false while a workflow step names it. */
export const TemplateUsage = Schema.Struct({
  campaigns: Schema.Array(Schema.Struct({ id: Schema.String, name: Schema.String, status: Schema.String })),
  workflowSteps: Schema.Array(
    Schema.Struct({
      workflowId: Schema.String,
      workflowName: Schema.String,
      stepId: Schema.String,
      stepName: Schema.String
    })
  ),
  emailsSent: Schema.Int,
  canDelete: Schema.Boolean.pipe(described("False while a workflow step or the confirmation mail uses it."))
}).annotate({ identifier: "TemplateUsage", description: "The campaigns and workflow steps that use the template." })
export type TemplateUsage = typeof TemplateUsage.Type

export class TemplateNotFound extends Schema.TaggedError<TemplateNotFound>()("TEMPLATE_NOT_FOUND", {
  resource: Schema.tag("template"),
  id: Schema.String,
  index: BatchIndex
}) {
  override readonly message = `No template ${this.id} in this project.`
}
