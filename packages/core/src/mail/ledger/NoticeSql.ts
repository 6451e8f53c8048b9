/**
 * The hot query of receivers: what a peer or provider reports of one mail, in one statement and so in one transaction:
 * the receipt that makes it count once, the mail's state, and the event.
 *
 * States only rise, and every time is the earliest one reported, so that the order of notices does not matter. The first
 * delivery report alone counts: a further one stands in the timeline only. A peer's clock may be behind ours: no mail is
 * delivered before it was sent. The receipt is written only when the mail has left: a notice that comes too early can be
 * tried again. Of mail whose recipient was erased the state moves alone: what a report says may quote the address.
 */
import { DateTime } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { eventChanges, noteChanges } from "../../events/ChangeNotes.ts"
import { afterHeld, heldContacts } from "../../events/HeldContacts.ts"
import { isNamed } from "./ErasureSql.ts"
import type { Notice, NoticeEvent, Receipt } from "./Ledger.ts"

/** States of a mail that was sent, or may have been sent. */
const gone = ["SENT", "DELIVERED", "OPENED", "CLICKED", "BOUNCED", "COMPLAINED", "AMBIGUOUS", "FAILED"]

/** The states that a report changes, and the new state. */
const lifts = {
  delivered: ["DELIVERED", ["SENT", "AMBIGUOUS", "FAILED"]],
  bounced: ["BOUNCED", ["SENT", "DELIVERED", "OPENED", "CLICKED", "AMBIGUOUS", "FAILED"]],
  complained: ["COMPLAINED", ["SENT", "DELIVERED", "OPENED", "CLICKED", "BOUNCED", "AMBIGUOUS", "FAILED"]],
  rejected: ["FAILED", ["SENT", "AMBIGUOUS"]]
} as const

type Change = Extract<Notice, { readonly kind: keyof typeof lifts }>

const changes = (sql: SqlClient.SqlClient, notice: Change, now: DateTime.Utc): Statement.Fragment => {
  const [status, from] = lifts[notice.kind]
  const at = sql`${DateTime.toDate(notice.at)}::timestamptz`
  const lifted = sql`status in ${sql.in(from)}`
  const always = sql`status = case when ${lifted} then ${status} else status end,
    updated_at = ${DateTime.toDate(now)}::timestamptz`
  // A report proves that a mail without a stored acceptance was sent when its last try began.
  const left = sql`coalesce(sent_at, begun_at, ${at})`
  const wentOut = sql`sent_at = ${left},
    failed_at = case when status = 'FAILED' then null else failed_at end`
  const said = (text: string) => sql`case when ${sql.literal(isNamed)} then ${text}::text end`
  /** The reason of the earliest report stays, whatever the order of arrival. */
  const reason = (since: string, text: string) => {
    const first = sql`${sql.literal(since)} is null or (${at}, ${text}::text) < (${sql.literal(since)}, error_message)`
    return sql`error_code = case when ${first} then 'rejected' else error_code end,
      error_message = case when ${first} then ${said(text)} else error_message end`
  }
  const cleared = sql`error_code = case when status in ('AMBIGUOUS', 'FAILED') then null else error_code end,
    error_message = case when status in ('AMBIGUOUS', 'FAILED') then null else error_message end`
  switch (notice.kind) {
    case "delivered":
      return sql`${always}, ${wentOut}, ${cleared}, delivered_at = greatest(${at}, ${left})`
    case "complained":
      return sql`${always}, ${wentOut}, ${cleared}, complained_at = least(complained_at, ${at})`
    case "bounced":
      return sql`${always}, ${wentOut}, ${reason("bounced_at", notice.diagnostic)},
        bounced_at = least(bounced_at, ${at}), bounced_for_good = bounced_for_good or ${notice.permanent}::boolean`
    case "rejected":
      return sql`${always},
        failed_at = case when ${lifted} or status = 'FAILED' then least(failed_at, ${at}) else failed_at end,
        error_code = case when ${lifted} then 'rejected' else error_code end,
        error_message = case when ${lifted} then ${said(notice.message)} else error_message end`
  }
}

/** One row: whether the mail was sent, and whether the report was new. */
export const noticeStatement = (
  sql: SqlClient.SqlClient,
  { project, email }: { readonly project: string; readonly email: string },
  notice: Notice,
  { kind, id }: Receipt,
  event: NoticeEvent | undefined,
  now: DateTime.Utc
): Statement.Statement<unknown> => {
  const at = sql`${DateTime.toDate(now)}::timestamptz`
  const counts = sql`emails.project_id = ${project}::uuid and emails.id = ${email}::uuid
    and emails.status in ${sql.in(gone)} and exists (select from receipt) and ${afterHeld(sql)}`
  const columns = sql.literal(`emails.project_id, emails.id, emails.contact_id, ${isNamed} as is_named`)
  const isFirst = notice.kind === "delivered" ? sql`emails.delivered_at is null` : sql`true`
  const moved =
    notice.kind === "softBounced" || notice.kind === "deferred"
      ? sql`select ${columns} from emails where ${counts}`
      : sql`update emails set ${changes(sql, notice, now)} where ${counts} and ${isFirst} returning ${columns}`
  const deferred =
    notice.kind === "deferred"
      ? sql`, noted as (
          insert into email_deferrals (project_id, email_id, at, detail)
          select project_id, id, ${DateTime.toDate(notice.at)}::timestamptz, ${notice.detail}::text from moved
          where is_named
          on conflict do nothing)`
      : notice.kind === "delivered"
        ? sql`, repeated as (
          insert into email_deferrals (project_id, email_id, at, detail, kind)
          select mail.project_id, ${email}::uuid, ${DateTime.toDate(notice.at)}::timestamptz, '', 'delivered'
          from mail cross join receipt where not exists (select from moved)
          on conflict do nothing)`
        : sql``
  // A mail is delivered once. Another delivery report is a repeat, even with another receipt.
  const fresh =
    notice.kind === "delivered"
      ? sql`exists (select from receipt) and exists (select from moved)`
      : sql`exists (select from receipt)`
  // A rejection is an event only if it ended the mail.
  const isNews = notice.kind === "rejected" ? sql`mail.status in ${sql.in(lifts.rejected[1])}` : sql`true`
  const told = event
    ? sql`, told as (
        insert into events (id, project_id, contact_id, email_id, name, source, data, created_at)
        select ${event.id}::uuid, moved.project_id, held.id, moved.id, ${event.name}::text, 'system',
               ${JSON.stringify(event.data)}::text::jsonb, ${at}
        from moved cross join mail
        left join held on held.id = moved.contact_id
        where is_named and ${isNews}
        returning project_id, contact_id, name),
      reacting as (${noteChanges(sql, eventChanges(sql, "told"))})`
    : sql``
  return sql`
    with mail as materialized (
      select status, project_id, contact_id from emails
      where project_id = ${project}::uuid and id = ${email}::uuid and status in ${sql.in(gone)}
    ),
    held as materialized (${heldContacts(sql, sql`select project_id, contact_id from mail`)}),
    receipt as (
      insert into notification_receipts (kind, id, received_at)
      select ${kind}::text, ${id}::text, ${at} from mail
      on conflict do nothing
      returning id
    ),
    moved as (${moved})${deferred}${told}
    select exists (select from mail) as left, ${fresh} as fresh`
}
