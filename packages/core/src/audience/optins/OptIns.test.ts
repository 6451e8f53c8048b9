import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Exit, Metric } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Failpoint } from "../../platform/Failpoint.ts"
import { databases } from "../../testing/Databases.ts"
import { servicesOn, type TestServices } from "../../testing/Services.ts"
import { type Wire, wireOver } from "../../testing/TestClient.ts"
import { Contacts } from "../contacts/Contacts.ts"
import { freshProject } from "../segments/SegmentsFixture.ts"
import * as OptIns from "./OptIns.ts"
import {
  askingProject,
  ended,
  eventNames,
  eventsOf,
  imported,
  linkOf,
  mailsOf,
  submit,
  visit
} from "./OptInsFixture.ts"
import { optInWords } from "./OptInWords.ts"

const email = "ada@example.com"

type Acme = Effect.Success<ReturnType<typeof askingProject>>

const tokenOf = (acme: Acme, id: string) =>
  Effect.map(acme.ask("GET", `/contacts/${id}/links`), ({ body }) => String(body.token))

/** The ways to say no to a topic. */
const noes: {
  readonly [way: string]: (
    acme: Acme,
    id: string,
    topic: string
  ) => Effect.Effect<unknown, unknown, Wire | TestServices | SqlClient.SqlClient>
} = {
  "the preference page": (acme, id, topic) =>
    Effect.flatMap(tokenOf(acme, id), (token) => submit(`/manage/${token}`, { action: "save", shown: topic })),
  "the project's own page": (acme, id, topic) =>
    Effect.flatMap(tokenOf(acme, id), (token) =>
      visit(`/public/preferences/${token}`, {
        method: "PATCH",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ topics: { [topic]: "unsubscribed" } })
      })
    ),
  "PATCH /contacts": (acme, id, topic) => acme.ask("PATCH", `/contacts/${id}`, { topics: { [topic]: "unsubscribed" } }),
  "POST /contacts": (acme, _, topic) => acme.ask("POST", "/contacts", { email, topics: { [topic]: "unsubscribed" } }),
  "POST /events/track": (acme, _, topic) =>
    acme.ask("POST", "/events/track", { email, event: "left", topics: { [topic]: "unsubscribed" } }),
  "POST /contacts/bulk": (acme, id, topic) =>
    Effect.flatMap(
      acme.ask("POST", "/contacts/bulk", {
        operation: "set-topics",
        select: { contactIds: [id] },
        topics: { [topic]: "unsubscribed" }
      }),
      ({ body }) => ended(acme, `/contacts/bulk/${body.jobId}`)
    ),
  "an import": (acme, _, topic) => imported(acme, `email,topic.${topic}\n${email},no\n`, { doubleOptIn: "send" })
}

const advance = Effect.flatMap(OptIns.make, (optIns) => optIns.advance)

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "60 seconds", excludeTestServices: false })(
    `Opt-ins, on ${name}`,
    (it) => {
      it.effect("a contact is subscribed once it confirms, by the link in its mail", () =>
        Effect.gen(function* () {
          const acme = yield* askingProject()
          const { status, body } = yield* acme.ask("POST", "/contacts", { email: "ada@example.com", subscribed: true })
          assert.strictEqual(status, 201, JSON.stringify(body))
          assert.deepInclude(body, { subscribed: false, subscription: "pending" })
          assert.deepInclude(body.optIn, { status: "PENDING", mail: "queued" })
          const [mail] = yield* mailsOf(acme)
          assert.deepInclude(mail, { to: "ada@example.com", status: "PENDING", lane: 0 })
          const path = yield* linkOf(acme)
          const page = yield* visit(path)
          assert.strictEqual(page.status, 200)
          assert.include(page.text, optInWords.en.page.button)
          assert.include(page.text, "a***@example.com")
          for (const init of [{ method: "HEAD" }, {}]) yield* visit(`${path}?confirm=1`, init)
          assert.strictEqual((yield* acme.ask("GET", `/contacts/${body.id}`)).body.subscription, "pending")
          yield* submit(path, { confirm: "no" })
          assert.isFalse((yield* acme.ask("GET", `/contacts/${body.id}`)).body.subscribed)

          const done = yield* submit(path, { confirm: "1" })
          assert.include(done.text, optInWords.en.confirmed.title)
          const after = yield* acme.ask("GET", `/contacts/${body.id}`)
          assert.deepInclude(after.body, { subscribed: true, subscription: "subscribed" })
          assert.isUndefined(after.body.optIn)
          assert.include((yield* submit(path, { confirm: "1" })).text, optInWords.en.confirmed.title)
          assert.include((yield* submit(path, { decline: "1" })).text, optInWords.en.confirmed.title)
          assert.deepStrictEqual(yield* eventNames(acme), [
            "contact.opt_in_requested",
            "contact.confirmed",
            "contact.subscribed"
          ])
          const [requested, confirmed, subscribed] = yield* eventsOf(acme)
          assert.deepStrictEqual(requested?.data, {
            optInId: body.optIn.id,
            subscribe: true,
            topics: [],
            source: "api",
            emailId: mail?.id
          })
          assert.deepInclude(confirmed?.data, { optInId: body.optIn.id, source: "api" })
          const counted = (yield* Metric.snapshot)
            .filter(({ id }) => id === "posthorn_opt_ins_total")
            .map(({ attributes }) => attributes?.["status"])
          assert.includeMembers(counted, ["PENDING", "CONFIRMED"])
          assert.deepStrictEqual(subscribed?.data, { reason: "double_opt_in", optInId: body.optIn.id })

          const [record] = (yield* acme.ask("GET", `/contacts/${body.id}/opt-ins`)).body
          assert.deepInclude(record, {
            status: "CONFIRMED",
            email: "ada@example.com",
            emailIds: [mail?.id],
            mailsSent: 1
          })
          assert.isNotNull(record.settledAt)
        })
      )

      it.effect("a process that ends leaves no request without its mail, and no half of a confirmation", () =>
        Effect.gen(function* () {
          const acme = yield* askingProject()
          const killed = Effect.provideService(Failpoint, (window) =>
            window === "before_opt_in_commit" ? Effect.die("killed") : Effect.void
          )
          const write = Contacts.use((contacts) =>
            contacts.upsert(acme.project, { email: "ada@example.com", subscribed: true })
          )
          assert.isTrue(Exit.isFailure(yield* Effect.exit(killed(write))))
          assert.deepStrictEqual(yield* mailsOf(acme), [])
          assert.strictEqual((yield* acme.ask("GET", "/contacts")).body.total, 0)
          assert.strictEqual((yield* acme.ask("GET", "/opt-ins")).body.total, 0)
          yield* Effect.orDie(write)
          assert.strictEqual((yield* mailsOf(acme)).length, 1)
          const { body } = yield* acme.ask("GET", "/opt-ins")
          const target = { project: acme.project, id: String(body.data[0].id) }
          const confirm = Effect.flatMap(OptIns.make, (optIns) => optIns.confirm(target))
          assert.isTrue(Exit.isFailure(yield* Effect.exit(killed(confirm))))
          assert.deepStrictEqual(yield* eventNames(acme), ["contact.opt_in_requested"])
          yield* confirm
          assert.strictEqual((yield* acme.ask("GET", "/contacts")).body.data[0].subscription, "subscribed")
        })
      )

      it.effect("topics are pending until they are confirmed, and who confirms takes no other", () =>
        Effect.gen(function* () {
          const acme = yield* askingProject()
          for (const key of ["news", "offers"]) {
            const made = yield* acme.ask("POST", "/topics", { key, name: key, defaultSubscription: "subscribed" })
            assert.strictEqual(made.status, 201, JSON.stringify(made.body))
          }
          const { body } = yield* acme.ask("POST", "/contacts", {
            email: "ada@example.com",
            subscribed: true,
            topics: { news: "subscribed" }
          })
          assert.deepInclude(body, { subscription: "pending", topics: { news: "pending" } })
          const [mail] = yield* mailsOf(acme)
          assert.include(mail?.text, "Topics: news")
          const path = yield* linkOf(acme)
          assert.include((yield* visit(path)).text, "news")
          yield* submit(path, { confirm: "1" })
          const after = yield* acme.ask("GET", `/contacts/${body.id}`)
          assert.deepInclude(after.body, {
            subscription: "subscribed",
            topics: { news: "subscribed", offers: "unsubscribed" }
          })
          const records = yield* SqlClient.SqlClient.use(
            (sql) => sql`
              select action, topic_key as topic, source, actor from consents where project_id = ${acme.project}
              order by recorded_at, id`
          )
          assert.sameDeepMembers(
            records.map((record) => ({ ...record })),
            [
              { action: "requested", topic: null, source: "api", actor: "key" },
              { action: "requested", topic: "news", source: "api", actor: "key" },
              { action: "granted", topic: null, source: "double_opt_in", actor: "recipient" },
              { action: "granted", topic: "news", source: "double_opt_in", actor: "recipient" }
            ]
          )
        })
      )

      it.effect(
        "a confirmation is recorded with who confirmed, as far as the settings keep it, and redirects once",
        () =>
          Effect.gen(function* () {
            const acme = yield* askingProject({ redirectUrl: "https://acme.example/welcome" })
            yield* acme.ask("POST", "/topics", { name: "News", key: "news", defaultSubscription: "subscribed" })
            const send = (path: string, says: string, agent: string) =>
              visit(path, {
                method: "POST",
                redirect: "manual",
                headers: { "user-agent": agent },
                body: new URLSearchParams({ [says]: "1" })
              })
            const agents = SqlClient.SqlClient.use((sql) =>
              Effect.map(
                sql`
                select action, user_agent as agent from consents where project_id = ${acme.project}
                  and topic_id is null order by recorded_at, id`,
                (rows) => rows.map(({ action, agent }) => `${action} ${agent}`)
              )
            )
            const at = DateTime.formatIso(DateTime.subtract(yield* DateTime.now, { days: 1 }))
            const ask = (email: string) =>
              acme.ask("POST", "/contacts", {
                email,
                subscribed: true,
                topics: { news: "subscribed" },
                consent: { userAgent: "Signer", at }
              })
            const stored = SqlClient.SqlClient.use(
              (sql) => sql`select proof from opt_ins where project_id = ${acme.project} and status = 'PENDING'`
            )
            yield* ask("off@example.com")
            assert.notInclude(JSON.stringify(yield* stored), "Signer")
            yield* send(yield* linkOf(acme), "confirm", "Confirmer")
            yield* acme.ask("PATCH", "/settings/audience", { consent: { userAgent: true } })
            yield* TestClock.adjust("1 minute")
            yield* ask("ada@example.com")
            const path = yield* linkOf(acme)
            const first = yield* send(path, "confirm", "Confirmer")
            assert.deepStrictEqual([first.status, first.headers.get("location")], [303, "https://acme.example/welcome"])
            const again = yield* send(path, "confirm", "Other")
            assert.strictEqual(again.status, 200)
            assert.include(again.text, optInWords.en.confirmed.title)
            yield* TestClock.adjust("1 minute")
            yield* ask("eve@example.com")
            yield* send(yield* linkOf(acme), "decline", "Owner")
            assert.deepStrictEqual(yield* agents, [
              "requested null",
              "granted null",
              "requested Signer",
              "granted Confirmer",
              "requested Signer",
              "declined Owner"
            ])
            const { body: requests } = yield* acme.ask("GET", "/consents?action=requested")
            for (const requested of requests.data) assert.strictEqual(requested.at, at)
            assert.deepStrictEqual((yield* eventNames(acme)).slice(1, 4), [
              "contact.confirmed",
              "contact.subscribed",
              "topic.news.subscribed"
            ])
          })
      )

      it.effect("the page of a confirmation has the name, colour and links of the project", () =>
        Effect.gen(function* () {
          const acme = yield* askingProject()
          yield* acme.ask("PATCH", "/settings/audience", {
            pages: { name: "Acme & Co", color: "#1f5eff", privacyUrl: "https://acme.example/privacy" }
          })
          yield* acme.ask("POST", "/contacts", { email: "ada@example.com", subscribed: true })
          const path = yield* linkOf(acme)
          for (const page of [yield* visit(path), yield* submit(path, { confirm: "1" })]) {
            for (const part of ["Acme &amp; Co", "/pages.css?accent=1f5eff", "https://acme.example/privacy"]) {
              assert.include(page.text, part)
            }
          }
        })
      )

      it.effect("parallel confirmations have one effect", () =>
        Effect.gen(function* () {
          const acme = yield* askingProject()
          yield* acme.ask("POST", "/contacts", { email: "ada@example.com", subscribed: true })
          const path = yield* linkOf(acme)
          const pages = yield* Effect.all(
            Array.from({ length: 8 }, () => submit(path, { confirm: "1" })),
            { concurrency: "unbounded" }
          )
          for (const { text } of pages) assert.include(text, optInWords.en.confirmed.title)
          assert.deepStrictEqual(yield* eventNames(acme), [
            "contact.opt_in_requested",
            "contact.confirmed",
            "contact.subscribed"
          ])
        })
      )

      it.effect("a link does nothing after its time, and says to sign up again", () =>
        Effect.gen(function* () {
          const acme = yield* askingProject()
          const { body } = yield* acme.ask("POST", "/contacts", { email: "ada@example.com", subscribed: true })
          const path = yield* linkOf(acme)
          yield* TestClock.adjust("7 days")
          yield* TestClock.adjust("1 second")
          assert.include((yield* submit(path, { confirm: "1" })).text, optInWords.en.ended.title)
          assert.deepInclude((yield* acme.ask("GET", `/contacts/${body.id}`)).body, {
            subscribed: false,
            subscription: "unsubscribed"
          })
          yield* advance
          yield* advance
          assert.deepStrictEqual(yield* eventNames(acme), ["contact.opt_in_requested", "contact.opt_in_expired"])
          assert.include((yield* visit(path)).text, optInWords.en.ended.title)
          const [record] = (yield* acme.ask("GET", `/contacts/${body.id}/opt-ins`)).body
          assert.strictEqual(record.status, "EXPIRED")
        })
      )

      it.effect("who says it was not them is not asked again, and a contact of the request is deleted", () =>
        Effect.gen(function* () {
          const acme = yield* askingProject()
          const made = yield* acme.ask("POST", "/contacts", { email: "eve@example.com", subscribed: true })
          const path = yield* linkOf(acme)
          assert.include((yield* submit(path, { decline: "1" })).text, optInWords.en.declined.title)
          assert.strictEqual((yield* acme.ask("GET", `/contacts/${made.body.id}`)).status, 404)
          assert.include((yield* submit(path, { confirm: "1" })).text, optInWords.en.declined.title)
          const { body: list } = yield* acme.ask("GET", "/opt-ins?status=DECLINED")
          assert.deepInclude(list.data[0], { email: null, contactId: null, status: "DECLINED" })
          yield* TestClock.adjust("31 days")
          const again = yield* acme.track({ email: "eve@example.com", event: "signed_up", subscribed: true })
          assert.strictEqual(again.status, 200)
          assert.strictEqual((yield* mailsOf(acme)).length, 1)
          yield* TestClock.adjust("335 days")
          yield* acme.track({ email: "eve@example.com", event: "signed_up", subscribed: true })
          assert.strictEqual((yield* mailsOf(acme)).length, 2)
          const rows = yield* SqlClient.SqlClient.use(
            (sql) => sql`select email from opt_ins where project_id = ${acme.project} and status = 'DECLINED'`
          )
          assert.notInclude(JSON.stringify(rows), "eve@")
        })
      )

      it.effect("unsubscribing, deleting, another address and a call end an open opt-in with its waiting mail", () =>
        Effect.gen(function* () {
          for (const end of [
            (acme: Acme, id: string) => acme.ask("PATCH", `/contacts/${id}`, { subscribed: false }),
            (acme: Acme, _: string) => acme.ask("POST", "/contacts", { email: "ada@example.com", subscribed: false }),
            (acme: Acme, id: string) => acme.ask("PATCH", `/contacts/${id}`, { email: "other@example.com" }),
            (acme: Acme, id: string) => acme.ask("DELETE", `/contacts/${id}/opt-in`),
            (acme: Acme, id: string) => acme.ask("DELETE", `/contacts/${id}`)
          ]) {
            const acme = yield* askingProject()
            const { body } = yield* acme.ask("POST", "/contacts", { email: "ada@example.com", subscribed: true })
            const path = yield* linkOf(acme)
            const { status } = yield* end(acme, body.id)
            assert.isBelow(status, 300)
            assert.strictEqual((yield* mailsOf(acme))[0]?.status, "CANCELLED")
            const { body: list } = yield* acme.ask("GET", "/opt-ins")
            assert.strictEqual(list.data[0].status, "CANCELLED")
            yield* submit(path, { confirm: "1" })
            const contact = yield* acme.ask("GET", `/contacts/${body.id}`)
            if (contact.status === 200) assert.strictEqual(contact.body.subscription, "unsubscribed")
            assert.notInclude(yield* eventNames(acme), "contact.confirmed")
            assert.strictEqual((yield* acme.ask("DELETE", `/contacts/${body.id}/opt-in`)).status, 404)
          }
        })
      )

      it.effect.each(Object.keys(noes))("who says no to a topic by %s keeps it off when it confirms later", (way) =>
        Effect.gen(function* () {
          const acme = yield* askingProject()
          for (const key of ["news", "tips"]) {
            yield* acme.ask("POST", "/topics", { name: key, key, defaultSubscription: "subscribed" })
          }
          const asked = yield* acme.ask("POST", "/contacts", {
            email,
            subscribed: true,
            topics: { news: "subscribed", tips: "subscribed" }
          })
          const { id, topics } = asked.body
          assert.deepStrictEqual(topics, { news: "pending", tips: "pending" })
          const now = Effect.map(acme.ask("GET", `/contacts/${id}`), ({ body }) => [body.subscription, body.topics])
          const leave = noes[way] ?? assert.fail()
          yield* leave(acme, id, "news")
          assert.deepStrictEqual(yield* now, ["pending", { news: "unsubscribed", tips: "pending" }])
          const open = (yield* acme.ask("GET", `/contacts/${id}/opt-ins`)).body
          assert.deepStrictEqual([open[0].status, open[0].topics], ["PENDING", ["tips"]])
          const link = yield* linkOf(acme)
          assert.notInclude((yield* visit(link)).text, "news")
          yield* submit(link, { confirm: "1" })
          assert.deepStrictEqual(yield* now, ["subscribed", { news: "unsubscribed", tips: "subscribed" }])
        })
      )

      it.effect("who says no to all topics that it was asked for is asked for nothing any more", () =>
        Effect.gen(function* () {
          const acme = yield* askingProject()
          yield* acme.ask("POST", "/topics", { name: "News", key: "news", defaultSubscription: "subscribed" })
          const { body } = yield* acme.ask("POST", "/contacts", {
            email,
            subscribed: true,
            topics: { news: "subscribed" }
          })
          const link = yield* linkOf(acme)
          yield* noes["the preference page"]?.(acme, body.id, "news") ?? assert.fail()
          const [ended] = (yield* acme.ask("GET", `/contacts/${body.id}/opt-ins`)).body
          assert.deepStrictEqual([ended.status, ended.topics], ["CANCELLED", ["news"]])
          assert.deepStrictEqual(
            (yield* mailsOf(acme)).map(({ status }) => status),
            ["CANCELLED"]
          )
          assert.include((yield* submit(link, { confirm: "1" })).text, optInWords.en.ended.title)
          const { body: contact } = yield* acme.ask("GET", `/contacts/${body.id}`)
          assert.deepStrictEqual([contact.subscription, contact.topics], ["unsubscribed", { news: "unsubscribed" }])
        })
      )

      it.effect("a call can ask a contact; what is asked again is joined, and the limits of mails hold", () =>
        Effect.gen(function* () {
          const acme = yield* askingProject({ mode: "off", redirectUrl: "https://acme.example/thanks?a=1" })
          const { body: ada } = yield* acme.ask("POST", "/contacts", { email: "ada@example.com", subscribed: false })
          const ask = (body: object = {}) => acme.ask("POST", `/contacts/${ada.id}/opt-in`, body)
          assert.deepInclude((yield* ask({ subscribe: false })).body.error.errors[0], {
            field: "topics",
            code: "required"
          })
          const first = yield* ask()
          assert.strictEqual(first.status, 202)
          assert.deepInclude(first.body, { status: "PENDING", mailsSent: 1, subscribe: true })
          const limited = yield* ask()
          assert.strictEqual(limited.status, 429)
          assert.strictEqual(limited.headers.get("retry-after"), "60")
          for (let n = 1; n < 10; n++) {
            yield* TestClock.adjust("1 minute")
            const again = yield* ask()
            assert.strictEqual(again.status, 202, JSON.stringify(again.body))
            assert.strictEqual(again.body.id, first.body.id)
          }
          yield* TestClock.adjust("1 hour")
          assert.strictEqual((yield* ask()).status, 429)
          assert.strictEqual((yield* mailsOf(acme)).length, 10)
          // A write never fails because of the limits.
          const written = yield* acme.ask("PATCH", `/contacts/${ada.id}`, { subscribed: true, doubleOptIn: true })
          assert.deepInclude(written.body.optIn, { id: first.body.id, mail: "limited" })

          const path = yield* linkOf(acme)
          const done = yield* submit(path, { confirm: "1" })
          assert.strictEqual(done.status, 303)
          assert.strictEqual(done.headers.get("location"), "https://acme.example/thanks?a=1")
          assert.include(
            (yield* visit(path)).headers.get("content-security-policy"),
            "form-action 'self' https://acme.example;"
          )
          assert.strictEqual((yield* ask()).body.error.details.reason, "already_confirmed")
        })
      )

      it.effect("a project without a sender cannot ask, and stores nothing", () =>
        Effect.gen(function* () {
          const plain = yield* freshProject
          const { status, body } = yield* plain.ask("POST", "/contacts", {
            email: "ada@example.com",
            subscribed: true,
            doubleOptIn: true
          })
          assert.strictEqual(status, 422)
          assert.deepInclude(body.error.errors[0], { field: "doubleOptIn", code: "custom" })
          assert.strictEqual((yield* plain.ask("GET", "/contacts")).body.total, 0)
          const { body: ada } = yield* plain.ask("POST", "/contacts", { email: "ada@example.com", subscribed: false })
          assert.strictEqual((yield* plain.ask("POST", `/contacts/${ada.id}/opt-in`, {})).status, 422)
        })
      )

      it.effect("a project asks at most a million contacts at a time", () =>
        Effect.gen(function* () {
          const acme = yield* askingProject()
          yield* acme.ask("POST", "/contacts", { email: "ada@example.com", subscribed: true })
          const sql = yield* SqlClient.SqlClient
          yield* sql`
            insert into row_counts (project_id, relation, key, count)
            values (${acme.project}, 'opt_ins', '{open}', 999999)`
          const refused = yield* acme.ask("POST", "/contacts", { email: "bob@example.com", subscribed: true })
          assert.deepInclude(refused.body.error.errors[0], { field: "doubleOptIn", code: "too_big" })
          assert.lengthOf((yield* acme.ask("GET", "/contacts?email=bob@example.com")).body.data, 0)
          // Who is asked already may be asked again.
          const again = yield* acme.ask("POST", "/contacts", { email: "ada@example.com", subscribed: true })
          assert.strictEqual(again.body.subscription, "pending")
          yield* acme.ask("POST", "/contacts", { email: "ada@example.com", subscribed: false })
          const asked = yield* acme.ask("POST", "/contacts", { email: "bob@example.com", subscribed: true })
          assert.strictEqual(asked.body.subscription, "pending")
        })
      )

      it.effect("200 public requests for one address give 1 mail in 10 minutes and 3 in a day", () =>
        Effect.gen(function* () {
          const acme = yield* askingProject({ mode: "public" })
          const burst = (count: number) =>
            Effect.all(
              Array.from({ length: count }, () =>
                acme.track({ email: "ada@example.com", event: "signed_up", subscribed: true })
              ),
              { concurrency: 10 }
            )
          for (let n = 0; n < 8; n++) {
            const answers = yield* burst(25)
            assert.deepStrictEqual([...new Set(answers.map(({ status }) => status))], [200])
            yield* TestClock.adjust("1 minute")
          }
          assert.strictEqual((yield* mailsOf(acme)).length, 1)
          for (let n = 0; n < 5; n++) {
            yield* TestClock.adjust("10 minutes")
            yield* burst(2)
          }
          assert.strictEqual((yield* mailsOf(acme)).length, 3)
          const { body } = yield* acme.ask("GET", "/opt-ins")
          assert.strictEqual(body.data.length, 1)
        })
      )
    }
  )
}
