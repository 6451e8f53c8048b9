/** Which writes ask a contact to confirm, by the mode of the project. */
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Settings } from "../../platform/Settings.ts"
import { pageWords } from "../../platform/web/PageWords.ts"
import { databases } from "../../testing/Databases.ts"
import { servicesOn, settings, type TestServices } from "../../testing/Services.ts"
import { type Wire, wireOver } from "../../testing/TestClient.ts"
import { Suppressions } from "../suppression/Suppressions.ts"
import * as OptIns from "./OptIns.ts"
import { askingProject, ended, eventNames, imported, linkOf, mailsOf, submit } from "./OptInsFixture.ts"

type Acme = Effect.Success<ReturnType<typeof askingProject>>
type Mode = "all" | "off" | "public"

const email = "ada@example.com"

/** A known contact that is not subscribed. */
const known = (acme: Acme) =>
  Effect.map(acme.ask("POST", "/contacts", { email, subscribed: false }), ({ body }) => String(body.id))

type Writes = { readonly [source: string]: (acme: Acme) => Effect.Effect<unknown, unknown, Wire | TestServices> }

const mail = (acme: Acme, others: object = {}) => ({
  to: email,
  from: `hi@${acme.domain}`,
  subject: "Hi",
  body: "<p>Hi</p>",
  subscribed: true,
  ...others
})

/** The writes that say `subscribed: true`. */
const said: Writes = {
  "POST /contacts": (acme) => acme.ask("POST", "/contacts", { email, subscribed: true }),
  "POST /contacts by external id": (acme) =>
    acme.ask("POST", "/contacts", { email, externalId: "u1", subscribed: true }),
  "PATCH /contacts": (acme) =>
    Effect.flatMap(known(acme), (id) => acme.ask("PATCH", `/contacts/${id}`, { subscribed: true })),
  "POST /v1/send": (acme) => acme.ask("POST", "/v1/send", mail(acme)),
  "POST /v1/batch": (acme) =>
    Effect.map(
      // An address that is named twice is asked once.
      acme.ask("POST", "/v1/batch", { emails: [mail(acme), mail(acme, { subscribed: undefined }), mail(acme)] }),
      ({ status, body }) => assert.strictEqual(status, 200, JSON.stringify(body))
    ),
  "POST /events/track": (acme) => acme.ask("POST", "/events/track", { email, event: "signed_up", subscribed: true }),
  "POST /segments/members": (acme) =>
    Effect.flatMap(acme.ask("POST", "/segments", { name: "Staff", type: "STATIC" }), ({ body }) =>
      acme.ask("POST", `/segments/${body.id}/members`, { emails: [email], createMissing: true, subscribed: true })
    ),
  "POST /contacts/bulk-subscribe": (acme) =>
    Effect.flatMap(known(acme), (id) =>
      Effect.flatMap(acme.ask("POST", "/contacts/bulk-subscribe", { contactIds: [id] }), ({ body }) =>
        ended(acme, `/contacts/bulk/${body.jobId}`)
      )
    )
}

const topics = { news: "subscribed" } as const

/** The writes that say that the contact takes a topic. */
const saidTopic: Writes = {
  "POST /contacts": (acme) => acme.ask("POST", "/contacts", { email, topics }),
  "POST /contacts by external id": (acme) => acme.ask("POST", "/contacts", { email, externalId: "u1", topics }),
  "PATCH /contacts": (acme) => Effect.flatMap(known(acme), (id) => acme.ask("PATCH", `/contacts/${id}`, { topics })),
  "POST /v1/track": (acme) => acme.track({ email, event: "signed_up", topics }),
  "POST /events/track": (acme) => acme.ask("POST", "/events/track", { email, event: "signed_up", topics }),
  "POST /segments/members": (acme) =>
    Effect.flatMap(acme.ask("POST", "/segments", { name: "Staff", type: "STATIC" }), ({ body }) =>
      acme.ask("POST", `/segments/${body.id}/members`, { emails: [email], createMissing: true, topics })
    ),
  "POST /contacts/bulk": (acme) =>
    Effect.flatMap(known(acme), (id) =>
      Effect.flatMap(
        acme.ask("POST", "/contacts/bulk", { operation: "set-topics", select: { contactIds: [id] }, topics }),
        ({ body }) => ended(acme, `/contacts/bulk/${body.jobId}`)
      )
    )
}

const topicOf = (acme: Acme) =>
  Effect.map(acme.ask("GET", `/contacts?email=${email}`), ({ body }) => body.data[0]?.topics.news)

const addNews = (acme: Acme, doubleOptIn: boolean | null = null) =>
  acme.ask("POST", "/topics", { name: "News", key: "news", defaultSubscription: "unsubscribed", doubleOptIn })

const stateOf = (acme: Acme) =>
  Effect.map(acme.ask("GET", `/contacts?email=${email}`), ({ body }) => body.data[0]?.subscription)

const confirmations = (acme: Acme) =>
  Effect.map(mailsOf(acme), (mails) => mails.filter(({ text }) => text.includes("/confirm/")).length)

for (const [name, database] of databases()) {
  const options = { timeout: "60 seconds", excludeTestServices: false } as const
  layer(wireOver(servicesOn(database)), options)(`Writes that subscribe, on ${name}`, (it) => {
    for (const mode of ["off", "public", "all"] as const satisfies ReadonlyArray<Mode>) {
      it.effect.each(Object.keys(said))(`%s, mode ${mode}`, (source) =>
        Effect.gen(function* () {
          const acme = yield* askingProject({ mode })
          yield* said[source]?.(acme) ?? assert.fail()
          assert.strictEqual(yield* stateOf(acme), mode === "all" ? "pending" : "subscribed")
          assert.strictEqual(yield* confirmations(acme), mode === "all" ? 1 : 0)
          if (mode !== "all") return
          yield* submit(yield* linkOf(acme), { confirm: "1" })
          assert.strictEqual(yield* stateOf(acme), "subscribed")
        })
      )

      it.effect(`the public key and new contacts of which nothing is said, mode ${mode}`, () =>
        Effect.gen(function* () {
          const asks = mode !== "off"
          const acme = yield* askingProject({ mode })
          yield* acme.track({ email, event: "signed_up", subscribed: true })
          assert.strictEqual(yield* stateOf(acme), asks ? "pending" : "subscribed")
          const other = yield* askingProject({ mode })
          yield* other.track({ email, event: "signed_up" })
          assert.strictEqual(yield* stateOf(other), asks ? "unsubscribed" : "subscribed")
          assert.strictEqual(yield* confirmations(other), 0)
          const plain = yield* askingProject({ mode })
          yield* plain.ask("POST", "/contacts", { email })
          assert.strictEqual(yield* stateOf(plain), mode === "all" ? "unsubscribed" : "subscribed")
          assert.strictEqual(yield* confirmations(plain), 0)
        })
      )
    }

    for (const mode of ["off", "public", "all"] as const satisfies ReadonlyArray<Mode>) {
      it.effect.each(Object.keys(saidTopic))(`a topic by %s, mode ${mode}`, (source) =>
        Effect.gen(function* () {
          for (const [doubleOptIn, asks] of [
            [null, mode === "all" || (mode === "public" && source === "POST /v1/track")],
            [true, true],
            [false, false]
          ] as const) {
            const acme = yield* askingProject({ mode })
            yield* addNews(acme, doubleOptIn)
            yield* saidTopic[source]?.(acme) ?? assert.fail()
            const what = `${mode} ${source} ${doubleOptIn}`
            assert.strictEqual(yield* topicOf(acme), asks ? "pending" : "subscribed", what)
            assert.strictEqual(yield* confirmations(acme), asks ? 1 : 0, what)
            if (!asks) continue
            yield* submit(yield* linkOf(acme), { confirm: "1" })
            assert.strictEqual(yield* topicOf(acme), "subscribed", what)
          }
        })
      )
    }

    it.effect("the public key does not ask for a topic that the contact left", () =>
      Effect.gen(function* () {
        const acme = yield* askingProject({ mode: "public" })
        yield* addNews(acme)
        yield* acme.ask("POST", "/contacts", { email, topics: { news: "unsubscribed" } })
        const { status } = yield* acme.track({ email, event: "signed_up", topics })
        assert.strictEqual(status, 200)
        assert.strictEqual(yield* topicOf(acme), "unsubscribed")
        assert.strictEqual(yield* confirmations(acme), 0)
      })
    )

    it.effect("a call asks in any mode, or skips it; the public key may not skip it", () =>
      Effect.gen(function* () {
        const off = yield* askingProject({ mode: "off" })
        yield* off.ask("POST", "/contacts", { email, subscribed: true, doubleOptIn: true })
        assert.strictEqual(yield* stateOf(off), "pending")
        const all = yield* askingProject({ mode: "all" })
        yield* all.ask("POST", "/contacts", { email, subscribed: true, doubleOptIn: false })
        assert.strictEqual(yield* stateOf(all), "subscribed")
        const tracked = yield* all.track({ email, event: "signed_up", doubleOptIn: false })
        assert.deepInclude(tracked.body.error.errors[0], { field: "doubleOptIn", code: "custom" })
        // Who has it already is not asked.
        yield* all.ask("PATCH", `/contacts/${(yield* all.ask("GET", `/contacts?email=${email}`)).body.data[0].id}`, {
          subscribed: true
        })
        assert.strictEqual(yield* confirmations(all), 0)
      })
    )

    it.effect("a contact that is deleted leaves no address in its opt-ins, however it is deleted", () =>
      Effect.gen(function* () {
        for (const remove of [
          (acme: Acme, id: string) => acme.ask("DELETE", `/contacts/${id}`),
          (acme: Acme, id: string) =>
            Effect.flatMap(acme.ask("POST", "/contacts/bulk-delete", { contactIds: [id] }), ({ body }) =>
              ended(acme, `/contacts/bulk/${body.jobId}`)
            ),
          (acme: Acme, id: string) =>
            Effect.flatMap(
              acme.ask("POST", "/contacts/bulk", { operation: "delete", select: { contactIds: [id] } }),
              ({ body }) => ended(acme, `/contacts/bulk/${body.jobId}`)
            )
        ]) {
          const acme = yield* askingProject()
          const { body } = yield* acme.ask("POST", "/contacts", { email, subscribed: true })
          const path = yield* linkOf(acme)
          yield* remove(acme, body.id)
          const { body: list } = yield* acme.ask("GET", "/opt-ins")
          assert.deepInclude(list.data[0], { status: "CANCELLED", email: null, contactId: null })
          const rows = yield* SqlClient.SqlClient.use(
            (sql) => sql`
              select email from opt_ins where project_id = ${acme.project}
              union all select email from opt_in_mails where project_id = ${acme.project}`
          )
          assert.lengthOf(rows, 2)
          assert.notInclude(JSON.stringify(rows), email)
          assert.include((yield* submit(path, { confirm: "1" })).text, pageWords.en.nothing.title)
        }
      })
    )

    it.effect("`subscribed: false` ends an open opt-in, also one that asks for what the contact has by now", () =>
      Effect.gen(function* () {
        const acme = yield* askingProject()
        yield* addNews(acme)
        const { body } = yield* acme.ask("POST", "/contacts", { email, subscribed: true, doubleOptIn: false })
        yield* acme.ask("PATCH", `/contacts/${body.id}`, { topics })
        const granted = yield* acme.ask("PATCH", `/contacts/${body.id}`, { topics, doubleOptIn: false })
        assert.deepStrictEqual(granted.body.topics, topics)
        const asked = Effect.map(acme.ask("GET", "/topics/news/contacts?state=pending"), ({ body }) => body.total)
        assert.strictEqual(yield* asked, 0)
        yield* acme.ask("PATCH", `/contacts/${body.id}`, { subscribed: false })
        const [record] = (yield* acme.ask("GET", `/contacts/${body.id}/opt-ins`)).body
        assert.strictEqual(record.status, "CANCELLED")
      })
    )

    it.effect("a topic that a contact left is not taken while it is asked again", () =>
      Effect.gen(function* () {
        const acme = yield* askingProject()
        yield* acme.ask("POST", "/topics", { name: "News", key: "news", defaultSubscription: "subscribed" })
        const { body } = yield* acme.ask("POST", "/contacts", {
          email,
          subscribed: true,
          topics: { news: "unsubscribed" },
          doubleOptIn: false
        })
        const asked = yield* acme.ask("PATCH", `/contacts/${body.id}`, { topics })
        assert.deepStrictEqual(asked.body.topics, { news: "pending" })
        const [topic] = (yield* acme.ask("GET", `/contacts/${body.id}/topics`)).body
        assert.deepInclude(topic, { state: "pending", takes: false })
        const { body: takers } = yield* acme.ask("GET", "/topics/news/contacts")
        assert.strictEqual(takers.total, 0)
      })
    )

    it.effect("POST opt-in takes a transactional template with the link alone", () =>
      Effect.gen(function* () {
        const acme = yield* askingProject()
        const id = yield* known(acme)
        const template = (name: string, more: object) =>
          Effect.map(
            acme.ask("POST", "/templates", {
              name,
              subject: "Confirm",
              body: "{{confirmUrl}}",
              from: `hi@${acme.domain}`,
              type: "TRANSACTIONAL",
              ...more
            }),
            ({ body }) => String(body.id)
          )
        const ask = (templateId: string) => acme.ask("POST", `/contacts/${id}/opt-in`, { templateId })
        for (const bad of [
          yield* template("No link", { body: "Hello" }),
          yield* template("Marketing", { type: "MARKETING" }),
          "019a0000-0000-7000-8000-0000000000aa"
        ]) {
          const { status, body } = yield* ask(bad)
          const [fault] = body.error.errors
          assert.deepStrictEqual([status, fault.field, fault.code], [422, "templateId", "custom"])
        }
        assert.strictEqual((yield* acme.ask("GET", "/opt-ins")).body.total, 0)
        assert.strictEqual((yield* ask(yield* template("Good", {}))).status, 202)
        assert.include((yield* mailsOf(acme))[0]?.text, "/confirm/")
      })
    )

    it.effect("an import says whether it asks, if its file has a column for it", () =>
      Effect.gen(function* () {
        const csv = `email,subscribed\n${email},true\nbob@example.com,\n`
        const off = yield* askingProject({ mode: "off" })
        yield* imported(off, csv)
        assert.strictEqual(yield* stateOf(off), "subscribed")
        const all = yield* askingProject({ mode: "all" })
        assert.deepStrictEqual(yield* imported(all, csv), { status: 422, field: "doubleOptIn" })
        assert.deepInclude(yield* imported(all, csv, { doubleOptIn: "send" }), { status: 202, successCount: 2 })
        assert.strictEqual(yield* stateOf(all), "pending")
        assert.deepStrictEqual(
          (yield* mailsOf(all)).map(({ to, lane }) => ({ to, lane })),
          [{ to: email, lane: 1 }]
        )
        const { body } = yield* all.ask("GET", "/contacts?email=bob@example.com")
        assert.strictEqual(body.data[0].subscription, "unsubscribed")
        const skipping = yield* askingProject({ mode: "all" })
        yield* imported(skipping, csv, { doubleOptIn: "skip" })
        assert.strictEqual(yield* stateOf(skipping), "subscribed")
        assert.strictEqual(yield* confirmations(skipping), 0)
      })
    )

    it.effect("an import takes and leaves topics, and asks for them if it says so", () =>
      Effect.gen(function* () {
        const topicsOf = (acme: Acme, address: string) =>
          Effect.map(acme.ask("GET", `/contacts?email=${address}`), ({ body: { data } }) => ({
            subscription: data[0].subscription,
            topics: data[0].topics
          }))
        const csv = `email,subscribed,topic.news,topic.other\n${email},true,yes,\nbob@example.com,,subscribed,1\ncid@example.com,true,no,x\n`
        for (const [mode, fields] of [
          ["off", {}],
          ["all", { doubleOptIn: "skip" }]
        ] as const) {
          const acme = yield* askingProject({ mode })
          yield* acme.ask("POST", "/topics", { name: "News", key: "news", defaultSubscription: "unsubscribed" })
          const result = yield* imported(acme, csv, { ...fields })
          assert.deepInclude(result, { status: 202, successCount: 3, createdCount: 3, pendingCount: 0 })
          assert.deepStrictEqual(yield* topicsOf(acme, email), {
            subscription: "subscribed",
            topics: { news: "subscribed" }
          })
          assert.deepInclude(yield* topicsOf(acme, "bob@example.com"), { topics: { news: "subscribed" } })
          assert.deepInclude(yield* topicsOf(acme, "cid@example.com"), { topics: { news: "unsubscribed" } })
          // A column of a topic that is not there is data. New contacts have no events.
          const { body } = yield* acme.ask("GET", "/contacts?email=bob@example.com")
          assert.deepStrictEqual(body.data[0].data, { "topic.other": 1 })
          assert.deepStrictEqual(yield* eventNames(acme), [])
          const second = yield* imported(acme, `email,topic.news\n${email},unset\nbob@example.com,0\n`, { ...fields })
          assert.deepInclude(second, { updatedCount: 2 })
          assert.deepInclude(yield* topicsOf(acme, email), { topics: {} })
          assert.deepStrictEqual(yield* eventNames(acme), ["topic.news.unsubscribed"])
          const faulty = yield* imported(acme, `email,topic.news\n${email},maybe\n`, { ...fields })
          assert.deepInclude(faulty, { failureCount: 1, successCount: 0 })
        }
        const asking = yield* askingProject()
        yield* asking.ask("POST", "/topics", { name: "News", key: "news", defaultSubscription: "unsubscribed" })
        const only = `email,topic.news\n${email},subscribed\nbob@example.com,unsubscribed\n`
        assert.deepStrictEqual(yield* imported(asking, only), { status: 422, field: "doubleOptIn" })
        assert.deepInclude(yield* imported(asking, only, { doubleOptIn: "send" }), { successCount: 2, pendingCount: 1 })
        assert.deepInclude(yield* topicsOf(asking, email), { topics: { news: "pending" } })
        assert.deepInclude(yield* topicsOf(asking, "bob@example.com"), { topics: { news: "unsubscribed" } })
        yield* submit(yield* linkOf(asking), { confirm: "1" })
        assert.deepInclude(yield* topicsOf(asking, email), { topics: { news: "subscribed" } })
        // Who has it is not asked.
        assert.deepInclude(yield* imported(asking, only, { doubleOptIn: "send" }), { pendingCount: 0 })
        // A topic that asks for itself, in a project that does not.
        const quiet = yield* askingProject({ mode: "off" })
        yield* quiet.ask("POST", "/topics", {
          name: "News",
          key: "news",
          defaultSubscription: "unsubscribed",
          doubleOptIn: true
        })
        assert.deepStrictEqual(yield* imported(quiet, only), { status: 422, field: "doubleOptIn" })
        yield* quiet.ask("PATCH", "/topics/news", { archived: true })
        assert.deepStrictEqual(yield* imported(quiet, only, { doubleOptIn: "skip" }), { status: 422, field: "file" })
      })
    )

    it.effect("a dry run of an import says how many the import then asks", () =>
      Effect.gen(function* () {
        const acme = yield* askingProject()
        for (const key of ["news", "tips"]) {
          yield* acme.ask("POST", "/topics", { name: key, key, defaultSubscription: "subscribed" })
        }
        const known = (email: string, more: object) =>
          acme.ask("POST", "/contacts", { email, doubleOptIn: false, ...more })
        yield* known("in@example.com", { subscribed: true, topics: { news: "subscribed" } })
        yield* known("out@example.com", { subscribed: false })
        yield* known("moves@example.com", { subscribed: true, externalId: "m1" })
        const suppressions = yield* Suppressions
        yield* suppressions.add(acme.project, "angry@example.com", "COMPLAINT", null, yield* DateTime.now)
        const filler = Array.from({ length: 520 }, (_, n) => `new${n}@example.com,,${n % 2 === 0},,`)
        const csv = [
          "email,externalId,subscribed,topic.news,topic.tips",
          // Takes both already.
          "in@example.com,,true,yes,",
          // Asked for one topic only.
          "out@example.com,,,,yes",
          "angry@example.com,,true,yes,yes",
          "moved@example.com,m1,true,,",
          // Both rows of one step mean one contact.
          "twice@example.com,,true,,",
          "TWICE@example.com,,,no,yes",
          "faulty@example.com,,true,perhaps,",
          ...filler,
          // In a later step the contact has left what it took, and is asked for it.
          "in@example.com,,false,no,",
          ...filler,
          "in@example.com,,true,yes,",
          "angry@example.com,,,,"
        ].join("\n")
        const check = yield* imported(acme, csv, { doubleOptIn: "send", dryRun: "true" })
        assert.strictEqual(yield* confirmations(acme), 0)
        const result = yield* imported(acme, csv, { doubleOptIn: "send" })
        assert.deepInclude(check, { pendingCount: 523, failureCount: 1, wouldCreate: result.createdCount })
        assert.strictEqual(result.pendingCount, check.pendingCount)
        const skipped = yield* imported(acme, csv, { doubleOptIn: "skip", dryRun: "true" })
        assert.strictEqual(skipped.pendingCount, 0)
      })
    )

    it.effect("an import asks again who had left, and keeps what proves the consent", () =>
      Effect.gen(function* () {
        const acme = yield* askingProject()
        const created = yield* acme.ask("POST", "/contacts", { email, subscribed: true, doubleOptIn: false })
        const { body: links } = yield* acme.ask("GET", `/contacts/${created.body.id}/links`)
        yield* submit(new URL(links.unsubscribeUrl).pathname, { confirm: "1" })
        assert.strictEqual(yield* stateOf(acme), "unsubscribed")
        const csv = `email,subscribed\n${email},true\nbob@example.com,true\n`
        const bad = yield* imported(acme, csv, { doubleOptIn: "send", consent: '{"basis":"","ip":"x"}' })
        assert.deepStrictEqual(bad, { status: 422, field: "consent.basis" })
        assert.deepStrictEqual(yield* imported(acme, csv, { doubleOptIn: "send", consent: "no JSON" }), {
          status: 422,
          field: "consent"
        })
        assert.deepStrictEqual(
          yield* imported(acme, csv, { doubleOptIn: "send", consent: '{"at":"2999-01-01T00:00:00Z"}' }),
          { status: 422, field: "consent.at" }
        )
        const consent = JSON.stringify({ basis: "consent", wording: "Yes, send me news.", language: "en" })
        assert.deepInclude(yield* imported(acme, csv, { doubleOptIn: "send", consent }), { pendingCount: 2 })
        assert.strictEqual(yield* stateOf(acme), "pending")
        const { body } = yield* acme.ask("GET", `/contacts/${created.body.id}/consents?limit=1`)
        assert.deepInclude(body.data[0], { action: "requested", source: "import", basis: "consent" })
        assert.deepInclude(body.data[0].wording, { text: "Yes, send me news.", language: "en" })
        const direct = yield* askingProject({ mode: "off" })
        yield* imported(direct, csv, { consent })
        yield* imported(direct, csv, { consent })
        const { body: records } = yield* direct.ask("GET", `/consents?email=${email}`)
        assert.deepStrictEqual(
          records.data.map((record: { action: string; basis: string }) => [record.action, record.basis]),
          [
            ["granted", "consent"],
            ["granted", "consent"]
          ]
        )
      })
    )

    it.effect("a template that the settings name keeps its link, and cannot be deleted", () =>
      Effect.gen(function* () {
        const acme = yield* askingProject()
        const { body: template } = yield* acme.ask("POST", "/templates", {
          name: "Confirm",
          subject: "Confirm {{topicNames}}",
          from: `hi@${acme.domain}`,
          type: "TRANSACTIONAL",
          body: '<a href="{{confirmUrl}}">Yes</a>'
        })
        yield* acme.ask("PATCH", "/settings/audience", { doubleOptIn: { templateId: template.id } })
        yield* acme.ask("POST", "/contacts", { email, subscribed: true, data: { confirmUrl: "https://evil.example" } })
        const [mail] = yield* mailsOf(acme)
        assert.match(mail?.html ?? "", /^<a href="https:\/\/posthorn\.example\/confirm\/[\w-]+">Yes<\/a>/)
        const changed = yield* acme.ask("PATCH", `/templates/${template.id}`, { body: "<p>Hi</p>" })
        assert.deepStrictEqual([changed.status, changed.body.error.errors[0].field], [422, "body"])
        const removed = yield* acme.ask("DELETE", `/templates/${template.id}`)
        assert.deepStrictEqual([removed.status, removed.body.error.code], [409, "RESOURCE_IN_USE"])
        yield* acme.ask("PATCH", "/settings/audience", { doubleOptIn: { templateId: null } })
        assert.strictEqual((yield* acme.ask("DELETE", `/templates/${template.id}`)).status, 204)
      })
    )

    it.effect(
      "one reminder is sent; an unconfirmed contact is deleted later, unless something else happened to it",
      () =>
        Effect.gen(function* () {
          const acme = yield* askingProject({ reminderAfterHours: 24, deleteUnconfirmedAfterDays: 30 })
          yield* acme.ask("POST", "/contacts", { email, subscribed: true })
          yield* acme.ask("POST", "/contacts", { email: "bob@example.com", subscribed: true })
          const optIns = yield* OptIns.make
          yield* TestClock.adjust("25 hours")
          yield* optIns.advance
          yield* optIns.advance
          assert.strictEqual(yield* confirmations(acme), 4)
          yield* TestClock.adjust("6 days")
          yield* optIns.advance
          yield* acme.ask("POST", "/events/track", { email: "bob@example.com", event: "bought" })
          yield* TestClock.adjust("29 days")
          yield* optIns.sweep
          assert.strictEqual(yield* stateOf(acme), "unsubscribed")
          yield* TestClock.adjust("2 days")
          yield* optIns.sweep
          const { body } = yield* acme.ask("GET", "/contacts")
          assert.deepStrictEqual(
            body.data.map((one: { email: string }) => one.email),
            ["bob@example.com"]
          )
          assert.include(yield* eventNames(acme), "contact.opt_in_expired")
        })
    )
  })

  const few = servicesOn(database, { ...settings, optInMailsPerHour: 3 })
  layer(wireOver(few), options)(`The confirmation mails of a project in an hour, on ${name}`, (it) => {
    it.effect("later ones wait for their turn, and fail if that is more than a day away", () =>
      Effect.gen(function* () {
        assert.strictEqual((yield* Settings).optInMailsPerHour, 3)
        const acme = yield* askingProject({ mode: "public" })
        for (let n = 0; n < 78; n++) {
          yield* acme.track({ email: `reader-${n}@example.com`, event: "signed_up", subscribed: true })
        }
        const mails = yield* mailsOf(acme)
        const start = mails[0]?.due.getTime() ?? 0
        assert.deepStrictEqual(
          mails.slice(0, 9).map(({ due }) => (due.getTime() - start) / 3_600_000),
          [0, 0, 0, 1, 1, 1, 2, 2, 2]
        )
        assert.strictEqual(mails.filter(({ status }) => status === "PENDING").length, 75)
        assert.strictEqual(mails.filter(({ status }) => status === "FAILED").length, 3)
      })
    )
  })
}
