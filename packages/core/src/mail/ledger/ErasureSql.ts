/**
 * Removes all personal data from the records of mail to one person, in one statement. These are mails to the contact,
 * mails to its address without a contact, and mails that a workflow sent to its address for another contact.
 *
 * Copies of mail to the contact are about that person: they keep only their recipient. The address leaves the headers of
 * the copies it got, so a copy that is still to be sent does not show it.
 *
 * The mails of one request share content and attachments, and have the same `created_at`. Content is deleted unless
 * another mail with that time refers to it. Ambiguous mail is not sent again. Replies of servers and error messages may
 * quote the address, so they are deleted, but their codes are kept. Mail in transmission loses its content too: it fails
 * if it has to be tried again.
 */

import type { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import type { SqlClient, Statement } from "effect/sql"

/** False once the recipient of a mail was erased. */
export const isNamed = "emails.to_email <> ''"

export const strip = (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  contact: ContactId,
  address: string,
  now: Date
): Statement.Statement<unknown> => {
  const without = (list: string) => sql`(
    select coalesce(jsonb_agg(shown), '[]') from jsonb_array_elements(${sql.literal(list)}) as shown
    where shown ->> 'email' <> ${address})`
  return sql`
  with addressed as materialized (
    select id, contact_id, content_id, attachments, tags, created_at, group_id, true as is_recipient from emails
    where project_id = ${project} and contact_id = ${contact}
    union
    select id, contact_id, content_id, attachments, tags, created_at, group_id, true from emails
    where project_id = ${project} and to_email = ${address}
      and (contact_id is null or source_type = 'WORKFLOW')
  ),
  mine as materialized (
    select * from addressed
    union all
    select copy.id, copy.contact_id, copy.content_id, copy.attachments, copy.tags, copy.created_at, copy.group_id, false
    from addressed join emails as copy on copy.project_id = ${project} and copy.group_id = addressed.id
    where copy.contact_id is null and copy.recipient_type <> 'TO' and copy.id not in (select id from addressed)
  ),
  hidden as (
    update email_groups set shown_to = ${without("shown_to")}, shown_cc = ${without("shown_cc")}
    where project_id = ${project} and id in (select group_id from addressed)
  ),
  others as materialized (
    select content_id, attachments from emails
    where project_id = ${project} and created_at in (select created_at from mine) and id not in (select id from mine)
  ),
  contents as (
    delete from email_contents
    where project_id = ${project} and id in (select content_id from mine)
      and id not in (select content_id from others where content_id is not null)
  ),
  files as (
    delete from email_attachments
    where project_id = ${project}
      and id in (select (file ->> 'id')::uuid from mine, jsonb_array_elements(mine.attachments) as file)
      and id not in (select (file ->> 'id')::uuid from others, jsonb_array_elements(others.attachments) as file)
  ),
  replies as (
    update email_attempts set reply = null, dialogue = null where project_id = ${project} and email_id in (select id from addressed)
  ),
  hits as (
    delete from email_hits where project_id = ${project} and email_id in (select id from addressed)
  ),
  deferrals as (
    delete from email_deferrals where project_id = ${project} and email_id in (select id from addressed)
  ),
  tagged as (
    delete from email_tags using mine, jsonb_each_text(mine.tags) as tag
    where email_tags.project_id = ${project} and email_tags.key = tag.key and email_tags.value = tag.value
      and email_tags.created_at = mine.created_at and email_tags.email_id = mine.id
  ),
  orphan_events as (
    delete from events where project_id = ${project} and contact_id is null and email_id in (select id from mine)
  ),
  contact_events as (
    delete from events using mine
    where events.project_id = ${project} and events.contact_id = mine.contact_id and events.email_id = mine.id
  )
  update emails set frozen = null, message_id = null,
    contact_id = null, to_email = case when is_recipient then '' else to_email end,
    to_name = case when is_recipient then null else to_name end, subject = '', locale = null, content_id = null,
    headers = '{}', tags = '{}',
    attachments = '[]', error_message = null, updated_at = ${now},
    due_at = case when status = 'AMBIGUOUS' then 'infinity' else due_at end,
    status = case when status in ('SCHEDULED', 'PENDING') then 'CANCELLED' else status end,
    cancelled_at = case when status in ('SCHEDULED', 'PENDING') then ${now}::timestamptz else cancelled_at end,
    error_code = case when status in ('SCHEDULED', 'PENDING') then 'contact_deleted' else error_code end
  from mine
  where emails.project_id = ${project} and emails.id = mine.id
  returning emails.id`
}
