/** The ledger's writes in PostgreSQL, served or embedded. */
import { ProjectId } from "@posthorn/contract/Auth"
import { EmailId, SuppressionReason } from "@posthorn/contract/emails/Email"
import { DateTime, Effect, Layer, Schema } from "effect"
import { Base64 } from "effect/encoding"
import { SqlClient } from "effect/sql"
import { SuppressedAddress } from "../suppression/SuppressedAddress.ts"
import { isTaken } from "../Transaction.ts"
import { strip } from "./ErasureSql.ts"
import { type KnownMail, Ledger, type NewEmail } from "./Ledger.ts"
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

const reasons = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ id: EmailId, reason: Schema.NullOr(SuppressionReason) }))
)
const ids = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: EmailId })))

const outcomes = Schema.decodeUnknownEffect(
  Schema.Tuple([Schema.Struct({ left: Schema.Boolean, fresh: Schema.Boolean })])
)

const knownColumns = `${entryColumns}, emails.project_id as "projectId", emails.attempts`

/** Somebody waits for a test mail. */
const lane = ({ type, sourceType, test }: NewEmail) =>
  test || (type === "TRANSACTIONAL" && sourceType !== "CAMPAIGN") ? 0 : 1

export const layer: Layer.Layer<Ledger, never, SqlClient.SqlClient | SuppressedAddress> = Layer.effect(
  Ledger,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const suppressed = yield* SuppressedAddress
    const json = (value: unknown) => sql`${JSON.stringify(value)}::text::jsonb`

    return Ledger.of({
      accept: Effect.fn("Ledger.accept")(function* (project, emails, contents, attachments, now) {
        const at = DateTime.toDate(now)
        if (attachments.length > 0) {
          const rows = attachments.map(({ id, content }) => ({ id, content: Base64.encode(content) }))
          yield* sql`
            insert into email_attachments (project_id, id, content)
            select ${project}::uuid, id, decode(content, 'base64')
            from jsonb_to_recordset(${json(rows)}) as attachment(id uuid, content text)`
        }
        const texts = contents.map(({ id, html, text }) => ({ id, html, text }))
        const rows = emails.map((email) => ({ ...email, lane: lane(email) }))
        const written = yield* sql`
          with content as (
            insert into email_contents (project_id, id, html, text)
            select ${project}::uuid, id, html, text
            from jsonb_to_recordset(${json(texts)}) as content(id uuid, html text, text text)
          )
          insert into emails (id, project_id, contact_id, content_id, to_email, to_name, from_email, from_name, reply_to,
            subject, type, source_type, template_id, campaign_id, test, tracking, headers, attachments, status, suppression_reason,
            suppressed_at, error_code, error_message, lane, due_at, ladder_since, created_at, updated_at)
          select email.id, ${project}::uuid, "contactId", "contentId", "to", "toName", "from", "fromName", "replyTo",
                 subject, type, "sourceType", "templateId", "campaignId", coalesce(test, false), tracking, headers, attachments,
                 case when reason is null then 'PENDING' else 'SUPPRESSED' end, reason,
                 case when reason is not null then ${at}::timestamptz end,
                 case when reason is not null then 'suppressed' end,
                 case when reason is not null then 'The address is on the suppression list.' end,
                 lane, ${at}::timestamptz, ${at}::timestamptz, ${at}::timestamptz, ${at}::timestamptz
          from jsonb_to_recordset(${json(rows)}) as email(
            id uuid, "contactId" uuid, "contentId" uuid, "to" text, "toName" text, "from" text, "fromName" text,
            "replyTo" text, subject text, type text, "sourceType" text, "templateId" uuid, "campaignId" uuid, test boolean, tracking boolean,
            headers jsonb, attachments jsonb, lane smallint)
          ${suppressed.join(sql`${project}::uuid`, sql`email."to"`)}
          returning id, suppression_reason as reason`
        const found = yield* reasons(written)
        return new Map(found.flatMap(({ id, reason }) => (reason === null ? [] : [[id, reason] as const])))
      }, Effect.orDie),
      hasContent: (project, content) =>
        isTaken(
          sql,
          sql`
            insert into email_contents (project_id, id) values (${project}, ${content})
            on conflict do nothing returning id`
        ).pipe(Effect.orDie),
      dropContact: Effect.fn("Ledger.dropContact")(function* (project, contact, now) {
        yield* sql`
          update emails set contact_id = null, updated_at = ${DateTime.toDate(now)},
            status = case when status = 'PENDING' then 'CANCELLED' else status end,
            cancelled_at = case when status = 'PENDING' then ${DateTime.toDate(now)}::timestamptz else cancelled_at end,
            error_code = case when status = 'PENDING' then 'contact_deleted' else error_code end,
            error_message = case when status = 'PENDING' then 'The contact was deleted.' else error_message end
          where project_id = ${project} and contact_id = ${contact}`
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
      lookUp: Effect.fn("Ledger.lookUp")(function* ({ ids, providerIds }) {
        const found = yield* knownMails(
          yield* sql`
            select ${sql.literal(knownColumns)}, null as "providerId" from emails where id = any(${ids}::uuid[])
            union all
            select ${sql.literal(knownColumns)}, provider_id
            from provider_ids join emails on emails.project_id = provider_ids.project_id and id = email_id
            where provider_id = any(${providerIds}::text[])`
        )
        return new Map(
          found.flatMap(
            ({ providerId, ...entry }): ReadonlyArray<readonly [string, KnownMail]> => [
              [entry.id, entry],
              ...(providerId === null ? [] : [[providerId, entry] as const])
            ]
          )
        )
      }, Effect.orDie),
      notice: Effect.fn("Ledger.notice")(function* (project, email, notice, receipt, event, now) {
        const [found] = yield* outcomes(yield* noticeStatement(sql, { project, email }, notice, receipt, event, now))
        if (found.fresh) return "news"
        return found.left ? "repeat" : "early"
      }, Effect.orDie)
    })
  })
)
