/**
 * The rules of retention, as SQL.
 *
 * Each rule walks through one project in the order of an index, some thousand rows a step. Each step is a transaction,
 * so locks are short, and the next daily run continues after a crash. Ids are UUIDs of version 7, so older rows have
 * smaller ids. The time in an id and the time of its row differ by at most a minute, which a request may take.
 */
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { nilId } from "@posthorn/contract/platform/Primitives"
import { DateTime } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { frequencyMillis } from "../../mail/policy/FrequencyCaps.ts"
import { deleteInBatches } from "../../platform/Batches.ts"
import { timePrefix } from "../../platform/TimeIds.ts"

/** Rows that a step reads. */
export const rowsPerStep = 5_000

/** The last row of a step. The next step begins after it. */
export interface LastRow {
  readonly key: string
  readonly id: string
}

export interface Walk {
  readonly project: ProjectId
  /** Rows that were last changed before this time are removed. */
  readonly before: DateTime.Utc
  readonly now: DateTime.Utc
  readonly after: LastRow
}

/**
 * Returns one row: the number of rows that were read, the number that were removed or cleared, and the place of the
 * last one.
 */
export type Rule = (sql: SqlClient.SqlClient, walk: Walk) => Statement.Statement<unknown>

export const start: LastRow = { key: "-infinity", id: nilId }

/** The highest id of rows from before the instant, or within a minute after it. */
const idAt = (instant: DateTime.Utc) => {
  const last = DateTime.toEpochMillis(instant) + 60_000
  return `${timePrefix(DateTime.makeUnsafe(Math.max(0, last)))}-ffff-ffff-ffffffffffff`
}

const progress = (sql: SqlClient.SqlClient, changed: string, key: string, id: string) =>
  sql.literal(`
    select (select count(*) from seen)::int as seen, (select count(*) from ${changed})::int as changed,
           (select ${key}::text from seen order by ${key} desc, ${id} desc limit 1) as key,
           (select ${id}::text from seen order by ${key} desc, ${id} desc limit 1) as id`)

/** Emails that may still be sent keep everything. */
const isSettled = `status not in ('SCHEDULED', 'PENDING', 'SENDING') and not (status = 'AMBIGUOUS' and due_at < 'infinity')`

/**
 * Removes rendered texts and attachments once no email of their request has changed for that time. A text has no
 * reference to its emails. They are found by their creation time, which all emails of a request share.
 */
export const texts: Rule = (sql, { project, before, now, after }) => sql`
  with seen as materialized (
    select id, ('x' || substr(replace(id::text, '-', ''), 1, 12))::bit(48)::bigint as millis
    from email_contents
    where project_id = ${project} and purged_at is null and id > ${after.id}::uuid and id <= ${idAt(before)}::uuid
    order by id limit ${rowsPerStep}
  ),
  mails as materialized (
    select content_id, attachments, created_at, ${sql.literal(isSettled)} and updated_at < ${DateTime.toDate(before)} as is_old
    from emails
    where project_id = ${project}
      and created_at >= to_timestamp((select min(millis) from seen) / 1000.0 - 60)
      and created_at <= to_timestamp((select max(millis) from seen) / 1000.0 + 60)
  ),
  old as materialized (
    select content_id, attachments from mails
    where content_id in (select id from seen) and created_at not in (select created_at from mails where not is_old)
  ),
  cleared as (
    update email_contents set html = null, text = null, purged_at = ${DateTime.toDate(now)}
    where project_id = ${project}
      and id in (select id from seen where id in (select content_id from old)
                                      or id not in (select content_id from mails where content_id is not null))
    returning id
  ),
  files as (
    delete from email_attachments
    where project_id = ${project}
      and id in (select (file ->> 'id')::uuid from old, jsonb_array_elements(old.attachments) as file)
  )
  ${progress(sql, "cleared", "id", "id")}`

/** Removes the data of contacts in emails of campaigns. Without it the texts cannot be built again. */
export const personalParts: Rule = (sql, { project, before, after }) => sql`
  with seen as materialized (
    select emails.campaign_id, recipient_id, emails.id, frozen is not null and updated_at < ${DateTime.toDate(before)}
           and ${sql.literal(isSettled)} as is_old
    from mailings join emails on emails.project_id = mailings.project_id and emails.campaign_id = mailings.campaign_id
    where mailings.project_id = ${project} and mailings.purged_at is null and not is_open
      and mailings.campaign_id <= ${idAt(before)}::uuid and recipient_id is not null
      and (emails.campaign_id, recipient_id) > (${after.key === "-infinity" ? start.id : after.key}::uuid, ${after.id}::uuid)
    order by emails.campaign_id, recipient_id limit ${rowsPerStep}
  ),
  cleared as (
    update emails set frozen = null
    where project_id = ${project} and id in (select id from seen where is_old)
    returning id
  )
  ${progress(sql, "cleared", "campaign_id", "recipient_id")}`

/** Removes tries with the replies of servers. */
export const attempts: Rule = (sql, { project, before, after }) => sql`
  with seen as materialized (
    select email_id, number, ended_at < ${DateTime.toDate(before)} as is_old from email_attempts
    where project_id = ${project} and email_id > ${after.id}::uuid and email_id <= ${idAt(before)}::uuid
    order by email_id fetch first ${rowsPerStep} rows with ties
  ),
  deleted as (
    delete from email_attempts where project_id = ${project}
      and (email_id, number) in (select email_id, number from seen where is_old)
    returning email_id
  )
  ${progress(sql, "deleted", "email_id", "email_id")}`

/** Removes the content of inbound mail. The record that it arrived stays. It occurred when it was recorded. */
export const inboundTexts: Rule = (sql, { project, before, after }) => sql`
  with seen as materialized (
    select occurred_at, id, data ->> 'text' is not null or data ->> 'html' is not null as is_old from events
    where project_id = ${project} and name = 'email.received' and source = 'system'
      and occurred_at < ${DateTime.toDate(before)} and (occurred_at, id) > (${after.key}::timestamptz, ${after.id}::uuid)
    order by occurred_at, id limit ${rowsPerStep}
  ),
  cleared as (
    update events set data = data || '{"text": null, "html": null}'
    where project_id = ${project} and id in (select id from seen where is_old)
    returning id
  )
  ${progress(sql, "cleared", "occurred_at", "id")}`

export const events: Rule = (sql, { project, before, after }) => sql`
  with seen as materialized (
    select id, created_at < ${DateTime.toDate(before)} as is_old from events
    where project_id = ${project} and id > ${after.id}::uuid and id <= ${idAt(before)}::uuid
    order by id limit ${rowsPerStep}
  ),
  deleted as (
    delete from events where project_id = ${project} and id in (select id from seen where is_old) returning id
  )
  ${progress(sql, "deleted", "id", "id")}`

/** Removes the details of executions that ended before that time. The executions stay. */
export const contexts: Rule = (sql, { project, before, now, after }) => sql`
  with seen as materialized (
    select completed_at, id from workflow_executions
    where project_id = ${project} and purged_at is null and completed_at < ${DateTime.toDate(before)}
      and (completed_at, id) > (${after.key}::timestamptz, ${after.id}::uuid)
    order by completed_at, id limit ${rowsPerStep}
  ),
  visits as (
    update workflow_step_executions set config = null, request = null, output = null
    where project_id = ${project} and execution_id in (select id from seen)
  ),
  cleared as (
    update workflow_executions set context = null, purged_at = ${DateTime.toDate(now)}
    where project_id = ${project} and id in (select id from seen)
    returning id
  )
  ${progress(sql, "cleared", "completed_at", "id")}`

/**
 * Removes records of emails with everything that belongs to them. A text that another email of the request needs stays.
 * The usage of a period that has not ended is recorded separately (`BillingStoreSql.ts`).
 */
const recordsWhere =
  (condition: string): Rule =>
  (sql, { project, before, now, after }) =>
    sql`
  with walked as (select ${project}::uuid as id),
  seen as materialized (
    select id, created_at, content_id, attachments, tags, source_type, status, test, ${sql.literal(isSettled)} as is_old
    from emails
    where project_id = ${project} and created_at < ${DateTime.toDate(before)}
      and (created_at, id) > (${after.key}::timestamptz, ${after.id}::uuid) and ${sql.literal(condition)}
    order by created_at, id limit ${rowsPerStep}
  ),
  kept as materialized (
    select content_id, attachments from emails
    where project_id = ${project} and created_at in (select created_at from seen)
      and id not in (select id from seen where is_old)
  ),
  texts as (
    delete from email_contents where project_id = ${project} and id in (select content_id from seen where is_old)
      and id not in (select content_id from kept where content_id is not null)
  ),
  files as (
    delete from email_attachments where project_id = ${project}
      and id in (select (file ->> 'id')::uuid from seen, jsonb_array_elements(seen.attachments) as file where is_old)
      and id not in (select (file ->> 'id')::uuid from kept, jsonb_array_elements(kept.attachments) as file)
  ),
  used as (
    insert into billing_charges (project_id, category, at, id, count)
    select ${project}::uuid, case source_type when 'CAMPAIGN' then 'campaigns' when 'WORKFLOW' then 'workflows'
                                              else 'transactional' end,
           max(created_at), min(id::text)::uuid, count(*)
    from seen
    where is_old and not test and status not in ('CANCELLED', 'SUPPRESSED') and created_at >= least(
      date_trunc('month', ${DateTime.toDate(now)}::timestamptz, 'UTC'),
      (select period_start from billing_accounts where project_id = ${project} and subscription_id is not null))
    group by 2, date_trunc('minute', created_at)
  ),
  ${sql.literal(
    ["email_attempts", "email_hits", "email_deferrals"]
      .map(
        (table) => `of_${table} as (delete from ${table} where project_id = (select id from walked)
        and email_id in (select id from seen where is_old))`
      )
      .join(", ")
  )},
  of_email_tags as (
    delete from email_tags using seen, jsonb_each_text(seen.tags) as tag
    where seen.is_old and email_tags.project_id = ${project} and email_tags.key = tag.key
      and email_tags.value = tag.value and email_tags.created_at = seen.created_at and email_tags.email_id = seen.id
  ),
  deleted as (
    delete from emails where project_id = ${project} and id in (select id from seen where is_old) returning id, group_id
  ),
  of_groups as (
    delete from email_groups
    where project_id = ${project} and id in (select group_id from deleted)
      and not exists (select from emails where emails.project_id = ${project} and group_id = email_groups.id
                      and emails.id not in (select id from seen where is_old))
  )
  ${progress(sql, "deleted", "created_at", "id")}`

export const emails = recordsWhere("true")

/** The same for mail of test mode. */
export const testEmails = recordsWhere("mode = 'TEST'")

/** Removes what counted for frequency caps, and what a contact left that was deleted meanwhile. */
export const deleteFrequencies = (sql: SqlClient.SqlClient, project: ProjectId, now: DateTime.Utc) =>
  deleteInBatches(
    sql,
    "contact_frequency",
    sql`
      project_id = ${project}
      and (updated_at < ${new Date(now.epochMilliseconds - frequencyMillis)}
           or not exists (select from contacts where contacts.project_id = ${project} and contacts.id = contact_id))`
  )

/** Removes the counts of test mails of earlier days. */
export const deleteTestMailDays = (sql: SqlClient.SqlClient, project: ProjectId, now: DateTime.Utc) => sql`
  delete from test_mail_days where project_id = ${project} and day < ${DateTime.formatIsoDateUtc(now)}::date - 1`

/**
 * Marks campaigns whose emails have nothing left to remove, so that they are not read again. The API shows the time
 * with their emails.
 */
export const markPurged = (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  before: DateTime.Utc,
  now: DateTime.Utc
) => sql`
  update mailings set purged_at = ${DateTime.toDate(now)}
  where project_id = ${project} and purged_at is null and not is_open and not stopped
    and campaign_id <= ${idAt(before)}::uuid
    and not exists (
      select from campaigns where campaigns.project_id = ${project} and campaigns.id = mailings.campaign_id
        and coalesce(campaigns.completed_at, 'infinity') >= ${DateTime.toDate(before)})
    and not exists (
      select from emails where emails.project_id = ${project} and emails.campaign_id = mailings.campaign_id
        and recipient_id is not null
        and (frozen is not null or not (${sql.literal(isSettled)})))`

/**
 * Removes the providers' ids of emails whose record is deleted, among the next ids after the given one. Of all projects at
 * once, in the order of the key: no index has the ids of one project, and each accepted mail would pay for it. Returns
 * `seen` and the `last` id.
 */
export const deleteProviderIds = (sql: SqlClient.SqlClient, after: string) => sql`
  with seen as materialized (
    select provider_id, project_id, email_id from provider_ids where provider_id > ${after}
    order by provider_id fetch first ${sql.literal(String(rowsPerStep))} rows with ties
  ),
  gone as (
    delete from provider_ids using seen
    where provider_ids.provider_id = seen.provider_id and provider_ids.project_id = seen.project_id
      and provider_ids.email_id = seen.email_id
      and not exists (
        select from emails where emails.project_id = seen.project_id and emails.id = seen.email_id)
  )
  select count(*)::int as seen, max(provider_id) as last from seen`
