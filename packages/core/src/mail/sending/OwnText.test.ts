/** A send with its own text part, and with texts that are used as written. */
import { assert, layer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { SqlClient } from "effect/sql"
import { databases } from "../../testing/Databases.ts"
import { servicesOn, type TestServices } from "../../testing/Services.ts"
import { outcome, send, type Wire, wireOver } from "../../testing/TestClient.ts"

const addDomain = send("POST", "/domains", { domain: "text.test" })
const from = "hi@text.test"

const post = (body: object) =>
  send("POST", "/v1/send", { from, subject: "Hi {{name}}", to: "ada@example.com", ...body })

/** The stored texts of one mail, and its record. */
const sent = Effect.fnUntraced(function* (body: object) {
  const { status, body: answer } = yield* post(body)
  assert.strictEqual(status, 200, JSON.stringify(answer))
  const id: string = answer.data.emails[0].email
  const { body: content } = yield* send("GET", `/emails/${id}/content`)
  const { body: record } = yield* send("GET", `/emails/${id}`)
  return { id, content, record }
})

const template = Effect.fnUntraced(function* (body: object) {
  const made = yield* send("POST", "/templates", { name: "News", subject: "News", body: "<p>News</p>", from, ...body })
  return String(made.body.id)
})

const tests = (name: string, services: Layer.Layer<Wire | TestServices>) =>
  layer(services, { timeout: "60 seconds" })(`A send on ${name}`, (it) => {
    it.effect("renders its own text without escaping, beside its HTML", () =>
      Effect.gen(function* () {
        yield* addDomain
        const { content } = yield* sent({
          body: "<p>Dear {{name}}</p>",
          text: "Dear {{name}},\n\nwelcome.",
          data: { name: "Tom & Ada" }
        })
        assert.deepInclude(content, { html: "<p>Dear Tom &amp; Ada</p>", text: "Dear Tom & Ada,\n\nwelcome." })
      })
    )

    it.effect("of text alone has no HTML and no tracking", () =>
      Effect.gen(function* () {
        yield* addDomain
        const { content, record } = yield* sent({ text: "See https://example.com/a", tracking: true })
        assert.deepInclude(content, { html: null, text: "See https://example.com/a", purgedAt: null })
        assert.isFalse(record.tracking)
      })
    )

    it.effect("takes its own text beside the body of a template", () =>
      Effect.gen(function* () {
        yield* addDomain
        const { content } = yield* sent({ template: yield* template({ type: "TRANSACTIONAL" }), text: "In short" })
        assert.deepInclude(content, { html: "<p>News</p>", text: "In short" })
      })
    )

    it.effect("of marketing mail adds the footer to its own text, unless that has the link", () =>
      Effect.gen(function* () {
        yield* addDomain
        const id = yield* template({ type: "MARKETING" })
        const given = { template: id, subscribed: true }
        const { content: added } = yield* sent({ ...given, text: "In short" })
        assert.match(added.text, /^In short\n\n[\s\S]*Unsubscribe: http/)
        const { content: own } = yield* sent({ ...given, text: "Out: {{unsubscribeUrl}}" })
        assert.match(own.text, /^Out: http\S+$/)
        assert.match(own.html, /<a href="http[^"]*unsubscribe/)
      })
    )

    it.effect("names the field of a fault, and stores nothing", () =>
      Effect.gen(function* () {
        yield* addDomain
        const faults = Effect.fnUntraced(function* (body: object) {
          const { body: answer } = yield* post(body)
          return answer.error.errors.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`)
        })
        const before = yield* send("GET", "/emails")
        assert.deepStrictEqual(yield* faults({ text: "{{#if}" }), ["text template_syntax"])
        assert.deepStrictEqual(yield* faults({ text: "" }), ["text required"])
        assert.deepStrictEqual(yield* faults({}), ["template required"])
        const id = yield* template({})
        assert.deepStrictEqual(yield* faults({ template: id, interpolate: false }), ["interpolate custom"])
        assert.strictEqual(
          yield* outcome("POST", "/v1/send", { from, to: "a@b.co", text: "Hi" }),
          "422 VALIDATION_ERROR"
        )
        assert.strictEqual((yield* send("GET", "/emails")).body.total, before.body.total)
      })
    )

    it.effect("without interpolation is as written, whatever it holds", () =>
      Effect.gen(function* () {
        yield* addDomain
        const texts = { subject: "{{name}} {{#if", body: "<p>{{{name}}} }}</p>", text: "{{name}} {{" }
        const { content } = yield* sent({ ...texts, interpolate: false, data: { name: "Ada" } })
        assert.deepInclude(content, { subject: texts.subject, html: texts.body, text: texts.text })
        const { content: made } = yield* sent({ ...texts, text: null, interpolate: false })
        assert.strictEqual(made.text, "{{{name}}} }}")
      })
    )

    it.effect("of text alone can be read as a message, and tried again after a failure", () =>
      Effect.gen(function* () {
        yield* addDomain
        const { id } = yield* sent({ text: "Hello" })
        assert.strictEqual(yield* outcome("GET", `/emails/${id}/content?format=raw`), "200 ok")
        const sql = yield* SqlClient.SqlClient
        yield* sql`update emails set status = 'FAILED' where id = ${id}`
        assert.strictEqual(yield* outcome("POST", `/emails/${id}/retry`), "200 ok")
      })
    )
  })

for (const [name, database] of databases()) tests(name, wireOver(servicesOn(database)))
