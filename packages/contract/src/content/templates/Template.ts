/** A template: content that is written once and rendered for each recipient. */
import { Schema, SchemaIssue } from "effect"
import { ProjectId } from "../../platform/Auth.ts"
import { DisplayName } from "../../platform/DisplayName.ts"
import { Mailbox } from "../../platform/Mailbox.ts"
import {
  described,
  Id,
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

export const TemplateId = Id.pipe(Schema.brand("TemplateId"))
export type TemplateId = typeof TemplateId.Type

/** Type of an email: which contacts it may reach, and which footer it carries. */
export const EmailType = Schema.Literals(["TRANSACTIONAL", "MARKETING", "HEADLESS"]).annotate({
  description:
    "Who may be reached and what the mail carries. `TRANSACTIONAL`: every contact, no unsubscribe link. `MARKETING`: subscribed contacts, with footer and unsubscribe link. `HEADLESS`: as `MARKETING`, without the footer."
})
export type EmailType = typeof EmailType.Type

/** Display name of a sender. Without line breaks, it cannot add a header. */
export const SenderName = DisplayName(100)

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

const maxBodyBytes = 2 * 1024 * 1024

/** HTML of an email as written: 1 byte to 2 MB of UTF-8. */
export const Body = Schema.String.check(
  Schema.isMinLength(1, { code: "required", message: "Required." }),
  Schema.makeFilter(
    (text: string) =>
      text.length > maxBodyBytes ||
      (text.length * 3 > maxBodyBytes && new TextEncoder().encode(text).length > maxBodyBytes)
        ? new SchemaIssue.InvalidValue({ code: "too_big", message: "At most 2 MB." })
        : true,
    { toJsonSchema: () => ({ maxLength: maxBodyBytes }) }
  )
)
const bodyText = "HTML with `{{variable}}` placeholders, at most 2 MB."
const typeDefault = "Absent: `MARKETING`."
const senderText =
  "An address, alone or with a display name (`Ada <ada@example.com>`), which wins over `fromName`. Its domain must be verified for the project."

/** Body of `POST /templates`. */
export const CreateTemplate = Schema.Struct({
  name: required(Name(100)).pipe(described("1 to 100 characters on one line.")),
  description: optional(Note(500)).pipe(described("Internal note, never sent; at most 500 characters.")),
  subject: required(Subject).pipe(described("1 to 998 characters on one line, with placeholders.")),
  body: required(Body).pipe(described(bodyText)),
  from: required(Mailbox).pipe(described(senderText)),
  fromName: optional(SenderName).pipe(described("Display name of the sender.")),
  replyTo: optional(Mailbox),
  type: optional(EmailType).pipe(described(typeDefault))
}).annotate({ identifier: "CreateTemplate" })
export type CreateTemplate = typeof CreateTemplate.Type

/** Body of `PATCH /templates/{id}`. An absent field stays. `null` clears a field that may be empty. */
export const UpdateTemplate = Schema.Struct({
  name: Schema.optionalKey(Name(100)).pipe(described("1 to 100 characters on one line.")),
  description: optional(Note(500)).pipe(described("Internal note, never sent; at most 500 characters.")),
  subject: Schema.optionalKey(Subject),
  body: Schema.optionalKey(Body).pipe(described(bodyText)),
  from: Schema.optionalKey(Mailbox).pipe(described(senderText)),
  fromName: optional(SenderName),
  replyTo: optional(Mailbox),
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
  canDelete: Schema.Boolean.pipe(described("False while a workflow step names it."))
}).annotate({ identifier: "TemplateUsage", description: "What names the template." })
export type TemplateUsage = typeof TemplateUsage.Type

export class TemplateNotFound extends Schema.TaggedError<TemplateNotFound>()("TEMPLATE_NOT_FOUND", {
  resource: Schema.tag("template"),
  id: Schema.String
}) {
  override readonly message = `No template ${this.id} in this project.`
}
