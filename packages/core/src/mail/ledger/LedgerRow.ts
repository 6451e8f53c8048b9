/** The columns of `emails` for a `LedgerEntry`. */
import { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import { EmailId, EmailStatus, RecipientType, SourceType } from "@posthorn/contract/mail/emails/Email"
import { StoredTags } from "@posthorn/contract/mail/emails/Tags"
import { Schema } from "effect"

const nullable = Schema.NullOr(Schema.String)

/** The schema of a `LedgerEntry`. */
export const entryFields = {
  id: EmailId,
  contactId: Schema.NullOr(ContactId),
  campaignId: nullable,
  workflowId: nullable,
  workflowExecutionId: nullable,
  templateId: nullable,
  templateVersion: Schema.NullOr(Schema.Int),
  to: Schema.String,
  from: Schema.String,
  fromName: nullable,
  subject: nullable,
  sourceType: SourceType,
  recipientType: RecipientType,
  groupId: nullable,
  messageId: nullable,
  tags: StoredTags,
  provider: nullable,
  status: EmailStatus
}

export const entryColumns = `emails.id, emails.contact_id as "contactId", emails.campaign_id as "campaignId",
  emails.workflow_id as "workflowId", emails.workflow_execution_id as "workflowExecutionId",
  emails.template_id as "templateId", emails.template_version as "templateVersion", emails.to_email as "to",
  emails.from_email as "from", emails.from_name as "fromName", emails.subject, emails.source_type as "sourceType",
  emails.recipient_type as "recipientType", emails.group_id as "groupId", emails.tags, emails.provider,
  emails.message_id as "messageId",
  emails.status`
