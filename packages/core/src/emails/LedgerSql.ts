/** The ledger's writes in PostgreSQL, served or embedded. */

import type { ProjectId } from "@posthorn/contract/Auth"
import { ContactId } from "@posthorn/contract/contacts/Contact"
import { EmailId, EmailStatus, SourceType, SuppressionReason } from "@posthorn/contract/emails/Email"
import { Array, DateTime, Effect, Layer, Option, Schema } from "effect"
import { Base64 } from "effect/encoding"
import { SqlClient } from "effect/sql"
import { Suppressions } from "../suppression/Suppressions.ts"
import { isTaken } from "../Transaction.ts"
import { strip } from "./ErasureSql.ts"
import { Ledger, type LedgerEntry, type NewEmail, type Notice } from "./Ledger.ts"

const entries = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      id: EmailId,
      contactId: Schema.NullOr(ContactId),
      campaignId: Schema.NullOr(Schema.String),
      workflowId: Schema.NullOr(Schema.String),
      workflowExecutionId: Schema.NullOr(Schema.String),
      templateId: Schema.NullOr(Schema.String),
      to: Schema.String,
      from: Schema.String,
      fromName: Schema.NullOr(Schema.String),
      subject: Schema.NullOr(Schema.String),
      sourceType: SourceType,
      status: EmailStatus
    })
  )
)

const reasons = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ id: EmailId, reason: Schema.NullOr(SuppressionReason), erasures: Schema.Boolean }))
)
const ids = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: EmailId })))

const entryColumns = `id, contact_id as "contactId", campaign_id as "campaignId", workflow_id as "workflowId",
  workflow_execution_id as "workflowExecutionId", template_id as "templateId", to_email as "to", from_email as "from",
  from_name as "fromName", subject, source_type as "sourceType", status`

/** Which states a notice is news for, which it lifts, and which columns say so. */
const effects = {
  delivered: { column: "delivered_at", status: "DELIVERED", lifts: ["SENT", "AMBIGUOUS", "FAILED"] },
  bounced: {
    column: "bounced_at",
    status: "BOUNCED",
    lifts: ["SENT", "DELIVERED", "OPENED", "CLICKED", "AMBIGUOUS", "FAILED"]
  },
  complained: {
    column: "complained_at",
    status: "COMPLAINED",
    lifts: ["SENT", "DELIVERED", "OPENED", "CLICKED", "BOUNCED", "AMBIGUOUS", "FAILED"]
  }
} as const

/** States that a mail reaches only once it has left, or may have. */
const gone = ["SENT", "DELIVERED", "OPENED", "CLICKED", "BOUNCED", "COMPLAINED", "AMBIGUOUS", "FAILED"]

const lane = ({ type, sourceType }: NewEmail) => (type === "TRANSACTIONAL" && sourceType !== "CAMPAIGN" ? 0 : 1)

export const layer: Layer.Layer<Ledger, never, SqlClient.SqlClient | Suppressions> = Layer.effect(
  Ledger,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const suppressions = yield* Suppressions
    const json = (value: unknown) => sql`${JSON.stringify(value)}::text::jsonb`

    const notice = ({ kind, at }: Notice, now: DateTime.Utc) => {
      const { column, status, lifts } = effects[kind]
      const time = sql.literal(column)
      return sql`
        ${time} = coalesce(${time}, ${DateTime.toDate(at)}::timestamptz),
        status = case when status in ${sql.in(lifts)} then ${status} else status end,
        sent_at = coalesce(sent_at, ${DateTime.toDate(at)}::timestamptz),
        failed_at = case when status = 'FAILED' then null else failed_at end,
        updated_at = ${DateTime.toDate(now)}`
    }

    /** Mail to addresses that are suppressed by their hash alone. */
    const suppressRecognised = Effect.fnUntraced(function* (
      project: ProjectId,
      emails: ReadonlyArray<NewEmail>,
      at: Date
    ) {
      const held = yield* suppressions.recognised(
        project,
        emails.map(({ to }) => to)
      )
      return yield* Effect.forEach(
        emails.flatMap(({ id, to }) => {
          const reason = held.get(to)
          return reason === undefined ? [] : [[id, reason] as const]
        }),
        ([id, reason]) =>
          sql`
            update emails set status = 'SUPPRESSED', suppression_reason = ${reason}, suppressed_at = ${at},
                   error_code = 'suppressed', error_message = 'The address is on the suppression list.'
            where project_id = ${project} and id = ${id} and status = 'PENDING'`.pipe(Effect.as([id, reason] as const))
      )
    })

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
            subject, type, source_type, template_id, tracking, headers, attachments, status, suppression_reason,
            suppressed_at, error_code, error_message, lane, due_at, ladder_since, created_at, updated_at)
          select email.id, ${project}::uuid, "contactId", "contentId", "to", "toName", "from", "fromName", "replyTo",
                 subject, type, "sourceType", "templateId", tracking, headers, attachments,
                 case when reason is null then 'PENDING' else 'SUPPRESSED' end, reason,
                 case when reason is not null then ${at}::timestamptz end,
                 case when reason is not null then 'suppressed' end,
                 case when reason is not null then 'The address is on the suppression list.' end,
                 lane, ${at}::timestamptz, ${at}::timestamptz, ${at}::timestamptz, ${at}::timestamptz
          from jsonb_to_recordset(${json(rows)}) as email(
            id uuid, "contactId" uuid, "contentId" uuid, "to" text, "toName" text, "from" text, "fromName" text,
            "replyTo" text, subject text, type text, "sourceType" text, "templateId" uuid, tracking boolean,
            headers jsonb, attachments jsonb, lane smallint)
          left join suppressions on suppressions.project_id = ${project}::uuid and suppressions.email = email."to"
          returning id, suppression_reason as reason,
            (select exists (select 1 from erased_suppressions where project_id = ${project})) as erasures`
        const accepted = yield* reasons(written)
        const suppressed = accepted.flatMap(({ id, reason }) => (reason === null ? [] : [[id, reason] as const]))
        if (!accepted.some(({ erasures }) => erasures)) return new Map(suppressed)
        return new Map([...suppressed, ...(yield* suppressRecognised(project, emails, at))])
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
      notice: Effect.fn("Ledger.notice")(function* (project, email, given, now) {
        const rows = yield* sql`
          update emails set ${notice(given, now)}
          where project_id = ${project} and id = ${email} and status in ${sql.in(gone)}
            and ${sql.literal(effects[given.kind].column)} is null
          returning ${sql.literal(entryColumns)}`
        const found: Option.Option<LedgerEntry> = Array.head(yield* entries(rows))
        return Option.getOrUndefined(found)
      }, Effect.orDie)
    })
  })
)
