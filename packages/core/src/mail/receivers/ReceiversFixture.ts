/** For tests: the service with its receivers configured, sent mail, and signed calls. */
import { randomUUID } from "node:crypto"
import { EmailId, type EmailStatus } from "@posthorn/contract/mail/emails/Email"
import { Clock, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import * as Posthorn from "../../Posthorn.ts"
import { Settings } from "../../platform/Settings.ts"
import * as ServiceStatus from "../../service/ServiceStatus.ts"
import * as CertificateParser from "../../testing/Certificates.ts"
import { crypto, host, project, seed, settings } from "../../testing/Services.ts"
import { send, wireOver } from "../../testing/TestClient.ts"
import { sign } from "./WebhookSignature.ts"

export const secret = Redacted.make("a notification secret of some length")
export const topic = "arn:aws:sns:eu-west-1:123456789012:mail"

export const configured: Settings = {
  ...settings,
  notificationSecret: secret,
  snsTopics: [topic],
  bounceDomain: "bounces.example"
}

/** The API and the services over a database. */
export const wireWith = (database: Layer.Layer<SqlClient.SqlClient>, given: Settings = configured) =>
  wireOver(
    Layer.effectDiscard(seed).pipe(
      Layer.provideMerge(Layer.mergeAll(Posthorn.layer, ServiceStatus.layer)),
      Layer.provide(CertificateParser.layer),
      Layer.provideMerge(Layer.merge(host, database)),
      Layer.provideMerge(Layer.succeed(Settings, given))
    )
  )

/** A mail of the test project in this status, with the contact of its address, if there is one. */
export const mailTo = Effect.fnUntraced(function* (
  to: string,
  status: EmailStatus = "SENT",
  more: { readonly sentAt?: Date; readonly project?: string } = {}
) {
  const sql = yield* SqlClient.SqlClient
  const id = EmailId.make(randomUUID())
  const sentAt = more.sentAt ?? new Date(yield* Clock.currentTimeMillis)
  yield* sql`
    insert into emails (id, project_id, contact_id, to_email, from_email, subject, type, source_type, tracking, status,
                        lane, due_at, ladder_since, begun_at, sent_at, created_at, updated_at)
    values (${id}, ${more.project ?? project}::uuid,
            (select id from contacts where project_id = ${more.project ?? project}::uuid and email = ${to}), ${to},
            'shop@shop.test', 'Hello', 'TRANSACTIONAL', 'TRANSACTIONAL', false, ${status}, 0, ${sentAt}, ${sentAt},
            ${sentAt}, case when ${status} in ('PENDING', 'SENDING', 'AMBIGUOUS') then null else ${sentAt}::timestamptz end,
            ${sentAt}, ${sentAt})`
  return id
})

export const read = (id: string) => Effect.map(send("GET", `/emails/${id}`), ({ body }) => body)

/** The events of a mail, oldest first. */
export const eventsOf = (id: string) =>
  SqlClient.SqlClient.use(
    (sql) => sql<{ readonly name: string; readonly data: Record<string, unknown> }>`
      select name, data from events where email_id = ${id} order by id`
  )

/** A signed call. `forged` overrides parts of its headers. */
export const notify = Effect.fnUntraced(function* (
  body: unknown,
  forged: {
    readonly id?: string
    readonly type?: string
    readonly timestamp?: number
    readonly signature?: string
    readonly secret?: Redacted.Redacted<string>
    readonly transport?: string
  } = {}
) {
  const text = typeof body === "string" ? body : JSON.stringify(body)
  const id = forged.id ?? randomUUID()
  const timestamp = forged.timestamp ?? Math.floor((yield* Clock.currentTimeMillis) / 1_000)
  const signature = yield* Effect.provide(
    sign(forged.secret ?? secret, id, timestamp, new TextEncoder().encode(text)),
    crypto
  )
  const query = forged.transport === undefined ? "" : `?transport=${forged.transport}`
  return yield* send("POST", `/webhooks/notifications${query}`, text, {
    authorization: "",
    "content-type": forged.type ?? "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": forged.signature ?? `v1,AAAA ${signature}`
  })
})

export const tally = (given: { readonly [fate: string]: number }) => ({
  accepted: 0,
  duplicates: 0,
  parked: 0,
  ignored: 0,
  ...given
})
