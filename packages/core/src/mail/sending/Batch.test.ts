/** A batch: all items or none, or each for itself; keys, contacts, caps and the transaction. */
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { databases } from "../../testing/Databases.ts"
import { servicesOn } from "../../testing/Services.ts"
import { send, wireOver } from "../../testing/TestClient.ts"

const begin = send("POST", "/domains", { domain: "batch.test" })

const letter = { from: "hi@batch.test", subject: "Hi {{name}}", body: "<p>Hi {{name}}</p>" }

const post = (body: object, headers: Record<string, string> = {}) => send("POST", "/v1/batch", body, headers)

const countOf = (path: string) => Effect.map(send("GET", `${path}?limit=1`), ({ body }) => Number(body.total))
const mails = countOf("/emails")

const people = (count: number, label: string) =>
  Array.from({ length: count }, (_, n) => ({ to: `${label}-${n}@example.com`, data: { name: `${label} ${n}` } }))

interface Fault {
  readonly field: string
  readonly code: string
}
const faults = (errors: ReadonlyArray<Fault>) => errors.map(({ field, code }) => `${field} ${code}`)

const subjectOf = (id: string) => Effect.map(send("GET", `/emails/${id}`), ({ body }) => String(body.subject))

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "120 seconds" })(`A batch on ${name}`, (it) => {
    it.effect("of 1,000 items with one bad address stores nothing, or 999 of them", () =>
      Effect.gen(function* () {
        yield* begin
        const before = [yield* mails, yield* countOf("/contacts")]
        const emails = people(1_000, "many").map((item, n) => (n === 17 ? { ...item, to: { email: "not one" } } : item))
        const refused = yield* post({ emails, defaults: letter })
        assert.strictEqual(refused.status, 422)
        assert.deepStrictEqual(faults(refused.body.error.errors), ["emails.17.to.email invalid_string"])
        assert.deepStrictEqual([yield* mails, yield* countOf("/contacts")], before)
        const { status, body } = yield* post({ emails, defaults: letter, atomic: false })
        assert.strictEqual(status, 200)
        assert.deepInclude(body.data, { accepted: 999, refused: 1 })
        assert.deepStrictEqual(
          body.data.results.map(({ index }: { index: number }) => index),
          emails.map((_, n) => n)
        )
        const { error } = body.data.results[17]
        assert.deepInclude(error, { code: "VALIDATION_ERROR", statusCode: 422 })
        assert.deepStrictEqual(faults(error.errors), ["to.email invalid_string"])
        assert.notProperty(error, "requestId")
        assert.strictEqual(yield* mails, (before[0] ?? 0) + 999)
        const last = body.data.results[999]
        assert.strictEqual(yield* subjectOf(last.emails[0].email), "Hi many 999")
        assert.deepInclude(last.emails[0], { status: "PENDING" })
      })
    )

    it.effect("merges defaults, of which data, headers and tags merge by key", () =>
      Effect.gen(function* () {
        yield* begin
        const defaults = {
          ...letter,
          data: { name: "all", city: "Oslo" },
          tags: { a: 1, b: 2 },
          headers: { "X-A": "a" }
        }
        const { body } = yield* post({
          defaults,
          emails: [
            { to: "first@example.com", data: { name: "First" }, tags: { b: 3 }, headers: { "X-B": "b" } },
            { to: "second@example.com", subject: "Own {{city}}" }
          ]
        })
        const [first, second] = body.data.results.map(
          (result: { emails: [{ email: string }] }) => result.emails[0].email
        )
        const { body: record } = yield* send("GET", `/emails/${first}`)
        assert.deepInclude(record, {
          subject: "Hi First",
          tags: { a: "1", b: "3" },
          headers: { "X-A": "a", "X-B": "b" }
        })
        assert.strictEqual(yield* subjectOf(second), "Own Oslo")
      })
    )

    it.effect("names the faults of the request, of defaults once, and of each item", () =>
      Effect.gen(function* () {
        yield* begin
        const before = yield* mails
        const fault = Effect.fnUntraced(function* (body: object) {
          const answer = yield* post(body)
          return `${answer.status} ${faults(answer.body.error?.errors ?? [])}`
        })
        const item = { to: "a@example.com" }
        assert.strictEqual(yield* fault({}), "422 emails required")
        assert.strictEqual(yield* fault({ emails: [] }), "422 emails too_small")
        assert.strictEqual(yield* fault({ emails: Array.from({ length: 1_001 }, () => item) }), "422 emails too_big")
        assert.strictEqual(yield* fault({ emails: [item, 3], defaults: letter }), "422 emails.1 invalid_type")
        assert.strictEqual(
          yield* fault({ emails: [item, item], defaults: { body: 3 } }),
          "422 defaults.body invalid_type"
        )
        assert.strictEqual(
          yield* fault({ emails: [item], defaults: { ...letter, to: "x@y.co" } }),
          "422 defaults.to custom"
        )
        assert.strictEqual(
          yield* fault({ emails: [item, item] }),
          "422 emails.0.template required,emails.0.from required,emails.1.template required,emails.1.from required"
        )
        assert.strictEqual(
          yield* fault({ emails: [item, { ...item, body: "{{#if}}" }], defaults: letter }),
          "422 emails.1.body template_syntax"
        )
        const broken = { ...letter, subject: "{{", body: "{{#if}}" }
        assert.strictEqual(
          yield* fault({ emails: [item, item, { ...item, body: "Hi", text: "{{" }], defaults: broken }),
          "422 defaults.subject template_syntax,defaults.body template_syntax,emails.2.text template_syntax"
        )
        const each = yield* post({ emails: [item], defaults: broken, atomic: false })
        assert.deepStrictEqual(faults(each.body.data.results[0].error.errors), [
          "subject template_syntax",
          "body template_syntax"
        ])
        const crowd = people(600, "crowd").map(({ to }) => to)
        assert.strictEqual(
          yield* fault({ emails: [{ to: crowd }, { to: crowd }], defaults: letter }),
          "422 emails too_big"
        )
        assert.strictEqual(
          yield* fault({ emails: [{ ...item, idempotencyKey: "ä" }], defaults: letter }),
          "422 emails.0.idempotencyKey invalid_string"
        )
        assert.strictEqual(yield* mails, before)
      })
    )

    it.effect("answers with the first refusal and its index, and `atomic: false` refuses that item alone", () =>
      Effect.gen(function* () {
        yield* begin
        const id = "019a0000-0000-7000-8000-00000000dead"
        const emails = [
          { to: "a@example.com" },
          { to: "b@example.com", template: id },
          { to: "c@example.com", from: "x@no.test" }
        ]
        const { status, body } = yield* post({ emails, defaults: letter })
        assert.strictEqual(status, 404)
        assert.deepInclude(body.error.details, { id, index: 1 })
        // A template is looked for before sender domains are checked, whatever the order of the items.
        const reversed = yield* post({ emails: emails.toReversed(), defaults: letter })
        assert.strictEqual(reversed.status, 404)
        assert.deepInclude(reversed.body.error.details, { id, index: 1 })
        const each = yield* post({ emails, defaults: letter, atomic: false })
        assert.deepInclude(each.body.data, { accepted: 1, refused: 2 })
        const codes = each.body.data.results.map(
          ({ error }: { error?: { code: string; statusCode: number; details: object } }) => error
        )
        assert.deepInclude(codes[1], { code: "TEMPLATE_NOT_FOUND", statusCode: 404 })
        assert.deepInclude(codes[2].details, { reason: "sender_domain_unverified", domain: "no.test" })
      })
    )

    it.effect("makes one contact of two items for one address, and each mail has its data so far", () =>
      Effect.gen(function* () {
        yield* begin
        const before = yield* countOf("/contacts")
        const to = "twice@example.com"
        const { body } = yield* post({
          defaults: letter,
          emails: [
            { to, data: { name: "One", old: 1, kept: 1 } },
            { to, data: { name: "Two", old: null, kept: "" } },
            { to, data: { name: { value: "Once", persistent: false } } }
          ]
        })
        const results: ReadonlyArray<{ emails: [{ email: string; contact: { id: string } }] }> = body.data.results
        const subjects = yield* Effect.forEach(results, ({ emails: [{ email }] }) => subjectOf(email))
        assert.deepStrictEqual(subjects, ["Hi One", "Hi Two", "Hi Once"])
        assert.strictEqual(new Set(results.map(({ emails: [{ contact }] }) => contact.id)).size, 1)
        assert.strictEqual(yield* countOf("/contacts"), before + 1)
        const { body: contact } = yield* send("GET", `/contacts/${results[0]?.emails[0].contact.id}`)
        assert.deepStrictEqual(contact.data, { name: "Two", kept: 1 })
      })
    )

    it.effect("refuses an item that cannot be rendered or whose contact grows too large, without its contact", () =>
      Effect.gen(function* () {
        yield* begin
        const before = yield* countOf("/contacts")
        const made = yield* send("POST", "/templates", {
          ...letter,
          name: "News",
          type: "MARKETING",
          from: "hi@batch.test"
        })
        const emails = [
          { to: "fine@example.com" },
          { to: "large@example.com", data: { a: "x".repeat(40_000) } },
          { to: "large@example.com", data: { b: "x".repeat(40_000) } },
          { to: "against@example.com", template: made.body.id, subscribed: false }
        ]
        const { body } = yield* post({ emails, defaults: letter, atomic: false })
        const codes = body.data.results.map(
          ({ error }: { error?: { errors: ReadonlyArray<Fault> } }) => error && faults(error.errors)
        )
        assert.deepStrictEqual(codes, [undefined, undefined, ["data too_big"], ["to contact_unsubscribed"]])
        assert.strictEqual(yield* countOf("/contacts"), before + 2)
        const atomic = yield* post({ emails, defaults: letter })
        assert.sameMembers(faults(atomic.body.error.errors), [
          "emails.2.data too_big",
          "emails.3.to contact_unsubscribed"
        ])
      })
    )

    it.effect("repeated with replay sends only what was not accepted", () =>
      Effect.gen(function* () {
        yield* begin
        const before = yield* mails
        const emails = [
          { to: "key-a@example.com", idempotencyKey: "batch-a" },
          { to: "no address", idempotencyKey: "batch-b" },
          { to: "key-c@example.com", cc: "copy@example.com", idempotencyKey: "batch-c" }
        ]
        const batch = { emails, defaults: letter, atomic: false }
        const first = yield* post(batch)
        assert.deepInclude(first.body.data, { accepted: 2, refused: 1 })
        const again = yield* post(batch)
        const codes = again.body.data.results.map(({ error }: { error: { code: string } }) => error.code)
        assert.deepStrictEqual(codes, ["IDEMPOTENCY_KEY_REUSED", "VALIDATION_ERROR", "IDEMPOTENCY_KEY_REUSED"])
        assert.deepInclude(again.body.data.results[0].error.details, {
          key: "batch-a",
          originalRequest: "POST /v1/send"
        })
        const mended = {
          ...batch,
          emails: emails.map((item, n) => (n === 1 ? { ...item, to: "key-b@example.com" } : item))
        }
        const replay = yield* post(mended, { "idempotency-mode": "replay" })
        assert.deepInclude(replay.body.data, { accepted: 3, refused: 0 })
        assert.deepStrictEqual(
          replay.body.data.results.map(({ replayed }: { replayed?: true }) => replayed),
          [true, undefined, true]
        )
        assert.deepStrictEqual(replay.body.data.results[2].copies, first.body.data.results[2].copies)
        assert.strictEqual(yield* mails, before + 4)
        // The item is the request to /v1/send.
        const alone = yield* send(
          "POST",
          "/v1/send",
          { ...letter, to: "key-a@example.com" },
          { "idempotency-key": "batch-a", "idempotency-mode": "replay" }
        )
        assert.strictEqual(alone.body.data.emails[0].email, first.body.data.results[0].emails[0].email)
        const atomic = yield* post({
          emails: [{ to: "x@example.com" }, { to: "y@example.com", idempotencyKey: "batch-a" }],
          defaults: letter
        })
        assert.strictEqual(atomic.status, 409)
        assert.deepInclude(atomic.body.error.details, { key: "batch-a", index: 1 })
        assert.strictEqual(yield* mails, before + 4)
      })
    )

    it.effect("refuses a key twice in one batch, frees the keys of what it refuses, and has a key of its own", () =>
      Effect.gen(function* () {
        yield* begin
        const before = yield* mails
        const twice = [
          { to: "same@example.com", idempotencyKey: "same" },
          { to: "same@example.com", idempotencyKey: "same" }
        ]
        const { status, body } = yield* post({ emails: twice, defaults: letter })
        assert.strictEqual(status, 409)
        assert.deepInclude(body.error.details, { key: "same", index: 1 })
        assert.strictEqual(yield* mails, before)
        const each = yield* post({ emails: twice, defaults: letter, atomic: false })
        assert.deepInclude(each.body.data, { accepted: 1, refused: 1 })
        const headers = { "idempotency-key": "whole", "idempotency-mode": "replay" }
        const batch = { emails: [{ to: "whole@example.com" }], defaults: letter }
        const first = yield* post(batch, headers)
        const again = yield* post(batch, headers)
        assert.deepStrictEqual(again.body, first.body)
        assert.strictEqual(yield* mails, before + 2)
        const own = yield* post(
          { emails: [{ to: "own@example.com", idempotencyKey: "mine" }], defaults: letter },
          { "idempotency-key": "mine" }
        )
        assert.strictEqual(own.status, 409)
        assert.strictEqual((yield* post(batch, { "idempotency-mode": "maybe" })).status, 422)
      })
    )

    it.effect("schedules its items", () =>
      Effect.gen(function* () {
        yield* begin
        const tomorrow = DateTime.formatIso(DateTime.add(yield* DateTime.now, { days: 1 }))
        const { body } = yield* post({
          emails: [{ to: "later@example.com", scheduledFor: tomorrow }, { to: "now@example.com" }],
          defaults: letter
        })
        assert.deepStrictEqual(
          body.data.results.map(({ emails: [{ status }] }: { emails: [{ status: string }] }) => status),
          ["SCHEDULED", "PENDING"]
        )
      })
    )
  })
}
