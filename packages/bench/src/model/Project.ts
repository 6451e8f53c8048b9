/** One project of the installation, as its owner uses it, and queries of its state. */

import { Domains } from "@posthorn/core/mail/domains/Domains"
import { notify } from "@posthorn/core/testing/ReceiversFixture"
import { freshProject } from "@posthorn/core/testing/SegmentsFixture"
import { Wire } from "@posthorn/core/testing/TestClient"
import { DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { type NoticeKind, topics } from "./Expected.ts"

let projects = 0

const expectStatus = (
  what: string,
  { status, body }: { readonly status: number; readonly body: unknown },
  wanted: number
) =>
  status === wanted
    ? Effect.void
    : Effect.die(new Error(`${what} was answered ${status}, not ${wanted}: ${JSON.stringify(body)}`))

const MailRow = Schema.Struct({
  id: Schema.String,
  contactId: Schema.NullOr(Schema.String),
  to: Schema.String,
  campaignId: Schema.NullOr(Schema.String),
  sourceType: Schema.String,
  status: Schema.String,
  attempts: Schema.Int
})
export type MailRow = typeof MailRow.Type

const Mails = Schema.decodeUnknownEffect(Schema.Struct({ data: Schema.Array(MailRow), hasMore: Schema.Boolean }))

const Facts = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ id: Schema.String, told: Schema.Int, logged: Schema.Int }))
)

/** With a sender domain, and a workflow: a contact that orders gets an email, and is updated an hour later. */
export const make = Effect.gen(function* () {
  const { ask, project, track } = yield* freshProject
  const name = `model${++projects}`
  const from = `shop@${name}.test`
  yield* Effect.orDie(Domains.use((domains) => domains.add(project, { domain: `${name}.test` })))

  /** Dies if the answer has another status. */
  const must = Effect.fnUntraced(function* (status: number, method: string, path: string, body?: unknown) {
    const answer = yield* ask(method, path, body)
    yield* expectStatus(`${method} ${path} ${JSON.stringify(body)}`, answer, status)
    return answer.body
  })

  // An opt-in that waits for a day is over within a run.
  yield* must(200, "PATCH", "/settings/audience", {
    doubleOptIn: { from, expiresInDays: 1, deleteUnconfirmedAfterDays: null }
  })
  const template = yield* must(201, "POST", "/templates", {
    name: "Thanks",
    subject: "Thanks",
    body: "<p>Thanks</p>",
    from,
    type: "TRANSACTIONAL"
  })
  for (const [key, isDefault] of Object.entries(topics)) {
    const defaultSubscription = isDefault ? "subscribed" : "unsubscribed"
    yield* must(201, "POST", "/topics", { name: key, key, defaultSubscription })
  }
  const offer = yield* must(201, "POST", "/templates", {
    name: "Offer",
    subject: "Offer",
    body: "<p>Offer</p>",
    from,
    type: "MARKETING"
  })
  const workflow = yield* must(201, "POST", "/workflows", { name: "Thanks", eventName: "ordered" })
  const step = (type: string, more: object) =>
    must(201, "POST", `/workflows/${workflow.id}/steps`, { type, autoConnect: false, ...more })
  const steps = [
    workflow.steps[0],
    yield* step("SEND_EMAIL", { name: "Mail", templateId: template.id }),
    yield* step("DELAY", { name: "Rest", config: { amount: 1, unit: "hours" } }),
    yield* step("UPDATE_CONTACT", { name: "Mark", config: { updates: { welcomed: true } } })
  ]
  for (const [at, { id }] of steps.entries()) {
    if (at === 0) continue
    yield* must(201, "POST", `/workflows/${workflow.id}/transitions`, {
      fromStepId: steps[at - 1].id,
      toStepId: id,
      branch: null
    })
  }
  yield* must(200, "PATCH", `/workflows/${workflow.id}`, { enabled: true })

  return {
    id: project,
    name,
    from,
    /** Opens a public page, or submits its form. */
    page: Effect.fnUntraced(function* (path: string, fields?: Record<string, string>) {
      const handler = yield* Wire
      const given = fields === undefined ? {} : { method: "POST", body: new URLSearchParams(fields) }
      const response = yield* Effect.promise(() => handler(new Request(`https://posthorn.example${path}`, given)))
      const text = yield* Effect.promise(() => response.text())
      if (response.status !== 200) yield* Effect.die(new Error(`${path} was answered ${response.status} ${text}`))
    }),
    /** The id of a template that asks consent. */
    offer: offer.id,
    ask,
    must,
    track: (email: string) =>
      Effect.flatMap(track({ email, event: "ordered" }), (answer) =>
        Effect.as(expectStatus("POST /v1/track", answer, 200), String(answer.body.data.contact))
      ),
    /** A file with a column for addresses and one for cities. */
    import: Effect.fnUntraced(function* (rows: ReadonlyArray<{ readonly email: string; readonly city: string }>) {
      const file = ["email,city", ...rows.map(({ city, email }) => `${email},${city}`)].join("\r\n")
      const disposition = 'form-data; name="file"; filename="people.csv"'
      const text = `--x\r\nContent-Disposition: ${disposition}\r\nContent-Type: text/csv\r\n\r\n${file}\r\n--x--\r\n`
      const answer = yield* ask("POST", "/contacts/import", text, {
        "content-type": "multipart/form-data; boundary=x"
      })
      yield* expectStatus("POST /contacts/import", answer, 202)
    }),
    /** A signed delivery report, sent twice. */
    notice: Effect.fnUntraced(function* (emailId: string, type: NoticeKind, id: string) {
      const timestamp = DateTime.formatIso(yield* DateTime.now)
      const report = { id, type, emailId, timestamp, ...(type === "bounce" && { status: "5.1.1" }) }
      yield* expectStatus("POST /webhooks/notifications", yield* notify({ events: [report, report] }), 200)
    }),
    mails: Effect.gen(function* () {
      const { data, hasMore } = yield* Effect.orDie(Mails(yield* must(200, "GET", "/emails?limit=100")))
      if (hasMore) return yield* Effect.die(new Error("A run makes fewer than a hundred mails"))
      return data
    }),
    /** For each email: its `email.sent` events, and its recorded attempts. */
    facts: SqlClient.SqlClient.use((sql) =>
      Effect.flatMap(
        sql`
          select id,
                 (select count(*)::int from events
                  where events.project_id = emails.project_id and email_id = emails.id and name = 'email.sent') as told,
                 (select count(*)::int from email_attempts as attempt
                  where attempt.project_id = emails.project_id and email_id = emails.id) as logged
          from emails where project_id = ${project}`,
        Facts
      )
    ).pipe(Effect.orDie),
    /** Repeated visits of a step by an execution, and repeated emails of one visit. */
    repeatedSteps: SqlClient.SqlClient.use((sql) =>
      Effect.map(
        sql`
          select 1 from workflow_step_executions where project_id = ${project} group by execution_id, step_id
          having count(*) > 1
          union all
          select 1 from emails where project_id = ${project} and workflow_execution_id is not null
          group by workflow_execution_id having count(*) > 1`,
        (rows) => rows.length
      )
    ).pipe(Effect.orDie)
  }
})
export type Project = Effect.Success<typeof make>
