/** Writes accepted mail. The SQL is parts of a `with`, so that other writes can join the statement. */

import { SuppressionReason } from "@posthorn/contract/audience/suppressions/Suppression"
import { EmailId } from "@posthorn/contract/mail/emails/Email"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Effect, Schema } from "effect"
import { Base64 } from "effect/encoding"
import type { SqlClient, Statement } from "effect/sql"
import type { SuppressedAddress } from "../../audience/suppression/SuppressedAddress.ts"
import type { Accepted, NewEmail, NewMail } from "./Ledger.ts"

/** The test of a campaign has priority, because a person waits for it. */
const lane = ({ type, sourceType, test, mode, isBulk }: NewEmail) =>
  (test && mode !== "TEST") || (type === "TRANSACTIONAL" && sourceType !== "CAMPAIGN" && isBulk !== true) ? 0 : 1

const columns = `
  id uuid, "contactId" uuid, "contentId" uuid, "to" text, "toName" text, "from" text, "fromName" text, "replyTo" text,
  subject text, type text, "sourceType" text, "templateId" uuid, "templateVersion" integer, "topicId" uuid, locale text,
  "campaignId" uuid, variant text, test boolean, mode text, "apiKeyId" uuid, tracking boolean, workflow jsonb, failed jsonb, headers jsonb, attachments jsonb,
  tags jsonb, "group" jsonb, "messageId" text,
  "scheduledFor" timestamptz, lane smallint, "projectId" uuid, part integer`

const rows = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ id: EmailId, reason: Schema.NullOr(SuppressionReason) }))
)

/** Decodes the rows of `accepted`. */
export const acceptedMails = (found: unknown): Effect.Effect<Accepted, Schema.SchemaError> =>
  Effect.map(rows(found), (mails) => new Map(mails.map(({ id, reason }) => [id, reason])))

/** Mail of one project. Written as a whole, or not at all. */
export interface MailPart {
  readonly project: ProjectId
  readonly mail: NewMail
}

/**
 * The last part, `accepted(id, reason)`, has one row for each mail. Writes the parts for which the condition is true. It
 * finds the number of a part, from 0 on, in the column `part`.
 */
export const acceptParts = (
  sql: SqlClient.SqlClient,
  suppressed: SuppressedAddress["Service"],
  parts: ReadonlyArray<MailPart>,
  now: Date,
  condition: Statement.Fragment
): Statement.Fragment => {
  const rowsOf = <Row extends object>(of: (mail: NewMail) => ReadonlyArray<Row>) =>
    parts.flatMap(({ project, mail }, part) => of(mail).map((row) => ({ ...row, projectId: project, part })))
  const json = (value: unknown) => sql`${JSON.stringify(value)}::text::jsonb`
  const emails = rowsOf(({ emails }) => emails.map((email) => ({ ...email, lane: lane(email) })))
  const groups = rowsOf(({ groups = [] }) => groups)
  const files = rowsOf(({ attachments }) =>
    attachments.map(({ id, content }) => ({ id, content: Base64.encode(content) }))
  )
  const attached = sql`
    attached as (
      insert into email_attachments (project_id, id, content)
      select "projectId", id, decode(content, 'base64')
      from jsonb_to_recordset(${json(files)}) as attachment(id uuid, content text, "projectId" uuid, part integer)
      where ${condition}
    ),`
  const tagged = sql`,
    tagged as (
      insert into email_tags (project_id, key, value, created_at, email_id)
      select "projectId", tag.key, tag.value, ${now}::timestamptz, email.id
      from jsonb_to_recordset(${json(rowsOf(({ emails }) => emails.map(({ id, tags }) => ({ id, tags }))))})
             as email(id uuid, tags jsonb, "projectId" uuid, part integer),
           jsonb_each_text(email.tags) as tag
      where ${condition}
    )`
  const grouped = sql`
    grouped as (
      insert into email_groups (project_id, id, shown_to, shown_cc)
      select "projectId", id, "to", cc
      from jsonb_to_recordset(${json(groups)}) as given(id uuid, "to" jsonb, cc jsonb, "projectId" uuid, part integer)
      where ${condition}
    ),`
  const hasTags = emails.some(({ tags = {} }) => Object.keys(tags).length > 0)
  return sql`${files.length > 0 ? attached : sql``}${groups.length > 0 ? grouped : sql``}
    content as (
      insert into email_contents (project_id, id, html, text)
      select "projectId", id, html, text
      from jsonb_to_recordset(${json(rowsOf(({ contents }) => contents))})
             as content(id uuid, html text, text text, "projectId" uuid, part integer)
      where ${condition}
    ), accepted as (
      insert into emails (id, project_id, contact_id, content_id, to_email, to_name, from_email, from_name, reply_to,
        subject, type, source_type, template_id, template_version, topic_id, locale, campaign_id, variant, workflow_id, workflow_execution_id,
        workflow_step_execution_id, workflow_step_id, test, mode, api_key_id, tracking, headers, attachments, tags, status, suppression_reason, suppressed_at,
        failed_at, error_code, error_message, lane, due_at, ladder_since, created_at, updated_at, scheduled_for, schedule,
        recipient_type, group_id, link_host, message_id, queue)
      select email.id, "projectId", "contactId", "contentId", "to", "toName", "from", "fromName", "replyTo",
             subject, type, "sourceType", "templateId", "templateVersion", "topicId", locale, "campaignId", variant, (workflow ->> 'id')::uuid,
             (workflow ->> 'executionId')::uuid, (workflow ->> 'stepExecutionId')::uuid, (workflow ->> 'stepId')::uuid, coalesce(test, false),
             coalesce(mode, 'LIVE'), "apiKeyId", tracking,
             headers, attachments, coalesce(tags, '{}'),
             case when failed is not null then 'FAILED' when reason is not null then 'SUPPRESSED'
                  when "scheduledFor" is null then 'PENDING' else 'SCHEDULED' end,
             case when failed is null then reason end,
             case when failed is null and reason is not null then ${now}::timestamptz end,
             case when failed is not null then ${now}::timestamptz end,
             case when failed is not null then failed ->> 'code' when reason is not null then 'suppressed' end,
             case when failed is not null then failed ->> 'message'
                  when reason is not null then 'The address is on the suppression list.' end,
             lane, coalesce("scheduledFor", ${now}::timestamptz), coalesce("scheduledFor", ${now}::timestamptz),
             ${now}::timestamptz, ${now}::timestamptz, "scheduledFor",
             case when "scheduledFor" is null then '[]'
                  else jsonb_build_array(jsonb_build_object('at', ${now}::timestamptz, 'to', "scheduledFor")) end,
             coalesce("group" ->> 'recipientType', 'TO'), ("group" ->> 'id')::uuid,
             (select domains.link_host from domains
              where domains.project_id = email."projectId" and domains.domain = split_part("from", '@', 2)
                and link_status = 'ACTIVE'),
             "messageId",
             case when lane = 1 then coalesce((
               select queue from recipient_domains where recipient_domains.domain = split_part("to", '@', 2)), 0)
               else 0 end
      from jsonb_to_recordset(${json(emails)}) as email(${sql.literal(columns)})
      ${suppressed.join(sql`email."projectId"`, sql`email."to"`)}
      where ${condition}
      returning id, suppression_reason as reason
    )${hasTags ? tagged : sql``}`
}
