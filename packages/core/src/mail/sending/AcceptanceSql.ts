/**
 * Sends in PostgreSQL, served or embedded: the hot path of `/v1/send`, two statements and no transaction around them for
 * a single recipient.
 */
import { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import { EmailType, TemplateId } from "@posthorn/contract/content/templates/Template"
import { DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { contactsAt, dataVersion, expectedUpsertParts } from "../../audience/contacts/ContactUpsertSql.ts"
import { refuseConstraint } from "../../audience/contacts/DataTooLarge.ts"
import { SuppressedAddress } from "../../audience/suppression/SuppressedAddress.ts"
import { acceptedMails, acceptParts } from "../ledger/AcceptSql.ts"
import { Acceptance } from "./Acceptance.ts"

const templateFields = Schema.Struct({
  id: TemplateId,
  subject: Schema.String,
  body: Schema.String,
  from: Schema.String,
  fromName: Schema.NullOr(Schema.String),
  replyTo: Schema.NullOr(Schema.String),
  type: EmailType
})
const contactFields = Schema.Struct({
  id: ContactId,
  email: Schema.String,
  subscribed: Schema.Boolean,
  data: Schema.JsonObject,
  version: Schema.String
})
const foundRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Union([
      Schema.Struct({ kind: Schema.Literal("template"), value: templateFields }),
      Schema.Struct({ kind: Schema.Literal("domain"), value: Schema.String }),
      Schema.Struct({ kind: Schema.Literal("contact"), value: contactFields })
    ])
  )
)

export const layer: Layer.Layer<Acceptance, never, SqlClient.SqlClient | SuppressedAddress> = Layer.effect(
  Acceptance,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const suppressed = yield* SuppressedAddress

    return Acceptance.of({
      look: Effect.fn("Acceptance.look")(function* (project, { template, senderDomain, addresses }) {
        const rows = yield* foundRows(
          yield* sql`
            with template as materialized (
              select id, subject, body, from_email as "from", from_name as "fromName", reply_to as "replyTo", type
              from templates where project_id = ${project} and id = ${template ?? null}::uuid
            )
            select 'template' as kind, to_jsonb(template) as value from template
            union all
            select 'domain', to_jsonb(domain) from domains
            where project_id = ${project} and verified
              and domain = any(array[${senderDomain ?? null}::text, (select split_part("from", '@', 2) from template)])
            union all
            select 'contact', jsonb_build_object('id', id, 'email', email, 'subscribed', subscribed, 'data', data,
                                                 'version', ${sql.literal(dataVersion)})
            from ${contactsAt(sql, project, addresses)}`
        )
        return {
          template: rows.find((row) => row.kind === "template")?.value,
          verifiedDomains: new Set(rows.flatMap((row) => (row.kind === "domain" ? [row.value] : []))),
          contacts: new Map(
            rows.flatMap((row) => (row.kind === "contact" ? [[row.value.email, row.value] as const] : []))
          )
        }
      }, Effect.orDie),
      accept: (project, recipients, mail, now) => {
        const at = DateTime.toDate(now)
        const complete = sql`(select written = ${recipients.length} from complete)`
        return sql`
          with ${expectedUpsertParts(sql, project, recipients, at)},
          complete as materialized (select count(*) as written from touched),
          ${acceptParts(sql, suppressed, project, mail, at, complete)}
          select id, reason from accepted`.pipe(
          Effect.flatMap(acceptedMails),
          Effect.map(Option.liftPredicate(({ size }) => size > 0)),
          Effect.catchTag("SchemaError", Effect.die),
          Effect.catchReasons("SqlError", { ConstraintError: refuseConstraint }, (_, error) => Effect.die(error))
        )
      }
    })
  })
)
