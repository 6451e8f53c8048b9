/**
 * Creates the mails of one part of a fixed audience. The same statement deletes the part, so a process that dies
 * creates all of them or none, and two processes take different parts.
 *
 * Ids are UUIDs of version 7 in the order of the contacts: the time, the position in the part (12 bits, so at most
 * 4,096) and 62 random bits. They are built here because the oldest supported PostgreSQL has no function for them.
 * Inserting in the order of three of the indexes makes a million rows take seconds.
 */
import type { SqlClient, Statement } from "effect/sql"

export const expandPart = (sql: SqlClient.SqlClient, now: Date): Statement.Statement<unknown> => sql`
  with next as materialized (
    select project_id, campaign_id, part from campaign_audiences
    order by part, project_id, campaign_id limit 1
    for update skip locked
  ),
  taken as (
    delete from campaign_audiences as part using next
    where part.project_id = next.project_id and part.campaign_id = next.campaign_id and part.part = next.part
    returning part.*
  )
  insert into emails (id, project_id, campaign_id, recipient_id, contact_id, to_email, from_email, from_name, reply_to,
    type, source_type, template_id, template_version, tracking, status, lane, due_at, ladder_since, cancelled_at, error_code,
    error_message, created_at, updated_at, link_host)
  select (lpad(to_hex(${now.getTime()}::bigint), 12, '0') || '7' || lpad(to_hex(recipient.n - 1), 3, '0')
          || substr(replace(gen_random_uuid()::text, '-', ''), 17))::uuid,
         taken.project_id, taken.campaign_id, recipient.id, contacts.id, coalesce(contacts.email, ''),
         mailings.from_email, mailings.from_name, mailings.reply_to, mailings.type, 'CAMPAIGN', mailings.template_id,
         mailings.template_version,
         mailings.tracking, case when cancellation.code is null then 'PENDING' else 'CANCELLED' end, 2, ${now}::timestamptz,
         ${now}::timestamptz, case when cancellation.code is not null then ${now}::timestamptz end, cancellation.code,
         case cancellation.code when 'contact_deleted' then 'The contact was deleted.'
                        when 'cancelled' then 'The campaign was cancelled.' end,
         ${now}::timestamptz, ${now}::timestamptz, mailings.link_host
  from taken
  join mailings on mailings.project_id = taken.project_id and mailings.campaign_id = taken.campaign_id
  cross join lateral unnest(taken.contacts) with ordinality as recipient (id, n)
  left join contacts on contacts.project_id = taken.project_id and contacts.id = recipient.id
  cross join lateral (
    select case when mailings.stopped then 'cancelled' when contacts.id is null then 'contact_deleted' end as code
  ) as cancellation
  order by recipient.n
  returning id`
