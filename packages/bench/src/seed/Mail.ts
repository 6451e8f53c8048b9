/**
 * Emails of 90 days to the contacts of a project, and their events. Of a hundred, 97 were delivered, 40 opened, a tenth
 * of those by machines only, 8 clicked, one bounced. None belongs to a campaign. One in ten has tags: a number of its
 * own, and a kind, which one in a thousand shares with others. The same number gives the same rows.
 */
import { Array, Console, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { filling, seedAudience } from "./Audience.ts"

/** The end of the period of all events. */
export const until = "2026-11-01T00:00:00Z"

const mailsPerStatement = 250_000

const insertMails = (sql: SqlClient.SqlClient, project: string, mails: number, from: number, to: number) => sql`
  with contact as materialized (
    select id, email, row_number() over () - 1 as n from contacts where project_id = ${project}
  )
  insert into emails (id, project_id, contact_id, to_email, from_email, subject, type, source_type, tracking, status, lane,
    due_at, ladder_since, attempts, opens, clicks, machine_opens, sent_at, delivered_at, opened_at, clicked_at,
    bounced_at, created_at, updated_at, provider, tags)
  select overlay(overlay(lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || substr(md5('mail' || mail), 1, 20)
           placing '7' from 13) placing '8' from 17)::uuid,
         ${project}::uuid, contact.id, contact.email, 'hello@bench.test', 'News', 'MARKETING', 'TRANSACTIONAL', true,
         case when mail % 100 = 0 then 'BOUNCED' when clicked then 'CLICKED' when opened then 'OPENED'
              when delivered then 'DELIVERED' else 'SENT' end,
         1, at, at, 1, opened::int, clicked::int, (opened and mail % 11 = 0)::int, at + interval '1 second',
         case when delivered then at + interval '3 seconds' end, case when opened then at + interval '1 hour' end,
         case when clicked then at + interval '2 hours' end, case when mail % 100 = 0 then at + interval '5 seconds' end,
         at, at,
         case split_part(contact.email, '@', 2)
           when 'gmail.com' then 'GMAIL' when 'outlook.com' then 'OUTLOOK' else 'OTHER' end,
         case when mail % 10 = 0 then jsonb_build_object(
           'order', mail::text, 'kind', case when mail % 1000 = 0 then 'refund' else 'receipt' end) else '{}' end
  from generate_series(${from}::bigint, ${to}::bigint) as mail
  cross join lateral (
    select date_trunc('milliseconds', timestamptz '${sql.literal(until)}' - interval '90 days'
             + mail * interval '90 days' / ${mails}::int) as at,
           mail % 100 > 2 as delivered, mail % 100 between 3 and 42 as opened, mail % 100 between 3 and 10 as clicked
  ) as fate
  join contact on contact.n = mail * 7919 % (select count(*) from contact)`

/** As the state transitions would have counted them. */
const totals = (sql: SqlClient.SqlClient, project: string) => sql`
  insert into mail_totals
    (project_id, quarter, sent, delivered, opened, clicked, bounced, complained, machine_opened, machine_clicked)
  select ${project}::uuid, date_bin('15 minutes', at, timestamptz '2000-01-01 00:00:00+00'),
         count(*) filter (where what = 'sent'), count(*) filter (where what = 'delivered'),
         count(*) filter (where what = 'opened'), count(*) filter (where what = 'clicked'),
         count(*) filter (where what = 'bounced'), 0, count(*) filter (where what = 'opened' and machine_opens > 0), 0
  from emails cross join lateral (values ('sent', sent_at), ('delivered', delivered_at), ('opened', opened_at),
    ('clicked', clicked_at), ('bounced', bounced_at)) as moments (what, at)
  where project_id = ${project} and at is not null
  group by 2`

/** Results by mailbox provider, by quarter of an hour and by day. */
const providers = (sql: SqlClient.SqlClient, project: string) =>
  Effect.forEach(
    [
      ["provider_totals", "quarter", "date_bin('15 minutes', at, timestamptz '2000-01-01 00:00:00+00')"],
      ["provider_days", "day", "date_trunc('day', at, 'UTC')"]
    ],
    ([table = "", unit = "", time = ""]) => sql`
      insert into ${sql(table)}
        (project_id, ${sql(unit)}, provider, sent, delivered, deferred, opened, clicked, bounced, complained, failed,
         machine_opened)
      select ${project}::uuid, ${sql.literal(time)}, provider,
             count(*) filter (where what = 'sent'), count(*) filter (where what = 'delivered'), 0,
             count(*) filter (where what = 'opened'), count(*) filter (where what = 'clicked'),
             count(*) filter (where what = 'bounced'), 0, 0, count(*) filter (where what = 'opened' and machine_opens > 0)
      from emails cross join lateral (values ('sent', sent_at), ('delivered', delivered_at), ('opened', opened_at),
        ('clicked', clicked_at), ('bounced', bounced_at)) as moments (what, at)
      where project_id = ${project} and at is not null
      group by 2, 3`
  )

const tagged = (sql: SqlClient.SqlClient, project: string) => sql`
  insert into email_tags (project_id, key, value, created_at, email_id)
  select project_id, tag.key, tag.value, created_at, id from emails, jsonb_each_text(tags) as tag
  where project_id = ${project} and tags <> '{}'`

/** Emails to the contacts that a project has already. */
export const seedMailTo = Effect.fnUntraced(function* (project: string, mails: number) {
  const sql = yield* SqlClient.SqlClient
  const made = Effect.gen(function* () {
    for (const from of Array.range(0, Math.ceil(mails / mailsPerStatement) - 1).map((n) => n * mailsPerStatement + 1)) {
      const to = Math.min(mails, from + mailsPerStatement - 1)
      yield* insertMails(sql, project, mails, from, to)
      yield* Console.error(`${to} of ${mails} mails`)
    }
  })
  yield* filling("emails", project, made)
  yield* totals(sql, project)
  yield* providers(sql, project)
  yield* tagged(sql, project)
  yield* sql`vacuum (analyze) emails, email_tags, mail_totals, provider_totals, provider_days`.unprepared
}, Effect.orDie)

/** Fills an empty project: a contact for each hundred emails, and two tracked events for each email. */
export const seedMail = Effect.fnUntraced(function* (project: string, mails: number) {
  yield* seedAudience(project, { contacts: Math.max(1, Math.floor(mails / 100)), events: 2 * mails, seed: 1 })
  yield* seedMailTo(project, mails)
})
