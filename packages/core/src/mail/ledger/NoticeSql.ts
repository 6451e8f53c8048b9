/**
 * The hot query of receivers: applies the report of a server or provider about one mail. One statement writes the
 * receipt, so that the report counts once, the status of the mail, and the event.
 *
 * A status only advances, and each time is the earliest one reported, so the order of reports does not matter. Only the
 * first delivery report counts; a later one appears in the timeline only. The clock of a server may be slow, so the time
 * of delivery is never before the time of sending. The receipt is written only if the mail was sent, so a report that
 * comes too early can be tried again. If the recipient was erased, only the status changes, because the text of a report
 * may quote the address.
 */
import { DateTime } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { eventChanges, noteChanges } from "../../events/ChangeNotes.ts"
import { afterHeld, heldContacts } from "../../events/HeldContacts.ts"
import { isNamed } from "./ErasureSql.ts"
import type { Notice, NoticeEvent, ReportReceipt } from "./Ledger.ts"

/** Statuses of a mail that was sent, or may have been sent. */
const sentStatuses = ["SENT", "DELIVERED", "OPENED", "CLICKED", "BOUNCED", "COMPLAINED", "AMBIGUOUS", "FAILED"]

/** The new status, and the statuses that the report changes. */
const transitions = {
  delivered: ["DELIVERED", ["SENT", "AMBIGUOUS", "FAILED"]],
  bounced: ["BOUNCED", ["SENT", "DELIVERED", "OPENED", "CLICKED", "AMBIGUOUS", "FAILED"]],
  complained: ["COMPLAINED", ["SENT", "DELIVERED", "OPENED", "CLICKED", "BOUNCED", "AMBIGUOUS", "FAILED"]],
  rejected: ["FAILED", ["SENT", "AMBIGUOUS"]]
} as const

type Change = Extract<Notice, { readonly kind: keyof typeof transitions }>

const changes = (sql: SqlClient.SqlClient, notice: Change, now: DateTime.Utc): Statement.Fragment => {
  const [status, from] = transitions[notice.kind]
  const at = sql`${DateTime.toDate(notice.at)}::timestamptz`
  const isChanged = sql`status in ${sql.in(from)}`
  const statusSet = sql`status = case when ${isChanged} then ${status} else status end,
    updated_at = ${DateTime.toDate(now)}::timestamptz`
  // A report proves that the mail was sent. Without a stored acceptance, it was sent when its last try began.
  const sentAt = sql`coalesce(sent_at, begun_at, ${at})`
  const sentSet = sql`sent_at = ${sentAt},
    failed_at = case when status = 'FAILED' then null else failed_at end`
  const unlessErased = (text: string) => sql`case when ${sql.literal(isNamed)} then ${text}::text end`
  /** Keeps the reason of the earliest report. */
  const reasonSet = (since: string, text: string) => {
    const first = sql`${sql.literal(since)} is null or (${at}, ${text}::text) < (${sql.literal(since)}, error_message)`
    return sql`error_code = case when ${first} then 'rejected' else error_code end,
      error_message = case when ${first} then ${unlessErased(text)} else error_message end`
  }
  const errorCleared = sql`error_code = case when status in ('AMBIGUOUS', 'FAILED') then null else error_code end,
    error_message = case when status in ('AMBIGUOUS', 'FAILED') then null else error_message end`
  switch (notice.kind) {
    case "delivered":
      return sql`${statusSet}, ${sentSet}, ${errorCleared}, delivered_at = greatest(${at}, ${sentAt})`
    case "complained":
      return sql`${statusSet}, ${sentSet}, ${errorCleared}, complained_at = least(complained_at, ${at})`
    case "bounced":
      return sql`${statusSet}, ${sentSet}, ${reasonSet("bounced_at", notice.diagnostic)},
        bounced_at = least(bounced_at, ${at}), bounced_for_good = bounced_for_good or ${notice.permanent}::boolean`
    case "rejected":
      return sql`${statusSet},
        failed_at = case when ${isChanged} or status = 'FAILED' then least(failed_at, ${at}) else failed_at end,
        error_code = case when ${isChanged} then 'rejected' else error_code end,
        error_message = case when ${isChanged} then ${unlessErased(notice.message)} else error_message end`
  }
}

/** Returns one row: `sent`, whether the mail was sent, and `new`, whether the report is new. */
export const noticeStatement = (
  sql: SqlClient.SqlClient,
  { project, email }: { readonly project: string; readonly email: string },
  notice: Notice,
  { kind, id }: ReportReceipt,
  event: NoticeEvent | undefined,
  now: DateTime.Utc
): Statement.Statement<unknown> => {
  const at = sql`${DateTime.toDate(now)}::timestamptz`
  const counts = sql`emails.project_id = ${project}::uuid and emails.id = ${email}::uuid
    and emails.status in ${sql.in(sentStatuses)} and exists (select from receipt) and ${afterHeld(sql)}`
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
  // A second delivery report is a duplicate, even with another receipt.
  const isNew =
    notice.kind === "delivered"
      ? sql`exists (select from receipt) and exists (select from moved)`
      : sql`exists (select from receipt)`
  // A rejection records an event only if it fails the mail.
  const hasEvent = notice.kind === "rejected" ? sql`mail.status in ${sql.in(transitions.rejected[1])}` : sql`true`
  const recorded = event
    ? sql`, recorded as (
        insert into events (id, project_id, contact_id, email_id, name, source, data, created_at)
        select ${event.id}::uuid, moved.project_id, held.id, moved.id, ${event.name}::text, 'system',
               ${JSON.stringify(event.data)}::text::jsonb, ${at}
        from moved cross join mail
        left join held on held.id = moved.contact_id
        where is_named and ${hasEvent}
        returning project_id, contact_id, name),
      reacting as (${noteChanges(sql, eventChanges(sql, "recorded"))})`
    : sql``
  return sql`
    with mail as materialized (
      select status, project_id, contact_id from emails
      where project_id = ${project}::uuid and id = ${email}::uuid and status in ${sql.in(sentStatuses)}
    ),
    held as materialized (${heldContacts(sql, sql`select project_id, contact_id from mail`)}),
    receipt as (
      insert into notification_receipts (kind, id, received_at)
      select ${kind}::text, ${id}::text, ${at} from mail
      on conflict do nothing
      returning id
    ),
    moved as (${moved})${deferred}${recorded}
    select exists (select from mail) as sent, ${isNew} as new`
}
