import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { wire } from "../../testing/TestClient.ts"
import { freshProject } from "../segments/SegmentsFixture.ts"
import { newForm, visit } from "./FormsFixture.ts"
import { formWords } from "./FormWords.ts"

/** Fields with a fault, and its code. */
const faults = (body: { readonly error: { readonly errors: ReadonlyArray<{ field: string; code: string }> } }) =>
  body.error.errors.map(({ field, code }) => `${field} ${code}`)

layer(wire, { timeout: "120 seconds", excludeTestServices: false })("forms", (it) => {
  it.effect("have defaults, a key from their name and a public id of 22 characters", () =>
    Effect.gen(function* () {
      const own = yield* freshProject
      const { path: _, ...form } = yield* newForm(own, { name: "Spring sale: 10 %" })
      const { id, publicId, createdAt, updatedAt, ...rest } = form
      assert.match(publicId, /^[\w-]{22}$/)
      assert.deepStrictEqual(rest, {
        projectId: own.project,
        key: "spring-sale-10",
        name: "Spring sale: 10 %",
        enabled: true,
        version: 1,
        fields: [],
        subscribe: true,
        topics: [],
        segmentIds: [],
        doubleOptIn: null,
        texts: { title: null, description: null, button: null, success: null, consentText: null },
        translations: {},
        consentRequired: false,
        redirectUrl: null,
        confirmedRedirectUrl: null,
        allowedOrigins: [],
        requireTicket: true,
        submissionCount: 0,
        confirmedCount: 0,
        spamCount: 0
      })
      assert.strictEqual(createdAt, updatedAt)
      assert.deepStrictEqual((yield* own.ask("GET", `/forms/${id}`)).body, form)
      const second = yield* newForm(own, { name: "Spring sale: 10 %" })
      assert.strictEqual(second.key, "spring-sale-10-2")
      assert.strictEqual((yield* newForm(own, { name: "東京" })).key, "form")
      const { body: all } = yield* own.ask("GET", "/forms")
      assert.lengthOf(all, 3)
      assert.strictEqual(yield* own.outcome("POST", "/forms", { name: "x", key: "form" }), "409 key_taken")
    })
  )

  it.effect("a version is new only where something else is shown", () =>
    Effect.gen(function* () {
      const own = yield* freshProject
      const { id } = yield* newForm(own)
      const change = (body: object) => Effect.map(own.ask("PATCH", `/forms/${id}`, body), (answer) => answer.body)
      assert.strictEqual((yield* change({ enabled: false, redirectUrl: "https://a.example" })).version, 1)
      assert.strictEqual((yield* change({ texts: { title: "Hello" } })).version, 2)
      assert.strictEqual((yield* change({ texts: { title: "Hello" } })).version, 2)
      assert.strictEqual((yield* change({ fields: [{ key: "plan", label: "Plan" }] })).version, 3)
      const translated = { translations: { de: { title: "Hallo" }, "pt-BR": { button: "Enviar" } } }
      assert.strictEqual((yield* change(translated)).version, 4)
      assert.strictEqual((yield* change(translated)).version, 4)
      const whole = yield* change({ name: "Other" })
      assert.deepInclude(whole, { version: 5, enabled: false, redirectUrl: "https://a.example" })
      const defaults = yield* change({
        enabled: null,
        redirectUrl: null,
        fields: null,
        texts: null,
        translations: null
      })
      assert.deepInclude(defaults, { enabled: true, redirectUrl: null, fields: [], translations: {} })
      const sql = yield* SqlClient.SqlClient
      const versions = yield* sql`select version from form_versions where form_id = ${id} order by version`
      assert.deepStrictEqual(
        versions.map(({ version }) => version),
        [1, 2, 3, 4, 5, 6]
      )
      // Two reads of one record: the second change is refused.
      const stale = { name: "Third", ifUpdatedAt: whole.updatedAt }
      assert.strictEqual(yield* own.outcome("PATCH", `/forms/${id}`, stale), "409 changed_meanwhile")
      assert.strictEqual(yield* own.outcome("PATCH", `/forms/${id}`, { key: "other" }), "422 VALIDATION_ERROR")
    })
  )

  it.effect("refuse what could not work, each fault at its field", () =>
    Effect.gen(function* () {
      const own = yield* freshProject
      const field = { key: "plan", label: "Plan" }
      const refused = (body: object) =>
        Effect.map(own.ask("POST", "/forms", { name: "x", ...body }), ({ status, body }) => [status, ...faults(body)])
      const cases: ReadonlyArray<readonly [object, string]> = [
        [{ name: "" }, "name required"],
        [{ key: "Upper" }, "key invalid_string"],
        [{ fields: [{ ...field, key: "ticket" }] }, "fields.0.key custom"],
        [{ fields: [{ ...field, key: "__proto__" }] }, "fields.0.key custom"],
        [{ fields: [{ ...field, key: "unsubscribeUrl" }] }, "fields.0.key custom"],
        [{ fields: [field, field] }, "fields.1.key custom"],
        [{ fields: [{ ...field, type: "file" }] }, "fields.0.type invalid_enum"],
        [{ fields: [{ ...field, type: "select" }] }, "fields.0.options required"],
        [{ fields: [{ ...field, type: "select", options: ["a", "a"] }] }, "fields.0.options custom"],
        [{ fields: Array.from({ length: 21 }, (_, n) => ({ key: `f${n}`, label: "x" })) }, "fields too_big"],
        [{ redirectUrl: "http://a.example" }, "redirectUrl invalid_string"],
        [{ redirectUrl: "javascript:alert(1)" }, "redirectUrl invalid_string"],
        [{ allowedOrigins: ["https://a.example/"] }, "allowedOrigins.0 invalid_string"],
        [{ texts: { consentText: "x".repeat(4001) } }, "texts.consentText too_big"],
        [{ translations: { German: { title: "x" } } }, "translations.German invalid_string"],
        [{ consentRequired: true }, "texts.consentText required"],
        [{ doubleOptIn: true }, "doubleOptIn custom"],
        [{ segmentIds: ["019a9f3c-5e1d-7a40-8f21-0c6b1d2e3f03"] }, "segmentIds.0 custom"],
        [{ topics: [{ key: "nothing", mode: "always" }] }, "topics.0.key custom"]
      ]
      for (const [body, fault] of cases)
        assert.deepStrictEqual(yield* refused(body), [422, fault], JSON.stringify(body))
      const { body: dynamic } = yield* own.ask("POST", "/segments", {
        name: "Pro",
        condition: { groups: [{ filters: [{ field: "data.plan", operator: "equals", value: "pro" }] }] }
      })
      assert.deepStrictEqual(yield* refused({ segmentIds: [dynamic.id] }), [422, "segmentIds.0 custom"])
      assert.deepStrictEqual((yield* own.ask("GET", "/forms")).body, [])
    })
  )

  it.effect("a project has 50 of them, and a segment that one joins cannot be deleted", () =>
    Effect.gen(function* () {
      const own = yield* freshProject
      const { body: segment } = yield* own.ask("POST", "/segments", { name: "Readers", type: "STATIC" })
      const form = yield* newForm(own, { segmentIds: [segment.id] })
      const refused = yield* own.ask("DELETE", `/segments/${segment.id}`)
      assert.strictEqual(refused.status, 409)
      assert.deepStrictEqual(refused.body.error.details.forms, [{ id: form.id, name: "Newsletter" }])
      yield* own.ask("PATCH", `/forms/${form.id}`, { segmentIds: [] })
      assert.strictEqual((yield* own.ask("DELETE", `/segments/${segment.id}`)).status, 204)
      const statuses = yield* Effect.forEach(
        Array.from({ length: 52 }, (_, n) => n),
        (n) => Effect.map(own.ask("POST", "/forms", { name: `Form ${n}` }), ({ status }) => status),
        { concurrency: 8 }
      )
      assert.strictEqual(statuses.filter((status) => status === 201).length, 49)
      assert.strictEqual(statuses.filter((status) => status === 422).length, 3)
    })
  )

  it.effect("leave entries in the audit log, without what they ask", () =>
    Effect.gen(function* () {
      const own = yield* freshProject
      const { id } = yield* newForm(own)
      yield* own.ask("PATCH", `/forms/${id}`, { name: "Other" })
      yield* own.ask("PATCH", `/forms/${id}`, { name: "Other" })
      assert.strictEqual((yield* own.ask("DELETE", `/forms/${id}`)).status, 204)
      assert.strictEqual((yield* own.ask("DELETE", `/forms/${id}`)).body.error.details.resource, "form")
      const sql = yield* SqlClient.SqlClient
      const entries = yield* sql`
        select action, details from audit_log where project_id = ${own.project} and action like 'form.%' order by action`
      const details = { formId: id, key: "newsletter" }
      assert.deepStrictEqual(entries, [
        { action: "form.changed", details },
        { action: "form.created", details },
        { action: "form.deleted", details }
      ])
      for (const table of ["forms", "form_versions", "form_counts"]) {
        assert.deepStrictEqual(yield* sql`select 1 from ${sql(table)} where project_id = ${own.project}`, [])
      }
    })
  )

  it.effect("the snippet is a form with its fields, escaped, and a script", () =>
    Effect.gen(function* () {
      const own = yield* freshProject
      const form = yield* newForm(own, {
        fields: [
          { key: 'a"b', label: "<b>Name</b>", required: true, maxLength: 30 },
          { key: "size", label: "Size", type: "select", options: ["S", "M"] }
        ],
        texts: { title: "News & more", consentText: "I agree." },
        consentRequired: true
      })
      const { body } = yield* own.ask("GET", `/forms/${form.id}/snippet`)
      assert.include(body.html, `<form action="https://posthorn.example/f/${form.publicId}" method="post"`)
      assert.include(body.html, '&lt;b&gt;Name&lt;/b&gt; <input type="text" name="a&quot;b" maxlength="30" required>')
      assert.include(body.html, "News &amp; more")
      assert.include(body.html, 'name="website" tabindex="-1"')
      assert.strictEqual(
        body.script,
        `<script src="https://posthorn.example/forms.js" data-form="${form.publicId}" async></script>`
      )
    })
  )

  it.effect("the definition speaks the language that is asked for, then the form's own", () =>
    Effect.gen(function* () {
      const own = yield* freshProject
      const form = yield* newForm(own, {
        texts: { title: "Letter", description: "Monthly." },
        translations: { de: { title: "Brief" }, sv: { title: "Brev", button: "Skicka" } }
      })
      const read = (lang: string) => Effect.map(visit(`${form.path}/definition?lang=${lang}`), ({ json }) => json)
      const texts = (lang: string) => Effect.map(read(lang), ({ texts }) => texts)
      assert.deepStrictEqual(yield* texts("de-AT"), {
        title: "Brief",
        description: "Monthly.",
        button: "Abonnieren",
        success: formWords.de.done.text,
        consentText: null
      })
      assert.deepInclude(yield* texts("sv"), { title: "Brev", button: "Skicka" })
      assert.deepInclude(yield* texts("fr"), { title: "Letter", button: "S’abonner" })
      assert.deepInclude(yield* texts("%00"), { title: "Letter", button: "Subscribe" })
      const { challenge } = yield* read("en")
      assert.deepStrictEqual(Object.keys(challenge).sort(), [
        "algorithm",
        "challenge",
        "maxnumber",
        "salt",
        "signature"
      ])
      assert.deepStrictEqual([challenge.algorithm, challenge.maxnumber], ["SHA-256", 50_000])
    })
  )

  it.effect("expired tickets are removed, others stay", () =>
    Effect.gen(function* () {
      const { FormSubmissions } = yield* Effect.promise(() => import("./FormSubmissions.ts"))
      const { submit } = yield* Effect.promise(() => import("./FormsFixture.ts"))
      const own = yield* freshProject
      const form = yield* newForm(own)
      const tickets = Effect.map(
        SqlClient.SqlClient.use((sql) => sql`select 1 from form_tickets where project_id = ${own.project}`),
        (rows) => rows.length
      )
      yield* submit(form, { email: "one@example.com" })
      yield* TestClock.adjust("20 minutes")
      yield* submit(form, { email: "two@example.com" })
      yield* TestClock.adjust("11 minutes")
      assert.strictEqual(yield* tickets, 2)
      yield* FormSubmissions.use((forms) => forms.sweep)
      assert.strictEqual(yield* tickets, 1)
    })
  )
})
