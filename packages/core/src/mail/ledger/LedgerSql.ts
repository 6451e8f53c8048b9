/** Ledger in PostgreSQL, on a server or embedded. */

import { EmailId } from "@posthorn/contract/mail/emails/Email"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { ContactMail } from "../../audience/contacts/ContactMail.ts"
import { SuppressedAddress } from "../../audience/suppression/SuppressedAddress.ts"
import { isTaken } from "../../platform/Transaction.ts"
import { forgetFrequency, moveFrequency } from "../policy/Frequency.ts"
import { acceptedMails, acceptParts } from "./AcceptSql.ts"
import { strip } from "./ErasureSql.ts"
import { type KnownMail, Ledger, memberKey, messageKey } from "./Ledger.ts"
import { entryColumns, entryFields } from "./LedgerRow.ts"
import { noticeStatement } from "./NoticeSql.ts"

const knownMails = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      ...entryFields,
      projectId: ProjectId,
      attempts: Schema.Int,
      providerId: Schema.NullOr(Schema.String)
    })
  )
)

const ids = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: EmailId })))

const outcomes = Schema.decodeUnknownEffect(
  Schema.Tuple([Schema.Struct({ sent: Schema.Boolean, new: Schema.Boolean })])
)

/** More mails than one submitted message makes, so that a second message with the same id is seen. */
const mostNamed = 101

const knownColumns = `${entryColumns}, emails.project_id as "projectId", emails.attempts`

const ledger = Layer.effect(
  Ledger,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const suppressed = yield* SuppressedAddress

    return Ledger.of({
      accept: Effect.fn("Ledger.accept")(function* (project, emails, contents, attachments, now, groups = []) {
        const mail = { emails, contents, attachments, groups }
        const parts = acceptParts(sql, suppressed, [{ project, mail }], DateTime.toDate(now), sql`true`)
        const found = yield* acceptedMails(yield* sql`with ${parts} select id, reason from accepted`)
        return new Map([...found].flatMap(([id, reason]) => (reason === null ? [] : [[id, reason] as const])))
      }, Effect.orDie),
      findAccepted: Effect.fn("Ledger.findAccepted")(function* (project, emails) {
        // The first content row has the id of the first mail. Inserting it waits for a transaction that writes it.
        const place = sql`
          insert into email_contents (project_id, id) values (${project}, ${emails[0]})
          on conflict do nothing returning id`
        if (!(yield* isTaken(sql, place))) return Option.none()
        const found = yield* sql`
          select id, suppression_reason as reason from emails
          where project_id = ${project} and id = any(${emails}::uuid[])`
        return Option.some(yield* acceptedMails(found))
      }, Effect.orDie),
      dropContact: Effect.fn("Ledger.dropContact")(function* (project, contact, now) {
        yield* forgetFrequency(sql, project, contact)
        const waits = sql`status in ('SCHEDULED', 'PENDING')`
        const at = sql`${DateTime.toDate(now)}::timestamptz`
        yield* sql`
          with own as materialized (
            select id, group_id from emails where project_id = ${project} and contact_id = ${contact}
          ),
          dropped as (
            select id from own
            union all
            select copy.id from own join emails as copy on copy.project_id = ${project} and copy.group_id = own.id
            where copy.contact_id is null and copy.recipient_type <> 'TO' and copy.${waits}
          )
          update emails set contact_id = null, updated_at = ${at},
            status = case when ${waits} then 'CANCELLED' else status end,
            cancelled_at = case when ${waits} then ${at} else cancelled_at end,
            error_code = case when ${waits} then 'contact_deleted' else error_code end,
            error_message = case when ${waits} then 'The contact was deleted.' else error_message end
          from dropped where project_id = ${project} and emails.id = dropped.id`
      }, Effect.orDie),
      moveContact: Effect.fn("Ledger.moveContact")(function* (project, from, to, now) {
        yield* moveFrequency(sql, project, from, to.id, now)
        const waits = sql`status in ('SCHEDULED', 'PENDING')`
        const at = sql`${DateTime.toDate(now)}::timestamptz`
        const isTwice = sql`(${waits} and exists (
          select from emails as own
          where own.project_id = ${project} and own.campaign_id = emails.campaign_id and own.contact_id = ${to.id}
        ))`
        const isHeldOut = sql`(${waits} and exists (
          select from campaign_holdouts as held
          where held.project_id = ${project} and held.campaign_id = emails.campaign_id and held.contact_id = ${to.id}
        ))`
        const moved = yield* sql`
          with own as materialized (
            select id, ${waits} as waits,
                   case when ${isTwice} then 'The contact was merged into another recipient.'
                        when ${isHeldOut} then 'The contact was merged into one that is held out.' end as ending
            from emails
            where project_id = ${project} and contact_id = ${from} order by id for update
          )
          update emails set contact_id = ${to.id}, updated_at = ${at},
            to_email = case when waits and ending is null then ${to.email} else to_email end,
            status = case when ending is null then status else 'CANCELLED' end,
            cancelled_at = case when ending is null then cancelled_at else ${at} end,
            error_code = case when ending is null then error_code else 'cancelled' end,
            error_message = coalesce(ending, error_message)
          from own where project_id = ${project} and emails.id = own.id
          returning emails.id`
        return moved.length
      }, Effect.orDie),
      erase: Effect.fn("Ledger.erase")(function* (project, contact, address, now) {
        const stripped = yield* ids(yield* strip(sql, project, contact, address, DateTime.toDate(now)))
        return stripped.length
      }, Effect.orDie),
      markUnsubscribed: Effect.fn("Ledger.markUnsubscribed")(function* (project, email, contact, now) {
        yield* sql`
          update emails set unsubscribed_at = ${DateTime.toDate(now)}, updated_at = ${DateTime.toDate(now)}
          where project_id = ${project} and id = ${email} and contact_id = ${contact} and unsubscribed_at is null`
      }, Effect.orDie),
      lookUp: Effect.fn("Ledger.lookUp")(function* ({ ids, providerIds, messageIds }) {
        const submitted = sql`
            union all
            select ${sql.literal(knownColumns)}, null
            from unnest(${messageIds}::text[]) as named(message_id)
            cross join lateral (
              select project_id, id, message_id from emails where emails.message_id = named.message_id and mode = 'LIVE' limit ${mostNamed}
            ) as member
            join emails on emails.project_id = member.project_id and emails.id = member.id`
        const found = yield* knownMails(
          yield* sql`
            select ${sql.literal(knownColumns)}, null as "providerId" from emails
            where id = any(${ids}::uuid[]) and mode = 'LIVE'
            union all
            select ${sql.literal(knownColumns)}, provider_id
            from provider_ids join emails on emails.project_id = provider_ids.project_id and id = email_id
            where provider_id = any(${providerIds}::text[]) and mode = 'LIVE'
            union all
            select ${sql.literal(knownColumns)}, null
            from (select project_id, group_id from emails where id = any(${ids}::uuid[]) and group_id = id
                  and mode = 'LIVE') as named
            join emails on emails.project_id = named.project_id and emails.group_id = named.group_id
            ${messageIds.length === 0 ? sql`` : submitted}`
        )
        const messageOf = ({ id, groupId }: KnownMail) => groupId ?? id
        const named = Map.groupBy(
          found.filter(({ messageId }) => messageId !== null && messageIds.includes(messageId)),
          ({ messageId }) => messageKey(messageId ?? "")
        )
        const byMessageId = [...named].flatMap(([key, [first, ...others]]) =>
          first !== undefined && others.every((other) => messageOf(other) === messageOf(first))
            ? [[key, [first, ...others].find((mail) => mail.id === messageOf(mail)) ?? first] as const]
            : []
        )
        return new Map([
          ...found.flatMap(
            ({ providerId, ...entry }): ReadonlyArray<readonly [string, KnownMail]> => [
              [entry.id, entry],
              ...(providerId === null ? [] : [[providerId, entry] as const]),
              ...(entry.groupId === null ? [] : [[memberKey(entry.groupId, entry.to), entry] as const])
            ]
          ),
          ...byMessageId
        ])
      }, Effect.orDie),
      endTest: Effect.fn("Ledger.endTest")(function* (project, email, status, now) {
        const at = sql`${DateTime.toDate(now)}::timestamptz`
        const isOpened = status === "OPENED" || status === "CLICKED"
        yield* sql`
          update emails set status = ${status}, delivered_at = ${at}, updated_at = ${at},
            opened_at = case when ${isOpened} then ${at} end, opens = ${isOpened ? 1 : 0},
            clicked_at = case when ${status} = 'CLICKED' then ${at} end, clicks = ${status === "CLICKED" ? 1 : 0},
            complained_at = case when ${status} = 'COMPLAINED' then ${at} end
          where project_id = ${project} and id = ${email} and status = 'SENT' and mode = 'TEST'`
      }, Effect.orDie),
      notice: Effect.fn("Ledger.notice")(function* (project, email, notice, receipt, event, now) {
        const [found] = yield* outcomes(yield* noticeStatement(sql, { project, email }, notice, receipt, event, now))
        if (found.new) return "applied"
        return found.sent ? "duplicate" : "early"
      }, Effect.orDie)
    })
  })
)

const contactMail = Layer.effect(
  ContactMail,
  Effect.map(Ledger, ({ dropContact, markUnsubscribed }) => ContactMail.of({ dropContact, markUnsubscribed }))
)

export const layer: Layer.Layer<ContactMail | Ledger, never, SqlClient.SqlClient | SuppressedAddress> =
  Layer.provideMerge(contactMail, ledger)
