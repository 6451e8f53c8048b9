import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { DateTime, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import type { TestProject } from "../audience/segments/SegmentsFixture.ts"
import * as EmailSender from "../mail/sending/EmailSender.ts"
import * as ScheduledMail from "../mail/sending/ScheduledMail.ts"
import { databases } from "../testing/Databases.ts"
import { eventually } from "../testing/Eventually.ts"
import { Peer, receipt } from "../testing/MailerMemory.ts"
import { servicesOn } from "../testing/Services.ts"
import { wireOver } from "../testing/TestClient.ts"
import * as CampaignRunner from "./campaigns/CampaignRunner.ts"
import { sendingProject } from "./campaigns/CampaignsFixture.ts"
import { build, executionsOf, work } from "./workflows/ExecutionsFixture.ts"
import { faultsIn, workflowProject } from "./workflows/WorkflowsFixture.ts"

const idOf = ({ id }: { readonly id: string }) => id

interface Sent {
  readonly emails: ReadonlyArray<{ readonly email: string }>
}

const states = ["on", "off", "none"] as const
const snoozes = ["open", "passed", "none"] as const

/** Every contact there can be: what it said about both topics, whether it is subscribed, and its snooze. */
const people = states.flatMap((state) =>
  [true, false].flatMap((subscribed) =>
    snoozes.map((snooze) => ({
      state,
      subscribed,
      snooze,
      email: `${state}-${subscribed ? "in" : "out"}-${snooze}@example.com`
    }))
  )
)
type Person = (typeof people)[number]

const addTopic = Effect.fnUntraced(function* (project: string, key: string, defaultOn: boolean, isPublic = true) {
  const sql = yield* SqlClient.SqlClient
  const id: string = randomUUID()
  yield* sql`
    insert into topics (project_id, id, key, name, translations, default_on, is_public, position, archived, created_at,
      updated_at)
    values (${project}, ${id}, ${key}, ${`The ${key}`},
      ${JSON.stringify({ de: { name: `Die ${key}`, description: null } })}::text::jsonb,
      ${defaultOn}, ${isPublic}, 0, false, now(), now())`
  return id
})

const addPeople = Effect.fnUntraced(function* (project: string, topics: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  const now = yield* DateTime.now
  const snoozedUntil = {
    open: DateTime.toDate(DateTime.add(now, { days: 30 })),
    passed: DateTime.toDate(now),
    none: null
  }
  for (const { email, state, subscribed, snooze } of people) {
    const at = DateTime.toDate(now)
    yield* sql`
      insert into contacts (id, project_id, email, subscribed, data, topics_on, topics_off, snoozed_until, created_at,
        updated_at)
      values (gen_random_uuid(), ${project}, ${email}, ${subscribed}, '{}',
        ${state === "on" ? topics : null}::uuid[], ${state === "off" ? topics : null}::uuid[], ${snoozedUntil[snooze]},
        ${at}, ${at})`
  }
})

/** Whether the person takes mail of a topic with this default, or of none. */
const takes = ({ subscribed, snooze, state }: Person, defaultOn: boolean | undefined): boolean =>
  subscribed && snooze !== "open" && (defaultOn === undefined || state === "on" || (state === "none" && defaultOn))

/** Why not: the first reason. */
const why = ({ subscribed, state }: Person, defaultOn: boolean | undefined): "subscription" | "topic" | "snooze" => {
  if (!subscribed) return "subscription"
  return defaultOn === undefined || state === "on" || (state === "none" && defaultOn) ? "snooze" : "topic"
}

const kinds = [
  { topic: undefined, defaultOn: undefined },
  { topic: "news", defaultOn: true },
  { topic: "tips", defaultOn: false }
] as const

for (const [name, database] of databases()) {
  const workers = Layer.mergeAll(EmailSender.layer, CampaignRunner.layer, ScheduledMail.layer).pipe(
    Layer.provideMerge(wireOver(servicesOn(database))),
    Layer.provide(
      Layer.succeed(EmailSender.Options, { poll: Duration.millis(100), drain: Duration.seconds(5), exclusive: true })
    )
  )

  layer(workers, { timeout: "120 seconds", excludeTestServices: false })(`Mail of a topic, on ${name}`, (it) => {
    const tick = TestClock.adjust("250 millis")

    /** The mail once it is sent or suppressed. */
    const settledMail = Effect.fnUntraced(function* (ask: TestProject["ask"], id: string) {
      const context = yield* Effect.context<Layer.Success<typeof workers>>()
      return yield* eventually(
        Effect.andThen(tick, Effect.provideContext(ask("GET", `/emails/${id}`), context)),
        ({ body }) => body.status === "SENT" || body.status === "SUPPRESSED"
      )
    })

    it.effect("a campaign reaches those who take it: every default, state, subscription and snooze", () =>
      Effect.gen(function* () {
        const { ask, draft, project } = yield* sendingProject(0)
        const topics = [yield* addTopic(project, "news", true), yield* addTopic(project, "tips", false)]
        yield* addPeople(project, topics)
        const sql = yield* SqlClient.SqlClient
        for (const type of ["MARKETING", "HEADLESS"]) {
          for (const { topic, defaultOn } of kinds) {
            const { body: made } = yield* ask("POST", "/campaigns", { ...draft, type, topicId: topic })
            const expected = people.filter((person) => takes(person, defaultOn)).map(({ email }) => email)
            assert.strictEqual(made.data.estimatedRecipients, expected.length, `${type} ${topic}`)
            const { id } = made.data
            const { status } = yield* ask("POST", `/campaigns/${id}/send`)
            assert.strictEqual(status, 200)
            const frozen = yield* sql`
              select email from campaign_audiences join contacts on contacts.project_id = campaign_audiences.project_id
                and contacts.id = any(campaign_audiences.contacts)
              where campaign_id = ${id}
              union all select to_email from emails where campaign_id = ${id}`
            assert.deepStrictEqual(frozen.map(({ email }) => email).sort(), expected.sort(), `${type} ${topic}`)
            const counted = yield* ask("POST", "/contacts/count", { for: { type, ...(topic && { topic }) } })
            const reasons = people.filter((person) => !takes(person, defaultOn)).map((person) => why(person, defaultOn))
            const count = (reason: string) => reasons.filter((_) => _ === reason).length
            assert.deepStrictEqual(counted.body, {
              count: people.length,
              eligible: expected.length,
              excluded: {
                unsubscribed: count("subscription"),
                topicUnsubscribed: count("topic"),
                snoozed: count("snooze"),
                suppressed: 0
              }
            })
          }
        }
        const { body: plain } = yield* ask("POST", "/campaigns", { ...draft, type: "TRANSACTIONAL" })
        assert.strictEqual(plain.data.estimatedRecipients, people.length)
      })
    )

    it.effect("a send is refused for those who do not take it, and the message says why", () =>
      Effect.gen(function* () {
        const { ask, domain, project } = yield* sendingProject(0)
        const topics = [yield* addTopic(project, "news", true), yield* addTopic(project, "tips", false)]
        yield* addPeople(project, topics)
        const template = (type: string) =>
          Effect.map(
            ask("POST", "/templates", { name: "T", subject: "Hi", body: "<p>Hi</p>", from: `a@${domain}`, type }),
            ({ body }) => String(body.id)
          )
        const templates = {
          MARKETING: yield* template("MARKETING"),
          HEADLESS: yield* template("HEADLESS"),
          TRANSACTIONAL: yield* template("TRANSACTIONAL")
        }
        const reasons = {
          subscription: "The recipient does not want marketing mail.",
          topic: "The recipient does not want mail of this topic.",
          snooze: "The recipient wants no mail for a time."
        }
        for (const { topic, defaultOn } of kinds) {
          for (const type of ["MARKETING", "HEADLESS"] as const) {
            for (const person of people) {
              const { status, body } = yield* ask("POST", "/v1/send", {
                to: person.email,
                template: templates[type],
                ...(topic && { topic })
              })
              const isAsked = type === "MARKETING" || topic !== undefined
              if (!isAsked || takes(person, defaultOn)) {
                assert.strictEqual(status, 200, `${type} ${topic} ${person.email} ${JSON.stringify(body)}`)
                continue
              }
              const [fault] = body.error.errors
              assert.deepStrictEqual(
                [status, fault.field, fault.code, fault.message],
                [422, "to", "contact_unsubscribed", reasons[why(person, defaultOn)]],
                `${type} ${topic} ${person.email}`
              )
            }
          }
        }
        for (const { email } of people) {
          const sent = yield* ask("POST", "/v1/send", { to: email, template: templates.TRANSACTIONAL })
          assert.strictEqual(sent.status, 200)
        }
        const refused = yield* ask("POST", "/v1/send", {
          to: "a@example.com",
          template: templates.TRANSACTIONAL,
          topic: "news"
        })
        assert.deepInclude(refused.body.error.errors[0], { field: "topic", code: "custom" })
        const text = yield* ask("POST", "/v1/send", {
          to: "a@example.com",
          from: `a@${domain}`,
          subject: "a",
          body: "b",
          topic: "news"
        })
        assert.deepInclude(text.body.error.errors[0], { field: "topic", code: "custom" })
        const unknown = yield* ask("POST", "/v1/send", {
          to: "a@example.com",
          template: templates.MARKETING,
          topic: "nothing"
        })
        assert.deepInclude(unknown.body.error.errors[0], { field: "topic", code: "custom" })
      })
    )

    it.effect("a step skips those who do not take it, with the reason, and the flow goes on", () =>
      Effect.gen(function* () {
        const fresh = yield* workflowProject
        const topics = [yield* addTopic(fresh.project, "news", true), yield* addTopic(fresh.project, "tips", false)]
        yield* addPeople(fresh.project, topics)
        const reasons = { subscription: "contact_unsubscribed", topic: "topic_unsubscribed", snooze: "contact_snoozed" }
        for (const [n, { topic, defaultOn }] of kinds.entries()) {
          // One names its topic in the step, the other in the template.
          const template = yield* fresh.template({ ...(n === 2 && { topicId: topic }) })
          const mail = {
            type: "SEND_EMAIL",
            templateId: template.id,
            config: n === 1 ? { topicId: topic } : {},
            to: "out"
          }
          const event = `go${n}`
          const { id } = yield* build(fresh, { event, steps: { mail, out: { type: "EXIT" } } })
          for (const { email } of people) yield* fresh.track({ email, event })
          yield* work
          for (const { email, id: execution, path } of yield* executionsOf(fresh.project, id)) {
            const person = people.find((one) => one.email === email)
            if (person === undefined) return assert.fail(email)
            const isTaken = takes(person, defaultOn)
            assert.deepStrictEqual(
              path,
              [`mail ${isTaken ? "COMPLETED" : "SKIPPED"}`, "out COMPLETED"],
              `${topic} ${email}`
            )
            const { body } = yield* fresh.ask("GET", `/workflows/${id}/executions/${execution}`)
            const [{ output }] = body.stepExecutions
            if (!isTaken) {
              assert.deepStrictEqual(output, { skipped: true, reason: reasons[why(person, defaultOn)] })
              continue
            }
            const record = (yield* fresh.ask("GET", `/emails/${output.emailId}`)).body
            assert.strictEqual(record.topicId, n === 0 ? null : topics[n - 1])
          }
        }
        const flow = yield* fresh.workflow()
        const unknown = yield* fresh.ask("POST", `/workflows/${flow.id}/steps`, {
          type: "SEND_EMAIL",
          config: { topicId: "nothing" }
        })
        assert.deepStrictEqual(
          [unknown.status, unknown.body.error.errors[0].field, unknown.body.error.errors[0].code],
          [422, "config.topicId", "custom"]
        )
        const transactional = yield* fresh.template({ type: "TRANSACTIONAL" })
        const pointless = yield* fresh.ask("POST", `/workflows/${flow.id}/steps`, {
          type: "SEND_EMAIL",
          templateId: transactional.id,
          config: { topicId: "news" }
        })
        assert.deepStrictEqual([pointless.status, pointless.body.error.errors[0].field], [422, "config.topicId"])
      })
    )

    it.effect("a change between acceptance and the try is honoured, with the reason of each", () =>
      Effect.gen(function* () {
        const peer = yield* Peer
        yield* peer.answer(() => Effect.succeed(receipt))
        const { ask, domain, project } = yield* sendingProject(0)
        const sql = yield* SqlClient.SqlClient
        const topic = yield* addTopic(project, "news", true)
        const template = (type: string) =>
          Effect.map(
            ask("POST", "/templates", { name: "T", subject: "Hi", body: "<p>Hi</p>", from: `a@${domain}`, type }),
            ({ body }) => String(body.id)
          )
        const leave = (email: string, what: string) => {
          const at = sql`project_id = ${project} and email = ${email}`
          if (what === "UNSUBSCRIBED") return sql`update contacts set subscribed = false where ${at}`
          if (what === "SNOOZED") return sql`update contacts set snoozed_until = '2099-01-01' where ${at}`
          return sql`update contacts set topics_off = array[${topic}::uuid] where ${at}`
        }
        const scheduledFor = DateTime.formatIso(DateTime.add(yield* DateTime.now, { seconds: 30 }))
        const mails: Array<readonly [id: string, expected: string | null]> = []
        for (const type of ["MARKETING", "HEADLESS", "TRANSACTIONAL"]) {
          const id = yield* template(type)
          for (const named of type === "TRANSACTIONAL" ? [false] : [true, false]) {
            for (const what of ["UNSUBSCRIBED", "TOPIC_UNSUBSCRIBED", "SNOOZED"]) {
              const to = `${type}-${named}-${what}@example.com`.toLowerCase()
              const sent = yield* ask("POST", "/v1/send", {
                to,
                template: id,
                subscribed: true,
                scheduledFor,
                ...(named && { topic: "news" })
              })
              assert.strictEqual(sent.status, 200, JSON.stringify(sent.body))
              yield* leave(to, what)
              const isAsked = type === "MARKETING" || (type === "HEADLESS" && named)
              const isReason = isAsked && (named || what !== "TOPIC_UNSUBSCRIBED")
              mails.push([sent.body.data.emails[0].email, isReason ? what : null])
            }
          }
        }
        yield* TestClock.adjust("31 seconds")
        for (const [id, expected] of mails) {
          const { status, suppressionReason, error } = (yield* settledMail(ask, id)).body
          assert.deepStrictEqual(
            [status, suppressionReason, error?.code ?? null],
            expected === null ? ["SENT", null, null] : ["SUPPRESSED", expected, "contact_unsubscribed"]
          )
        }
      })
    )

    it.effect("unsubscribing, leaving the topic and snoozing while a campaign is paused is honoured", () =>
      Effect.gen(function* () {
        const peer = yield* Peer
        yield* peer.answer(() => Effect.succeed(receipt))
        const { ask, create, project, read, recipients } = yield* sendingProject(4)
        const context = yield* Effect.context<Layer.Success<typeof workers>>()
        const sql = yield* SqlClient.SqlClient
        const topic = yield* addTopic(project, "news", true)
        const id = yield* create({ topicId: "news" })
        const until = (field: string, value: unknown) =>
          eventually(
            Effect.andThen(tick, Effect.provideContext(read(id), context)),
            (found: Record<string, unknown>) => found[field] === value
          )
        yield* ask("POST", `/campaigns/${id}/send`)
        yield* ask("POST", `/campaigns/${id}/pause`)
        yield* until("totalRecipients", 4)
        const at = (n: number) => sql`project_id = ${project} and email = ${`c-${n}@example.com`}`
        yield* sql`update contacts set subscribed = false where ${at(1)}`
        yield* sql`update contacts set topics_off = array[${topic}::uuid] where ${at(2)}`
        yield* sql`update contacts set snoozed_until = '2099-01-01' where ${at(3)}`
        yield* ask("POST", `/campaigns/${id}/resume`)
        yield* until("status", "SENT")
        const rows: ReadonlyArray<{ email: string; status: string; reason: string | null }> = yield* recipients(id)
        assert.deepStrictEqual(rows.map(({ email, status, reason }) => `${email} ${status} ${reason}`).sort(), [
          "c-1@example.com SUPPRESSED UNSUBSCRIBED",
          "c-2@example.com SUPPRESSED TOPIC_UNSUBSCRIBED",
          "c-3@example.com SUPPRESSED SNOOZED",
          "c-4@example.com SENT null"
        ])
      })
    )

    it.effect("its headers name one list over all campaigns, and its footer the topic and both links", () =>
      Effect.gen(function* () {
        const peer = yield* Peer
        yield* peer.answer(() => Effect.succeed(receipt))
        const { ask, create, domain, project, read } = yield* sendingProject(1)
        const context = yield* Effect.context<Layer.Success<typeof workers>>()
        const sql = yield* SqlClient.SqlClient
        yield* sql`update contacts set data = '{"locale": "de-AT"}' where project_id = ${project}`
        const topic = yield* addTopic(project, "news", true)
        for (const type of ["MARKETING", "HEADLESS"]) {
          const id = yield* create({ topicId: topic, type })
          yield* ask("POST", `/campaigns/${id}/send`)
          yield* eventually(
            Effect.andThen(tick, Effect.provideContext(read(id), context)),
            ({ status }: { status: string }) => status === "SENT"
          )
        }
        const messages = (yield* peer.accepted).filter(({ from }) => from.address === `news@${domain}`)
        assert.lengthOf(messages, 2)
        for (const { headers } of messages) {
          assert.match(new Map(headers).get("List-ID") ?? "", /^The news <news\.[a-z0-9-]+\.sender\d+\.test>$/)
        }
        const [marketing, headless] = messages
        assert.include(marketing?.html, "Die news")
        const footer = /<p lang="de".*<\/p>/.exec(marketing?.html ?? "")?.[0] ?? ""
        assert.match(footer, /\/unsubscribe\/[\w-]{110}"/)
        assert.match(footer, /\/manage\/[\w-]{88}"/)
        assert.match(marketing?.text ?? "", /E-Mail-Einstellungen: https:\/\/posthorn\.example\/manage\//)
        assert.notInclude(headless?.html, "/unsubscribe/")
      })
    )

    it.effect("a private topic alone gives no link to a page without topics", () =>
      Effect.gen(function* () {
        const { ask, domain, project } = yield* sendingProject(1)
        yield* addTopic(project, "staff", true, false)
        const { body: template } = yield* ask("POST", "/templates", {
          name: "T",
          subject: "Hi",
          body: "<p>Hi</p>",
          from: `a@${domain}`,
          topicId: "staff"
        })
        const sent = yield* ask("POST", "/v1/send", { to: "c-1@example.com", template: template.id })
        const { body } = yield* ask("GET", `/emails/${sent.body.data.emails[0].email}/content`)
        assert.include(body.html, "The staff")
        assert.notInclude(body.html, "/manage/")
      })
    )

    it.effect("templates give their topic to campaigns and sends, by id or key", () =>
      Effect.gen(function* () {
        const { ask, domain, draft, project, outcome } = yield* sendingProject(1)
        const sql = yield* SqlClient.SqlClient
        const news = yield* addTopic(project, "news", true)
        const tips = yield* addTopic(project, "tips", true)
        const texts = { name: "T", subject: "Hi", body: "<p>Hi</p>", from: `a@${domain}` }
        const { body: template } = yield* ask("POST", "/templates", { ...texts, topicId: "news" })
        assert.strictEqual(template.topicId, news)
        assert.strictEqual((yield* ask("PATCH", `/templates/${template.id}`, { topicId: tips })).body.topicId, tips)
        const { body: renamed } = yield* ask("PATCH", `/templates/${template.id}`, { name: "U" })
        assert.deepStrictEqual([renamed.topicId, renamed.version], [tips, 1])
        assert.isNull((yield* ask("PATCH", `/templates/${template.id}`, { topicId: null })).body.topicId)
        yield* ask("PATCH", `/templates/${template.id}`, { topicId: "news" })
        const { body: copy } = yield* ask("POST", `/templates/${template.id}/duplicate`)
        assert.strictEqual(copy.topicId, news)
        const { body: made } = yield* ask("POST", "/campaigns", { ...draft, templateId: template.id })
        assert.strictEqual(made.data.topicId, news)
        const path = `/campaigns/${made.data.id}`
        const { body: usage } = yield* ask("GET", "/topics/news/usage")
        assert.deepStrictEqual(
          [usage.campaigns.map(idOf), usage.templates.map(idOf), usage.canDelete],
          [[made.data.id], [template.id, copy.id], false]
        )
        assert.strictEqual(yield* outcome("DELETE", "/topics/news"), "409 RESOURCE_IN_USE")
        assert.deepStrictEqual((yield* ask("GET", path)).body.data.topic, { id: news, key: "news", name: "The news" })
        assert.strictEqual((yield* ask("POST", `${path}/duplicate`)).body.data.topicId, news)
        assert.strictEqual((yield* ask("PUT", path, { ...draft, topicId: "tips" })).body.data.topicId, tips)
        assert.isNull((yield* ask("PUT", path, draft)).body.data.topicId)
        const send = (more: object) =>
          ask("POST", "/v1/send", { to: "c-1@example.com", template: template.id, ...more })
        const topicOf = ({ emails: [sent] }: Sent) =>
          Effect.map(ask("GET", `/emails/${sent?.email}`), ({ body }) => body.topicId)
        assert.strictEqual(yield* topicOf((yield* send({})).body.data), news)
        assert.strictEqual(yield* topicOf((yield* send({ topic: "tips" })).body.data), tips)
        const batch = yield* ask("POST", "/v1/batch", {
          emails: [{ to: "c-1@example.com", topic: tips }, { to: "c-1@example.com" }],
          defaults: { template: template.id }
        })
        const [first, second] = batch.body.data.results
        assert.deepStrictEqual([yield* topicOf(first), yield* topicOf(second)], [tips, news])
        for (const [method, to, body, field] of [
          ["POST", "/templates", { ...texts, topicId: "nothing" }, "topicId"],
          ["POST", "/templates", { ...texts, type: "TRANSACTIONAL", topicId: "news" }, "topicId"],
          ["PATCH", `/templates/${template.id}`, { type: "TRANSACTIONAL" }, "topicId"],
          ["POST", "/campaigns", { ...draft, topicId: "nothing" }, "topicId"],
          ["POST", "/campaigns", { ...draft, type: "TRANSACTIONAL", topicId: "news" }, "topicId"]
        ] as const) {
          const refused = yield* ask(method, to, body)
          assert.deepStrictEqual([refused.status, refused.body.error?.errors?.[0]?.field], [422, field], to)
        }
        yield* ask("PUT", `/templates/${template.id}/draft`, { type: "TRANSACTIONAL" })
        const { body: kept } = yield* ask("GET", `/templates/${template.id}/draft`)
        assert.deepStrictEqual(
          kept.problems.map(({ field }: { field: string }) => field),
          ["topicId"]
        )
        assert.strictEqual(yield* outcome("POST", `/templates/${template.id}/publish`, {}), "422 VALIDATION_ERROR")

        yield* sql`update topics set archived = true where id = ${news}`
        const { body: old } = yield* ask("POST", "/campaigns", { ...draft, topicId: "tips" })
        yield* ask("POST", `/campaigns/${old.data.id}/send`, { scheduledFor: "2099-01-01T00:00:00Z" })
        yield* sql`update topics set archived = true where id = ${tips}`
        assert.strictEqual(yield* outcome("POST", "/templates", { ...texts, topicId: "news" }), "409 topic_archived")
        assert.strictEqual(yield* outcome("POST", "/campaigns", { ...draft, topicId: "news" }), "409 topic_archived")
        assert.deepInclude((yield* send({})).body.error.details, { reason: "topic_archived" })
        assert.strictEqual((yield* ask("PATCH", `/templates/${template.id}`, { name: "V" })).status, 200)
        // A planned campaign goes on.
        const planned = yield* ask("PUT", `/campaigns/${old.data.id}`, { ...draft, topicId: "tips" })
        assert.strictEqual(planned.status, 200)
        const again = yield* ask("POST", `/campaigns/${old.data.id}/send`, { scheduledFor: "2099-01-02T00:00:00Z" })
        assert.strictEqual(again.status, 200, JSON.stringify(again.body))
      })
    )

    it.effect("a project may require a topic for mail that asks consent", () =>
      Effect.gen(function* () {
        const { ask, create, domain, draft, project } = yield* sendingProject(1)
        yield* addTopic(project, "news", true)
        const texts = { name: "T", subject: "Hi", body: "<p>Hi</p>", from: `a@${domain}` }
        const { body: template } = yield* ask("POST", "/templates", texts)
        const campaign = yield* create()
        yield* ask("PATCH", "/settings/audience", { topicRequired: true })
        const faults = ({ status, body }: { status: number; body: Parameters<typeof faultsIn>[0] }) => [
          status,
          ...faultsIn(body)
        ]
        const send = (more: object) =>
          ask("POST", "/v1/send", { to: "c-1@example.com", template: template.id, ...more })
        for (const type of ["MARKETING", "HEADLESS"]) {
          assert.deepStrictEqual(faults(yield* ask("POST", "/templates", { ...texts, type })), [
            422,
            "topicId required"
          ])
          assert.deepStrictEqual(faults(yield* ask("POST", "/campaigns", { ...draft, type })), [
            422,
            "topicId required"
          ])
        }
        assert.deepStrictEqual(faults(yield* ask("POST", `/campaigns/${campaign}/send`)), [422, "topicId required"])
        assert.deepStrictEqual(faults(yield* send({})), [422, "topic required"])
        assert.strictEqual((yield* send({ topic: "news" })).status, 200)
        const free = yield* ask("POST", "/templates", { ...texts, type: "TRANSACTIONAL" })
        assert.strictEqual(free.status, 201)
        assert.strictEqual((yield* send({ template: free.body.id })).status, 200)
        assert.strictEqual((yield* ask("POST", "/campaigns", { ...draft, type: "TRANSACTIONAL" })).status, 201)
        assert.strictEqual((yield* ask("POST", "/templates", { ...texts, topicId: "news" })).status, 201)
      })
    )
  })
}
