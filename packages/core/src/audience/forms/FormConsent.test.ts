import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { databases } from "../../testing/Databases.ts"
import { servicesOn } from "../../testing/Services.ts"
import { wireOver } from "../../testing/TestClient.ts"
import { askingProject, eventNames, imported, linkOf, mailsOf, submit as submitPage } from "../optins/OptInsFixture.ts"
import { freshProject, type TestProject } from "../segments/SegmentsFixture.ts"
import { from, newForm, postJson, submit, ticketOf } from "./FormsFixture.ts"

const contactOf = ({ ask }: TestProject, email: string) =>
  Effect.map(ask("GET", `/contacts?email=${encodeURIComponent(email)}`), ({ body }) => body.data[0])

const countsOf = ({ ask }: TestProject, { id }: { readonly id: string }) =>
  Effect.map(ask("GET", `/forms/${id}`), ({ body }) => [body.submissionCount, body.confirmedCount, body.spamCount])

const newTopic = Effect.fnUntraced(function* ({ ask }: TestProject, name: string, more: object = {}) {
  const { status, body } = yield* ask("POST", "/topics", { name, defaultSubscription: "unsubscribed", ...more })
  assert.strictEqual(status, 201, JSON.stringify(body))
  return body as { readonly id: string; readonly key: string }
})

const records = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      action: Schema.String,
      topic: Schema.NullOr(Schema.String),
      source: Schema.String,
      actor: Schema.String,
      form: Schema.NullOr(Schema.String),
      version: Schema.NullOr(Schema.Int),
      language: Schema.NullOr(Schema.String),
      text: Schema.NullOr(Schema.String),
      ip: Schema.NullOr(Schema.String)
    })
  )
)

const consentsOf = ({ project }: TestProject) =>
  SqlClient.SqlClient.use((sql) =>
    Effect.flatMap(
      sql`
        select action, topic_key as topic, source, actor, form_id as form, form_version as version,
               wording_language as language, wordings.text, ip
        from consents left join consent_wordings as wordings
          on wordings.project_id = consents.project_id and wordings.hash = consents.wording_hash
        where consents.project_id = ${project} order by recorded_at, topic_key nulls first, consents.id`,
      records
    )
  ).pipe(Effect.orDie)

/** Off by default, with a sender, so that a form can ask. */
const quietProject = askingProject({ mode: "off" })

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "120 seconds", excludeTestServices: false })(
    `Consent by forms, on ${name}`,
    (it) => {
      it.effect("a submission takes the topics of the form and those that were ticked, and leaves the rest", () =>
        Effect.gen(function* () {
          const own = yield* freshProject
          yield* newTopic(own, "News")
          yield* newTopic(own, "Offers")
          yield* newTopic(own, "Tips", { defaultSubscription: "subscribed" })
          yield* newTopic(own, "Secret", { visibility: "private" })
          const refused = yield* own.ask("POST", "/forms", {
            name: "x",
            topics: [
              { key: "secret", mode: "always" },
              { key: "news", mode: "always" },
              { key: "news", mode: "choice" }
            ]
          })
          assert.deepStrictEqual(
            refused.body.error.errors.map(({ field }: { field: string }) => field),
            ["topics.0.key", "topics.2.key"]
          )
          const form = yield* newForm(own, {
            topics: [
              { key: "news", mode: "always" },
              { key: "offers", mode: "choice" }
            ]
          })
          assert.strictEqual(
            (yield* submit(form, { email: "ada@example.com", topics: ["tips", "secret"] })).status,
            200
          )
          const ada = yield* contactOf(own, "ada@example.com")
          assert.deepInclude(ada, { subscribed: true, topics: { news: "subscribed", tips: "unsubscribed" } })
          yield* submit(form, { email: "bob@example.com", topics: ["offers"] })
          const bob = yield* contactOf(own, "bob@example.com")
          assert.deepInclude(bob.topics, { news: "subscribed", offers: "subscribed" })
          const events = yield* eventNames(own)
          assert.deepStrictEqual(events.slice(0, 3).toSorted(), [
            "contact.subscribed",
            "form.newsletter.submitted",
            "topic.news.subscribed"
          ])
          const { body: news } = yield* own.ask("GET", "/topics/news/usage")
          assert.deepInclude(news, { forms: [{ id: form.id, name: "Newsletter" }], canDelete: false })
          yield* own.ask("PATCH", "/topics/offers", { archived: true })
          yield* submit(form, { email: "cid@example.com", topics: ["offers"] })
          assert.deepStrictEqual((yield* contactOf(own, "cid@example.com")).topics, {
            news: "subscribed",
            tips: "unsubscribed"
          })
        })
      )

      it.effect("records the consent with the texts that were shown, also after the form was changed", () =>
        Effect.gen(function* () {
          const own = yield* freshProject
          yield* own.ask("PATCH", "/settings/audience", { consent: { ip: "truncated", userAgent: true } })
          yield* newTopic(own, "News", { description: "Once a month.", translations: { de: { name: "Neues" } } })
          const form = yield* newForm(own, {
            topics: [{ key: "news", mode: "always" }],
            texts: { title: "First", consentText: "I agree to 1." },
            translations: { de: { title: "Erstens" } }
          })
          const ticket = yield* ticketOf(form)
          const german = yield* ticketOf(form, "de")
          yield* own.ask("PATCH", `/forms/${form.id}`, { texts: { title: "Second", consentText: "I agree to 2." } })
          yield* postJson(form, { email: "ada@example.com", ticket }, from("203.0.113.77"))
          yield* TestClock.adjust("1 second")
          yield* postJson(form, { email: "bob@example.com", ticket: german })
          yield* TestClock.adjust("1 second")
          yield* submit(form, { email: "cid@example.com" })
          const shared = { action: "granted", source: "form", actor: "recipient", form: form.id }
          const found = yield* consentsOf(own)
          assert.deepStrictEqual(
            found.map(({ version, language, topic, text }) => [version, language, topic, text]),
            [
              [1, "en", null, "First\nNews: Once a month.\nI agree to 1.\nSubscribe"],
              [1, "en", "news", "First\nNews: Once a month.\nI agree to 1.\nSubscribe"],
              [1, "de", null, "Erstens\nNeues\nI agree to 1.\nAbonnieren"],
              [1, "de", "news", "Erstens\nNeues\nI agree to 1.\nAbonnieren"],
              [2, "en", null, "Second\nNews: Once a month.\nI agree to 2.\nSubscribe"],
              [2, "en", "news", "Second\nNews: Once a month.\nI agree to 2.\nSubscribe"]
            ]
          )
          for (const each of found) assert.deepInclude(each, shared)
          assert.deepStrictEqual(
            found.map(({ ip }) => ip),
            ["203.0.113.0", "203.0.113.0", null, null, null, null]
          )
        })
      )

      it.effect("the chain of one address has every step, with the wording of the form as it was then", () =>
        Effect.gen(function* () {
          const own = yield* askingProject({ mode: "public" })
          const form = yield* newForm(own, { texts: { title: "First", consentText: "I agree to 1." } })
          const email = "ada@example.com"
          const minute = TestClock.adjust("11 minutes")
          const confirmed = Effect.flatMap(linkOf(own), (path) => submitPage(path, { confirm: "1" }))
          yield* submit(form, { email })
          yield* minute
          yield* confirmed
          yield* minute
          const ada = yield* contactOf(own, email)
          const { body: links } = yield* own.ask("GET", `/contacts/${ada.id}/links`)
          yield* submitPage(new URL(links.unsubscribeUrl).pathname, { "List-Unsubscribe": "One-Click" })
          yield* minute
          const evidence = JSON.stringify({ basis: "contract", wording: "On paper." })
          yield* imported(own, `email,subscribed\n${email},true\n`, { consent: evidence })
          yield* minute
          yield* submitPage(new URL(links.manageUrl).pathname, { subscribed: "false" })
          yield* minute
          yield* own.ask("PATCH", `/forms/${form.id}`, { texts: { title: "Second", consentText: "I agree to 2." } })
          yield* submit(form, { email })
          yield* minute
          yield* confirmed
          const [first, second] = ["First\nI agree to 1.\nSubscribe", "Second\nI agree to 2.\nSubscribe"]
          assert.deepStrictEqual(
            (yield* consentsOf(own)).map(({ action, source, actor, version, text }) => [
              action,
              source,
              actor,
              version,
              source === "one_click" || source === "page" ? null : text
            ]),
            [
              ["requested", "form", "recipient", 1, first],
              ["granted", "double_opt_in", "recipient", 1, first],
              ["withdrawn", "one_click", "recipient", null, null],
              ["granted", "import", "service", null, "On paper."],
              ["withdrawn", "page", "recipient", null, null],
              ["requested", "form", "recipient", 2, second],
              ["granted", "double_opt_in", "recipient", 2, second]
            ]
          )
        })
      )

      it.effect("where a confirmation is due, the contact and its values wait for it", () =>
        Effect.gen(function* () {
          const own = yield* askingProject({ mode: "public" })
          const form = yield* newForm(own, {
            fields: [{ key: "plan", label: "Plan" }],
            confirmedRedirectUrl: "https://shop.example/welcome"
          })
          yield* own.ask("POST", "/contacts", { email: "bob@example.com", subscribed: false, data: { plan: "pro" } })
          for (const email of ["ada@example.com", "bob@example.com"]) {
            const answer = yield* submit(form, { email, plan: "free" })
            assert.strictEqual(answer.json.data.status, "received")
            const before = yield* contactOf(own, email)
            assert.deepInclude(before, {
              subscribed: false,
              subscription: "pending",
              data: email === "bob@example.com" ? { plan: "pro" } : {}
            })
            const path = yield* linkOf(own)
            assert.deepStrictEqual((yield* countsOf(own, form))[1], email === "bob@example.com" ? 1 : 0)
            const confirmed = yield* submitPage(path, { confirm: "1" })
            assert.deepStrictEqual(
              [confirmed.status, confirmed.headers.get("location")],
              [303, "https://shop.example/welcome"]
            )
            assert.deepInclude(yield* contactOf(own, email), {
              subscribed: true,
              data: { plan: email === "bob@example.com" ? "pro" : "free" }
            })
          }
          assert.deepStrictEqual(yield* countsOf(own, form), [2, 2, 0])
          // A form may say that no confirmation is needed.
          const open = yield* newForm(own, { name: "Open", doubleOptIn: false })
          yield* submit(open, { email: "cid@example.com" })
          assert.isTrue((yield* contactOf(own, "cid@example.com")).subscribed)
        })
      )

      it.effect("a form asks for a confirmation as it says, else as the project does", () =>
        Effect.gen(function* () {
          for (const mode of ["off", "public", "all"]) {
            const own = yield* askingProject({ mode })
            for (const doubleOptIn of [null, true, false]) {
              const email = `asked-${doubleOptIn}@example.com`
              yield* submit(yield* newForm(own, { name: `Form ${doubleOptIn}`, doubleOptIn }), { email })
              const isDue = doubleOptIn ?? mode !== "off"
              const { subscription } = yield* contactOf(own, email)
              assert.strictEqual(subscription, isDue ? "pending" : "subscribed", `${mode} ${doubleOptIn}`)
            }
          }
        })
      )

      it.effect("whoever left by an own act comes back by a confirmation only, whatever the form says", () =>
        Effect.gen(function* () {
          const own = yield* quietProject
          const form = yield* newForm(own, { doubleOptIn: false })
          yield* submit(form, { email: "ada@example.com" })
          const ada = yield* contactOf(own, "ada@example.com")
          // The caller's own call is no act of the person.
          yield* own.ask("PATCH", `/contacts/${ada.id}`, { subscribed: false })
          yield* submit(form, { email: "ada@example.com" })
          assert.isTrue((yield* contactOf(own, "ada@example.com")).subscribed)
          const { PublicLinks } = yield* Effect.promise(() => import("../../platform/links/PublicLinks.ts"))
          const token = yield* PublicLinks.use((links) =>
            links.token("unsubscribe", { project: own.project, contact: ada.id, email: null })
          )
          yield* submitPage(`/unsubscribe/${token}`, { "List-Unsubscribe": "One-Click" })
          assert.isFalse((yield* contactOf(own, "ada@example.com")).subscribed)
          assert.strictEqual((yield* submit(form, { email: "ada@example.com" })).status, 200)
          assert.deepInclude(yield* contactOf(own, "ada@example.com"), { subscribed: false, subscription: "pending" })
          yield* submitPage(yield* linkOf(own), { confirm: "1" })
          assert.isTrue((yield* contactOf(own, "ada@example.com")).subscribed)
          // Without a sender for the mail, the submission is stored and the contact stays as it is.
          const silent = yield* freshProject
          yield* SqlClient.SqlClient.use(
            (sql) => sql`
              insert into audience_settings (project_id, settings, updated_at)
              values (${silent.project}, '{"doubleOptIn":{"mode":"public"}}', now())`
          )
          const other = yield* newForm(silent, { fields: [{ key: "plan", label: "Plan" }] })
          assert.strictEqual((yield* submit(other, { email: "bob@example.com", plan: "free" })).status, 200)
          assert.deepInclude(yield* contactOf(silent, "bob@example.com"), {
            subscribed: false,
            subscription: "unsubscribed",
            data: {}
          })
          assert.deepStrictEqual(yield* countsOf(silent, other), [1, 0, 0])
        })
      )

      it.effect("200 posts for one address send one mail in ten minutes, and the answers are the same", () =>
        Effect.gen(function* () {
          const own = yield* askingProject({ mode: "public" })
          const form = yield* newForm(own, { requireTicket: false })
          yield* own.ask("POST", "/suppressions", { email: "gone@example.com" })
          const answers = new Set<string>()
          for (let n = 0; n < 200; n++) {
            const { status, text } = yield* postJson(form, { email: "ada@example.com" }, from(`10.${n}.0.1`))
            answers.add(`${status} ${text}`)
          }
          assert.lengthOf(yield* mailsOf(own), 1)
          const { status, text } = yield* postJson(form, { email: "gone@example.com" })
          answers.add(`${status} ${text}`)
          assert.lengthOf([...answers], 1)
        })
      )
    }
  )
}
