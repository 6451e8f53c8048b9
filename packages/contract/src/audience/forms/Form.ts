/** A sign-up form: which fields and topics it has, what it says, and where it may stand. */
import { Schema, SchemaIssue } from "effect"
import { ProjectId } from "../../platform/Auth.ts"
import type { Fault } from "../../platform/Errors.ts"
import {
  described,
  HttpsUrl,
  Id,
  IfUpdatedAt,
  IntBetween,
  isOneLine,
  isWithin,
  listOf,
  Name,
  Note,
  optional,
  PageOrigin,
  required,
  Timestamp
} from "../../platform/Primitives.ts"
import { forbiddenKeys } from "../contacts/ContactData.ts"

export const FormId = Id.pipe(Schema.brand("FormId"))
export type FormId = typeof FormId.Type

/** Most forms of a project, and most of each list of a form. */
export const maxForms = 50
const maxFields = 20
const maxOptions = 100
const maxTopics = 100
const maxSegments = 10
const maxOrigins = 20
const maxLanguages = 20

/** Characters of a text field without a length of its own, and of any text field. */
export const defaultTextLength = 500
const longestText = 5_000

const notAKey = "Lower-case letters, digits, `_` and `-`, at most 64; the first is a letter or digit."
const FormKey = Schema.String.check(
  isWithin(64, notAKey),
  Schema.isPattern(/^[a-z0-9][a-z0-9_-]{0,63}$/, { message: notAKey })
)

export const FormFieldType = Schema.Literals(["text", "number", "date", "select", "checkbox", "hidden"])
export type FormFieldType = typeof FormFieldType.Type

/** Names that a submission has for other things, and keys of the data that are reserved. */
const takenNames: ReadonlySet<string> = new Set([
  "email",
  "topic",
  "topics",
  "consent",
  "ticket",
  "lang",
  "id",
  "svc_id",
  "svc_email",
  "unsubscribeUrl",
  "subscribeUrl",
  "manageUrl"
])

const isFree = Schema.makeFilter(
  (key: string) =>
    !(takenNames.has(key) || forbiddenKeys.has(key)) ||
    new SchemaIssue.InvalidValue({ code: "custom", message: "This name is reserved." })
)

const FieldKey = Name(100).check(isFree)
const Option = Name(100)

/** Texts that are not given are those of the service, in ten languages; the title is the name of the form. */
const textLimits = { title: 200, description: 2_000, button: 100, success: 1_000, consentText: 4_000 } as const

export const FormTexts = Schema.Struct({
  title: Schema.NullOr(Schema.String).pipe(described("Null: the name of the form.")),
  description: Schema.NullOr(Schema.String),
  button: Schema.NullOr(Schema.String).pipe(described("Null: the text of the service.")),
  success: Schema.NullOr(Schema.String).pipe(described("Null: the text of the service.")),
  consentText: Schema.NullOr(Schema.String).pipe(
    described("What the person agrees to. With `consentRequired` the label of a box.")
  )
}).annotate({ identifier: "FormTexts", description: "What a form says." })
export type FormTexts = typeof FormTexts.Type

const FormTextsInput = Schema.Struct({
  title: optional(Name(textLimits.title)),
  description: optional(Note(textLimits.description)),
  button: optional(Name(textLimits.button)),
  success: optional(Note(textLimits.success)),
  consentText: optional(Note(textLimits.consentText))
}).annotate({ identifier: "FormTextsInput" })
export type FormTextsInput = typeof FormTextsInput.Type

const language = /^[a-z]{2}(?:-[A-Z]{2})?$/

const Translations = Schema.Record(Schema.String, FormTextsInput).check(
  Schema.makeFilter((given: { readonly [language: string]: unknown }) => {
    const languages = Object.keys(given)
    const faults = languages
      .filter((name) => !language.test(name.slice(0, 6)))
      .map((name) => ({
        path: [name.slice(0, 100)],
        issue: new SchemaIssue.InvalidValue({ code: "invalid_string", message: "A language such as en or pt-BR." })
      }))
    if (languages.length <= maxLanguages) return faults
    const message = `At most ${maxLanguages} languages.`
    return [...faults, { path: [], issue: new SchemaIssue.InvalidValue({ code: "too_big", message }) }]
  })
)

export const FormField = Schema.Struct({
  key: Schema.String.pipe(described("Key in the contact's data. `locale` and `timezone` set those fields.")),
  label: Schema.String,
  type: FormFieldType,
  required: Schema.Boolean,
  maxLength: Schema.NullOr(Schema.Int).pipe(described("Characters of a text; null for other types.")),
  options: Schema.Array(Schema.String).pipe(described("Of a `select`; empty for other types."))
}).annotate({ identifier: "FormField", description: "One field of a form, beside the address." })
export type FormField = typeof FormField.Type

const FormFieldInput = Schema.Struct({
  key: required(FieldKey).pipe(
    described("Key in the contact's data, 1 to 100 characters. `locale` and `timezone` set those fields.")
  ),
  label: required(Name(200)).pipe(described("1 to 200 characters.")),
  type: optional(FormFieldType).annotateKey({
    description: "Absent: `text`. `number`, `checkbox` and `date` are stored as number, boolean and `YYYY-MM-DD`."
  }),
  required: optional(Schema.Boolean).pipe(described("Absent: false.")),
  maxLength: optional(IntBetween(1, longestText)).pipe(
    described(`Of \`text\` and \`hidden\`: 1 to ${longestText.toLocaleString("en")}, by default ${defaultTextLength}.`)
  ),
  options: optional(
    listOf(Option, Schema.isMaxLength(maxOptions, { code: "too_big", message: `At most ${maxOptions} options.` }))
  ).pipe(described("Of `select`: 1 to 100 texts of 1 to 100 characters."))
}).annotate({ identifier: "FormFieldInput" })
export type FormFieldInput = typeof FormFieldInput.Type

const fault = (path: ReadonlyArray<PropertyKey>, code: Fault["code"], message: string): Schema.FilterIssue => ({
  path,
  issue: new SchemaIssue.InvalidValue({ code, message })
})

const areSound = Schema.makeFilter<ReadonlyArray<FormFieldInput>>((fields) =>
  fields.flatMap(({ key, type, options }, at) => {
    const faults: Array<Schema.FilterIssue> = []
    if (fields.findIndex((other) => other.key === key) < at) {
      faults.push(fault([at, "key"], "custom", "Another field has this key."))
    }
    if (type === "select" && (options ?? []).length === 0) {
      faults.push(fault([at, "options"], "required", "A select has 1 to 100 options."))
    }
    if (new Set(options).size < (options ?? []).length) {
      faults.push(fault([at, "options"], "custom", "Two options are the same."))
    }
    return faults
  })
)

const Fields = listOf(
  FormFieldInput,
  Schema.isMaxLength(maxFields, { code: "too_big", message: `At most ${maxFields} fields.` })
).check(areSound)

const TopicMode = Schema.Literals(["always", "choice"])

export const FormTopic = Schema.Struct({
  key: Schema.String.pipe(described("Key of the topic.")),
  mode: TopicMode.pipe(described("`always`: every submission asks for it. `choice`: a box that is not ticked."))
}).annotate({ identifier: "FormTopic", description: "A topic that the form offers." })
export type FormTopic = typeof FormTopic.Type

const FormTopicInput = Schema.Struct({
  key: required(Name(100)).pipe(described("Key or id of a public topic.")),
  mode: required(TopicMode)
}).annotate({ identifier: "FormTopicInput" })

const Topics = listOf(
  FormTopicInput,
  Schema.isMaxLength(maxTopics, { code: "too_big", message: `At most ${maxTopics} topics.` })
)

const OneLineUrl = HttpsUrl.check(isOneLine)

const SegmentIds = listOf(
  Id,
  Schema.isMaxLength(maxSegments, { code: "too_big", message: `At most ${maxSegments} segments.` })
)
const Origins = listOf(
  PageOrigin,
  Schema.isMaxLength(maxOrigins, { code: "too_big", message: `At most ${maxOrigins} origins.` })
)

const about = {
  key: "Names its events (`form.<key>.submitted`). Absent: made from the name. Fixed.",
  name: "1 to 100 characters on one line.",
  enabled: "A form that is not enabled answers as if it did not exist.",
  fields: "Up to 20 fields. The address is always asked.",
  subscribe: "Whether a submission asks for `subscribed`.",
  topics: "Public topics that the form offers.",
  segmentIds: "Up to 10 static segments that contacts join.",
  doubleOptIn:
    "Whether a subscription must be confirmed by mail. Null: as the topics and the settings of the audience say.",
  consentRequired: "Whether the box with `consentText` must be ticked.",
  redirectUrl: "Where a browser goes after a submission; https. Null: a page of the service.",
  confirmedRedirectUrl: "Where a browser goes after the confirmation of a subscription; https.",
  allowedOrigins: "Up to 20 origins whose pages may submit the form. Empty: any.",
  requireTicket: "Whether a submission needs a ticket with a proof of work, or a second step.",
  translations: "Texts in up to 20 other languages, by language (`de`, `pt-BR`). Absent texts are those of `texts`."
}

export const Form = Schema.Struct({
  id: FormId,
  publicId: Schema.String.pipe(described("Names the form in its public URL `/f/<publicId>`.")),
  projectId: ProjectId,
  key: Schema.String.pipe(described("Names its events (`form.<key>.submitted`). Fixed.")),
  name: Schema.String,
  enabled: Schema.Boolean.pipe(described(about.enabled)),
  version: Schema.Int.pipe(described("Rises with every change of what the form shows.")),
  fields: Schema.Array(FormField),
  subscribe: Schema.Boolean.pipe(described(about.subscribe)),
  topics: Schema.Array(FormTopic),
  segmentIds: Schema.Array(Id).pipe(described(about.segmentIds)),
  doubleOptIn: Schema.NullOr(Schema.Boolean).pipe(described(about.doubleOptIn)),
  texts: FormTexts,
  translations: Schema.Record(Schema.String, FormTexts).pipe(described(about.translations)),
  consentRequired: Schema.Boolean.pipe(described(about.consentRequired)),
  redirectUrl: Schema.NullOr(Schema.String).pipe(described(about.redirectUrl)),
  confirmedRedirectUrl: Schema.NullOr(Schema.String).pipe(described(about.confirmedRedirectUrl)),
  allowedOrigins: Schema.Array(Schema.String).pipe(described(about.allowedOrigins)),
  requireTicket: Schema.Boolean.pipe(described(about.requireTicket)),
  submissionCount: Schema.Int.pipe(described("Submissions that were stored.")),
  confirmedCount: Schema.Int.pipe(described("Subscriptions that came of them.")),
  spamCount: Schema.Int.pipe(described("Submissions that were taken for spam. Nothing of them is stored.")),
  createdAt: Timestamp,
  updatedAt: Timestamp
}).annotate({ identifier: "Form", description: "A sign-up form." })
export type Form = typeof Form.Type

const changeable = {
  enabled: optional(Schema.Boolean).pipe(described(`${about.enabled} Default: true.`)),
  fields: optional(Fields).pipe(described(about.fields)),
  subscribe: optional(Schema.Boolean).pipe(described(`${about.subscribe} Default: true.`)),
  topics: optional(Topics).pipe(described(about.topics)),
  segmentIds: optional(SegmentIds).pipe(described(about.segmentIds)),
  doubleOptIn: optional(Schema.Boolean).pipe(described(about.doubleOptIn)),
  texts: optional(FormTextsInput).annotateKey({ description: "What the form says, as a whole." }),
  translations: optional(Translations).pipe(described(about.translations)),
  consentRequired: optional(Schema.Boolean).pipe(described(`${about.consentRequired} Default: false.`)),
  redirectUrl: optional(OneLineUrl).pipe(described(about.redirectUrl)),
  confirmedRedirectUrl: optional(OneLineUrl).pipe(described(about.confirmedRedirectUrl)),
  allowedOrigins: optional(Origins).pipe(described(about.allowedOrigins)),
  requireTicket: optional(Schema.Boolean).pipe(described(`${about.requireTicket} Default: true.`))
}

/** Body of `POST /forms`. `null` counts as absent. */
export const CreateForm = Schema.Struct({
  key: optional(FormKey).pipe(described(about.key)),
  name: required(Name(100)).pipe(described(about.name)),
  ...changeable
}).annotate({ identifier: "CreateForm" })
export type CreateForm = typeof CreateForm.Type

/** Body of `PATCH /forms/{id}`. An absent field stays; null gives the default. */
export const UpdateForm = Schema.Struct({
  key: Schema.optionalKey(FormKey).pipe(described("Fixed: another value is refused.")),
  name: Schema.optionalKey(Name(100)).pipe(described(about.name)),
  ...changeable,
  ifUpdatedAt: IfUpdatedAt
}).annotate({ identifier: "UpdateForm" })
export type UpdateForm = typeof UpdateForm.Type

export const FormList = Schema.Array(Form).annotate({ description: "Every form of the project, newest first." })

export const FormSnippet = Schema.Struct({
  html: Schema.String.pipe(described("A form for a page, which works without script.")),
  script: Schema.String.pipe(described("A script that shows the form where it stands, or helps the form above."))
}).annotate({ identifier: "FormSnippet", description: "The form, for a page of your own." })
export type FormSnippet = typeof FormSnippet.Type
