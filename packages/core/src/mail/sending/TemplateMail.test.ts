/** Mail made from a template: by its alias, with its text part, in the language of the recipient. */
import { assert, layer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { databases } from "../../testing/Databases.ts"
import { servicesOn, type TestServices } from "../../testing/Services.ts"
import { outcome, send, type Wire, wireOver } from "../../testing/TestClient.ts"

const addDomain = send("POST", "/domains", { domain: "languages.test" })
const from = "hi@languages.test"

const welcome = {
  name: "Welcome",
  subject: "Hello {{name}}",
  body: "<p>Hello</p>",
  text: "Hello & goodbye, {{name}}",
  from,
  type: "TRANSACTIONAL"
}
const translations = {
  de: { subject: "Hallo {{name}}", body: "<p>Hallo, {{date day}}</p>", text: "Servus {{name}}" },
  "pt-BR": { subject: "Oi {{name}}", body: "<p>Oi</p>" }
}

const template = Effect.fnUntraced(function* (body: object) {
  const made = yield* send("POST", "/templates", { ...welcome, ...body })
  assert.strictEqual(made.status, 201, JSON.stringify(made.body))
  return String(made.body.id)
})

/** The stored texts of each mail of a request, with its record. */
const sent = Effect.fnUntraced(function* (body: object) {
  const { status, body: answer } = yield* send("POST", "/v1/send", { to: "ada@example.com", ...body })
  assert.strictEqual(status, 200, JSON.stringify(answer))
  const mails: ReadonlyArray<{ readonly email: string }> = answer.data.emails
  return yield* Effect.forEach(mails, ({ email }) =>
    Effect.gen(function* () {
      const { body: content } = yield* send("GET", `/emails/${email}/content`)
      const { body: record } = yield* send("GET", `/emails/${email}`)
      const { locale, templateVersion } = record
      const { subject, html, text } = content
      return { subject, html, text, locale, templateVersion, id: email, contactId: String(record.contactId) }
    })
  )
})

const one = (body: object) => Effect.map(sent(body), ([mail]) => mail)

const faults = Effect.fnUntraced(function* (method: string, path: string, body: object) {
  const { status, body: answer } = yield* send(method, path, body)
  const errors: ReadonlyArray<{ readonly field: string; readonly code: string }> = answer.error.errors
  return `${status} ${errors.map(({ field, code }) => `${field} ${code}`).join(", ")}`
})

const tests = (name: string, services: Layer.Layer<Wire | TestServices>) =>
  layer(services, { timeout: "60 seconds" })(`Mail from a template on ${name}`, (it) => {
    it.effect("is sent by its alias, after id and templateId", () =>
      Effect.gen(function* () {
        yield* addDomain
        const id = yield* template({ alias: "welcome", subject: "By alias" })
        const other = yield* template({ subject: "By id" })
        assert.deepInclude(yield* one({ templateAlias: "welcome" }), { subject: "By alias", templateVersion: 1 })
        assert.deepInclude(yield* one({ templateAlias: "welcome", templateId: other }), { subject: "By id" })
        assert.deepInclude(yield* one({ templateAlias: "nothing", template: other }), { subject: "By id" })
        const unknown = yield* send("POST", "/v1/send", { to: "ada@example.com", templateAlias: "nothing" })
        assert.deepStrictEqual(
          [unknown.status, unknown.body.error.code, unknown.body.error.details],
          [404, "TEMPLATE_NOT_FOUND", { resource: "template", id: "nothing" }]
        )
        assert.strictEqual(
          yield* faults("POST", "/v1/send", { to: "ada@example.com", templateAlias: "No Alias" }),
          "422 templateAlias invalid_string"
        )
        yield* send("PATCH", `/templates/${id}`, { alias: null })
        assert.strictEqual(
          yield* outcome("POST", "/v1/send", { to: "ada@example.com", templateAlias: "welcome" }),
          "404 TEMPLATE_NOT_FOUND"
        )
      })
    )

    it.effect("an alias that another template has is refused, and nothing is stored", () =>
      Effect.gen(function* () {
        yield* addDomain
        yield* template({ alias: "taken" })
        const other = yield* template({})
        const before = yield* send("GET", "/templates")
        for (const [method, path] of [
          ["POST", "/templates"],
          ["PATCH", `/templates/${other}`]
        ] as const) {
          const { status, body } = yield* send(method, path, { ...welcome, subject: "New", alias: "taken" })
          assert.deepStrictEqual(
            [status, body.error.code, body.error.details],
            [409, "CONFLICT", { reason: "alias_taken" }]
          )
        }
        assert.deepStrictEqual((yield* send("GET", "/templates")).body, before.body)
        assert.strictEqual(yield* faults("POST", "/templates", { ...welcome, alias: "-x" }), "422 alias invalid_string")
        const copy = yield* send("POST", `/templates/${other}/duplicate`)
        assert.isNull(copy.body.alias)
      })
    )

    it.effect("has its text part, unless the request has a body of its own", () =>
      Effect.gen(function* () {
        yield* addDomain
        const id = yield* template({})
        const data = { name: "Tom & Ada" }
        const text = "Hello & goodbye, Tom & Ada"
        assert.deepInclude(yield* one({ template: id, data }), { html: "<p>Hello</p>", text })
        assert.deepInclude(yield* one({ template: id, data, subject: "Mine" }), { subject: "Mine", text })
        assert.deepInclude(yield* one({ template: id, body: "<p>Mine</p>" }), { html: "<p>Mine</p>", text: "Mine" })
        assert.deepInclude(yield* one({ template: id, text: "Mine" }), { html: "<p>Hello</p>", text: "Mine" })
      })
    )

    it.effect("is in the language of the request, else of the contact, else of the project", () =>
      Effect.gen(function* () {
        yield* addDomain
        const id = yield* template({ translations })
        const inLanguage = (body: object) =>
          Effect.map(
            one({ template: id, data: { name: "Ada" }, ...body }),
            (mail) => `${mail?.subject} (${mail?.locale})`
          )
        assert.strictEqual(yield* inLanguage({ locale: "de" }), "Hallo Ada (de)")
        assert.strictEqual(yield* inLanguage({ locale: "de-AT" }), "Hallo Ada (de)")
        assert.strictEqual(yield* inLanguage({ locale: "fr" }), "Hello Ada (en)")
        assert.strictEqual(yield* inLanguage({}), "Hello Ada (en)")
        const data = { name: "Eva", locale: "pt_BR" }
        assert.strictEqual(yield* inLanguage({ to: "eva@example.com", data }), "Oi Eva (pt-BR)")
        assert.strictEqual(
          yield* inLanguage({ to: "eva@example.com", locale: "de", data: { name: "Eva" } }),
          "Hallo Eva (de)"
        )
        assert.strictEqual(yield* inLanguage({ to: "eva@example.com", data: { name: "Eva" } }), "Oi Eva (pt-BR)")
        assert.strictEqual(
          yield* faults("POST", "/v1/send", { to: "a@example.com", template: id, locale: "German!" }),
          "422 locale invalid_string"
        )
      })
    )

    it.effect("is chosen for each recipient of one request, and never mixed", () =>
      Effect.gen(function* () {
        yield* addDomain
        const id = yield* template({ translations })
        yield* send("POST", "/contacts", { email: "kai@example.com", data: { locale: "de-CH" } })
        yield* send("POST", "/contacts", { email: "rui@example.com", data: { locale: "pt-BR" } })
        const mails = yield* sent({
          to: ["kai@example.com", "rui@example.com", "joe@example.com"],
          template: id,
          data: { name: "Du", day: "2026-03-01" }
        })
        assert.deepStrictEqual(
          mails.map(({ subject, html, text, locale }) => [subject, html, text, locale]),
          [
            ["Hallo Du", "<p>Hallo, 01.03.2026</p>", "Servus Du", "de"],
            ["Oi Du", "<p>Oi</p>", "Oi", "pt-BR"],
            ["Hello Du", "<p>Hello</p>", "Hello & goodbye, Du", "en"]
          ]
        )
      })
    )

    it.effect("a locale selects date words and footer, and is not stored on the contact", () =>
      Effect.gen(function* () {
        yield* addDomain
        const id = yield* template({
          body: "<p>{{date day 'MMMM'}}</p>",
          text: null,
          type: "MARKETING",
          translations: null
        })
        const mail = yield* one({
          to: "uwe@example.com",
          template: id,
          locale: "de",
          subscribed: true,
          data: { day: "2026-03-01" }
        })
        assert.include(mail?.html, "<p>März</p>")
        assert.include(mail?.html, "Sie erhalten diese E-Mail")
        assert.isNull(mail?.locale)
        const contact = yield* send("GET", `/contacts/${mail?.contactId}`)
        assert.deepStrictEqual(contact.body.data, { day: "2026-03-01" })
      })
    )

    it.effect("own texts of the request take precedence over every translation", () =>
      Effect.gen(function* () {
        yield* addDomain
        const id = yield* template({ translations })
        const given = { template: id, locale: "de", data: { name: "Ada", day: "2026-03-01" } }
        assert.deepInclude(yield* one({ ...given, subject: "Mine" }), {
          subject: "Mine",
          html: "<p>Hallo, 01.03.2026</p>",
          text: "Servus Ada",
          locale: "de"
        })
        assert.deepInclude(yield* one({ ...given, body: "<p>Mine</p>" }), {
          subject: "Hallo Ada",
          html: "<p>Mine</p>",
          text: "Mine"
        })
      })
    )

    it.effect("translations are checked like all texts, and merged by language", () =>
      Effect.gen(function* () {
        yield* addDomain
        const de = { subject: "Hallo", body: "<p>{{#if}</p>", text: "{{" }
        const post = (given: object) => faults("POST", "/templates", { ...welcome, translations: given })
        assert.strictEqual(
          yield* post({ de }),
          "422 translations.de.body template_syntax, translations.de.text template_syntax"
        )
        assert.strictEqual(
          yield* post({ fr: { body: "<p>Salut</p>", subject: "" } }),
          "422 translations.fr.subject required"
        )
        assert.strictEqual(yield* post({ de: { subject: "Hallo" } }), "422 translations.de.body required")
        assert.strictEqual(yield* post({ "not a tag": translations.de }), "422 translations.not a tag invalid_string")
        const many = Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`de-x-${n}`, translations.de]))
        assert.strictEqual(yield* post(many), "422 translations too_big")
        assert.strictEqual(
          yield* faults("POST", "/templates", { ...welcome, language: "?" }),
          "422 language invalid_string"
        )

        const id = yield* template({ language: "en", translations })
        const path = `/templates/${id}`
        const it = { subject: "Ciao", body: "<p>Ciao</p>", text: null }
        const { body } = yield* send("PATCH", path, { translations: { IT: it, "pt-br": null } })
        assert.deepStrictEqual(body.translations, { de: translations.de, it })
        assert.deepInclude(body, { language: "en", version: 2 })
        const { "de-x-50": _, ...fifty } = many
        assert.strictEqual(yield* faults("PATCH", path, { translations: fifty }), "422 translations too_big")
        const listed = (yield* send("GET", "/templates?pageSize=1")).body.data[0]
        assert.deepStrictEqual(listed.translations, { de: { subject: "Hallo {{name}}" }, it: { subject: "Ciao" } })
        assert.isFalse("text" in listed)
      })
    )

    it.effect("an erased person leaves no language in the record", () =>
      Effect.gen(function* () {
        yield* addDomain
        const id = yield* template({ translations })
        const mail = yield* one({ to: "gone@example.com", template: id, locale: "de" })
        assert.strictEqual(mail?.locale, "de")
        assert.strictEqual(yield* outcome("POST", `/contacts/${mail?.contactId}/erase`), "200 ok")
        assert.deepInclude((yield* send("GET", `/emails/${mail?.id}`)).body, { locale: null, templateVersion: 1 })
      })
    )

    it.effect("its record names the version of the template", () =>
      Effect.gen(function* () {
        yield* addDomain
        const id = yield* template({})
        yield* send("PATCH", `/templates/${id}`, { subject: "Second" })
        assert.deepInclude(yield* one({ template: id }), { subject: "Second", templateVersion: 2 })
        assert.deepInclude(yield* one({ from, subject: "Own", body: "<p>Own</p>" }), {
          templateVersion: null,
          locale: null
        })
      })
    )
  })

for (const [name, database] of databases()) tests(name, wireOver(servicesOn(database)))
