/** A template: content that is written once and rendered for each recipient (contract 13). */
import { Schema } from "effect"
import { ProjectId } from "../Auth.ts"
import {
  described,
  Email,
  Id,
  isLength,
  isOneLine,
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
} from "../Wire.ts"

export const TemplateId = Id.pipe(Schema.brand("TemplateId"))
export type TemplateId = typeof TemplateId.Type

/** Who a mail may reach and what it carries (8.1). */
export const EmailType = Schema.Literals(["TRANSACTIONAL", "MARKETING", "HEADLESS"]).annotate({
  description:
    "Who may be reached and what the mail carries. `TRANSACTIONAL`: every contact, no unsubscribe link. `MARKETING`: subscribed contacts, with footer and unsubscribe link. `HEADLESS`: as `MARKETING`, without the footer."
})
export type EmailType = typeof EmailType.Type

/** Display name of a sender; no line breaks, so nothing can be smuggled into a header. */
export const SenderName = Schema.String.check(isLength(0, 100), isOneLine)

export const Template = Schema.Struct({
  id: TemplateId,
  name: Schema.String,
  description: Schema.NullOr(Schema.String).pipe(described("Internal note, never sent.")),
  subject: Schema.String,
  body: Schema.String.pipe(described("HTML with `{{variable}}` placeholders.")),
  from: Schema.String,
  fromName: Schema.NullOr(Schema.String).pipe(described("Display name of the sender.")),
  replyTo: Schema.NullOr(Schema.String),
  type: EmailType,
  projectId: ProjectId,
  createdAt: Timestamp,
  updatedAt: Timestamp
}).annotate({ identifier: "Template", description: "Content that is written once and rendered for each recipient." })
export type Template = typeof Template.Type

const Body = Schema.String.check(Schema.isMinLength(1, { code: "required", message: "Required." }))
const bodyText = "HTML with `{{variable}}` placeholders."
const typeDefault = "Absent: `MARKETING`."
const senderText = "Its domain must be verified for the project."

/** Body of `POST /templates`. */
export const CreateTemplate = Schema.Struct({
  name: required(Name(100)).pipe(described("1 to 100 characters on one line.")),
  description: optional(Note(500)).pipe(described("Internal note, never sent; at most 500 characters.")),
  subject: required(Subject).pipe(described("1 to 998 characters on one line, with placeholders.")),
  body: required(Body).pipe(described(bodyText)),
  from: required(Email).pipe(described(senderText)),
  fromName: optional(SenderName).pipe(described("Display name of the sender.")),
  replyTo: optional(Email),
  type: optional(EmailType).pipe(described(typeDefault))
}).annotate({ identifier: "CreateTemplate" })
export type CreateTemplate = typeof CreateTemplate.Type

/** Body of `PATCH /templates/{id}`: absent stays; `null` clears what may be empty. */
export const UpdateTemplate = Schema.Struct({
  name: Schema.optionalKey(Name(100)).pipe(described("1 to 100 characters on one line.")),
  description: optional(Note(500)).pipe(described("Internal note, never sent; at most 500 characters.")),
  subject: Schema.optionalKey(Subject),
  body: Schema.optionalKey(Body).pipe(described(bodyText)),
  from: Schema.optionalKey(Email).pipe(described(senderText)),
  fromName: optional(SenderName),
  replyTo: optional(Email),
  type: Schema.optionalKey(EmailType)
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

export const TemplatePage = OffsetPage("TemplatePage", Template)
export type TemplatePage = typeof TemplatePage.Type

/** Where a template is used; `canDelete` is false while a workflow step names it. */
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
  canDelete: Schema.Boolean.pipe(described("False while a workflow step names it."))
}).annotate({ identifier: "TemplateUsage", description: "What names the template." })
export type TemplateUsage = typeof TemplateUsage.Type

export class TemplateNotFound extends Schema.TaggedError<TemplateNotFound>()("TEMPLATE_NOT_FOUND", {
  resource: Schema.tag("template"),
  id: Schema.String
}) {
  override readonly message = `No template ${this.id} in this project.`
}
