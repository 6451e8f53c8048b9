/**
 * The mails of one part of a frozen audience, in one statement: the part goes in the transaction that makes them, so a
 * process that dies makes them all or none, and two that meet take different parts.
 *
 * Ids are version 7 in the order of the contacts, made here because the version of PostgreSQL that we ask for has no
 * function for them: the time, the place in the part (12 bits, so at most 4,096), 62 bits by chance. Rows that come in the
 * order of three of the indexes are what makes a million of them a matter of seconds.
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
    type, source_type, template_id, tracking, status, lane, due_at, ladder_since, cancelled_at, error_code,
    error_message, created_at, updated_at)
  select (lpad(to_hex(${now.getTime()}::bigint), 12, '0') || '7' || lpad(to_hex(recipient.n - 1), 3, '0')
          || substr(replace(gen_random_uuid()::text, '-', ''), 17))::uuid,
         taken.project_id, taken.campaign_id, recipient.id, contacts.id, coalesce(contacts.email, ''),
         mailings.from_email, mailings.from_name, mailings.reply_to, mailings.type, 'CAMPAIGN', mailings.template_id,
         mailings.tracking, case when gone.code is null then 'PENDING' else 'CANCELLED' end, 2, ${now}::timestamptz,
         ${now}::timestamptz, case when gone.code is not null then ${now}::timestamptz end, gone.code,
         case gone.code when 'contact_deleted' then 'The contact was deleted.'
                        when 'cancelled' then 'The campaign was cancelled.' end,
         ${now}::timestamptz, ${now}::timestamptz
  from taken
  join mailings on mailings.project_id = taken.project_id and mailings.campaign_id = taken.campaign_id
  cross join lateral unnest(taken.contacts) with ordinality as recipient (id, n)
  left join contacts on contacts.project_id = taken.project_id and contacts.id = recipient.id
  cross join lateral (
    select case when mailings.stopped then 'cancelled' when contacts.id is null then 'contact_deleted' end as code
  ) as gone
  order by recipient.n
  returning id`
