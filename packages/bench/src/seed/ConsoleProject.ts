/**
 * What the rows of the console look at: an account with a project of contacts, events and mails, a campaign that was
 * sent, a workflow of 50 steps and a template of blocks. It has an empty project beside it, for imports.
 */
import { Accounts } from "@posthorn/core/accounts/people/Accounts"
import { Domains } from "@posthorn/core/mail/domains/Domains"
import { trust } from "@posthorn/core/mail/domains/DomainTrust"
import { Array, Effect, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Postgres from "../Postgres.ts"
import * as Api from "../processes/Api.ts"
import * as Server from "../processes/Server.ts"
import * as Sink from "../processes/Sink.ts"
import * as Seed from "../Seed.ts"
import { seedAudience } from "./Audience.ts"
import type { ConsoleProject, ConsoleSize } from "./ConsoleSeeded.ts"
import { seedMailTo } from "./Mail.ts"

const steps = 50

/** A condition that some hundreds of a million contacts match, and one of a small audience. */
const recipients = {
  groups: [
    {
      filters: [
        { field: "data.seats", operator: "equals", value: 7 },
        { field: "data.plan", operator: "equals", value: "team" },
        { field: "data.tags", operator: "contains", value: "tag-3" }
      ]
    }
  ]
}

const source = `<mjml><mj-body>${Array.makeBy(
  20,
  (n) =>
    `<mj-section><mj-column><mj-text>Paragraph ${n} for {{name}}</mj-text><mj-button href="https://shop.example/${n}">Look</mj-button></mj-column></mj-section>`
).join("")}</mj-body></mjml>`

const graph = {
  triggerType: "EVENT",
  triggerConfig: { eventName: "joined" },
  steps: [
    { key: "s0", type: "TRIGGER" },
    ...Array.range(1, steps - 1).map((n) => ({
      key: `s${n}`,
      type: n % 2 === 1 ? "DELAY" : "UPDATE_CONTACT",
      name: `Step ${n}`,
      config: n % 2 === 1 ? { amount: 1, unit: "days" } : { updates: { step: n } }
    }))
  ],
  transitions: Array.range(1, steps - 1).map((n) => ({ from: `s${n - 1}`, to: `s${n}` }))
}

const Made = Schema.Struct({ id: Schema.String })
const Campaign = Schema.Struct({ data: Schema.Struct({ id: Schema.String, status: Schema.String }) })

/** What is made by requests, as people make it. */
const byRequests = Effect.fnUntraced(function* (url: string, key: string) {
  const sink = yield* Sink.start
  const environment = { POSTHORN_RATE_LIMIT_PER_MINUTE: "0" }
  const server = yield* Server.start({ name: "console seed", role: "all", database: url, smtp: sink.url, environment })
  const ask = <A>(method: string, path: string, status: number, answer: Schema.ConstraintDecoder<A>, body?: object) =>
    Api.ask(server, key, { method, path, status, ...(body !== undefined && { body }) }, answer)
  const from = "hello@bench-console.test"
  const template = yield* ask("POST", "/templates", 201, Made, {
    name: "Blocks",
    subject: "Offers",
    from,
    type: "MARKETING",
    format: "MJML",
    source
  })
  const workflow = yield* ask("POST", "/workflows", 201, Made, { name: "Fifty steps" })
  yield* ask("PUT", `/workflows/${workflow.id}/graph`, 200, Schema.Unknown, graph)
  const { data: campaign } = yield* ask("POST", "/campaigns", 201, Campaign, {
    name: "Sent",
    subject: "News",
    body: '<p>Hello <a href="https://shop.example/a">here</a></p>',
    from,
    audienceType: "FILTERED",
    audienceCondition: recipients
  })
  yield* ask("POST", `/campaigns/${campaign.id}/send`, 200, Schema.Unknown, {})
  yield* Effect.repeat(Effect.delay(ask("GET", `/campaigns/${campaign.id}`, 200, Campaign), "100 millis"), {
    until: ({ data }) => data.status === "SENT"
  })
  return { campaign: campaign.id, workflow: workflow.id, template: template.id }
}, Effect.scoped)

/** The database is dropped at the end. */
export const make = Effect.fnUntraced(function* (postgres: string | undefined, { contacts, mails }: ConsoleSize) {
  const url = yield* Postgres.freshDatabaseOn(postgres)
  const [email, password] = ["ada@bench-console.test", "correct horse battery staple"]
  const filled = Effect.gen(function* () {
    const accounts = yield* Accounts
    const domains = yield* Domains
    const sql = yield* SqlClient.SqlClient
    const made = yield* Effect.orDie(
      accounts.create({ email, password: Redacted.make(password), projectName: "Console" })
    )
    const id = made.project.id
    yield* Effect.orDie(domains.add(id, { domain: "bench-console.test" }))
    yield* Effect.orDie(trust("bench-console.test", id))
    const { project: empty } = yield* Effect.orDie(accounts.createProject(made.account.id, "Imports"))
    yield* seedAudience(id, { contacts, events: mails, seed: 1 })
    yield* seedMailTo(id, mails)
    // One that everybody sends to would be found by its plan alone; a small audience may have none.
    yield* Effect.orDie(sql`
      update contacts set subscribed = true, data = data || '{"seats": 7, "plan": "team", "tags": ["tag-3"]}'
      where id in (select id from contacts where project_id = ${id} order by created_at limit 20)`)
    const [middle] = yield* Effect.orDie(sql`
      select email from contacts where project_id = ${id} order by created_at limit 1 offset ${Math.floor(contacts / 2)}`)
    return { id, empty: empty.id, key: Redacted.value(made.keys.secretKey), rare: String(middle?.["email"]) }
  })
  const project = yield* Effect.provide(filled, Seed.core(Postgres.layer(url)))
  return {
    ...{ url, email, password, contacts, mails },
    ...project,
    ...(yield* byRequests(url, project.key))
  } satisfies ConsoleProject
})
