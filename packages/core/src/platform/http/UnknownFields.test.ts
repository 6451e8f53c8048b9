/** Fields of a body that its endpoint does not know. */
import { assert, describe, it, layer } from "@effect/vitest"
import { SendEmail } from "@posthorn/contract/mail/sending/Send"
import { knownOf, maxWarnings, suggestionFor, unknownIn } from "@posthorn/contract/platform/KnownFields"
import { Effect } from "effect"
import { growing } from "../../testing/Growth.ts"
import type { HostileShape } from "../../testing/HostileText.ts"
import { publicKey } from "../../testing/Services.ts"
import { send, wire } from "../../testing/TestClient.ts"

const strict = { prefer: "handling=strict" }
const mail = { to: "ada@example.com", from: "hi@unknown.test", subject: "Hi", body: "<p>Hi</p>" }
const html = { field: "html", message: "`html` is unknown; did you mean `body`?", suggestion: "body" }

const header = ({ headers }: { readonly headers: Headers }) => headers.get("posthorn-warnings")

describe("Suggestions for unknown fields", () => {
  const names = ["to", "subject", "body", "from", "fromName", "reply", "replyTo", "data", "template", "templateId"]
  it.each([
    ["html", "body"],
    ["text", "body"],
    ["content", "body"],
    ["to_email", "to"],
    ["recipients", "to"],
    ["reply_to", "reply"],
    ["from_name", "fromName"],
    ["FromName", "fromName"],
    ["TEMPLATE-ID", "template"],
    ["subjet", "subject"],
    ["sujbect", "subject"],
    ["bdoy", "body"],
    ["colour", null],
    ["x", null],
    ["constructor", null],
    ["s".repeat(100_000), null]
  ])("%s: %s", (given, meant) => {
    assert.strictEqual(suggestionFor(given, names), meant)
  })
})

describe("The search for unknown fields", () => {
  it("takes linear time", async () => {
    const known = knownOf(SendEmail)
    const run = (text: string) => {
      const people = Array.from(text, (_, at) => ({ email: `a${at}@example.com`, name: "A" }))
      assert.isEmpty(unknownIn({ ...mail, to: people }, known))
    }
    const people: HostileShape = { name: "people", at: (keys) => "a".repeat(keys) }
    assert.deepStrictEqual(await growing({ name: "unknownIn", limit: 200_000, run }, [people]), [])
  })

  it("stops early", () => {
    const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`subjec${at}`, 1]))
    assert.lengthOf(unknownIn(many, knownOf(SendEmail)), maxWarnings)
  })
})

layer(wire, { timeout: "60 seconds" })("Unknown fields", (it) => {
  it.effect("are listed in the envelope", () =>
    Effect.gen(function* () {
      yield* send("POST", "/domains", { domain: "unknown.test" })
      const answer = yield* send("POST", "/v1/send", {
        ...mail,
        to: [{ email: "ada@example.com", fullName: "Ada" }],
        html: "<p>Other</p>",
        data: { anything: { goes: 1 } },
        headers: { "X-Any": "goes" },
        attachments: [{ filename: "a.txt", content: "YQ==", mime_type: "text/plain" }]
      })
      assert.strictEqual(answer.status, 200)
      assert.deepStrictEqual(answer.body.warnings, [
        { field: "to.0.fullName", message: "`fullName` is unknown.", suggestion: null },
        html,
        {
          field: "attachments.0.mime_type",
          message: "`mime_type` is unknown; did you mean `contentType`?",
          suggestion: "contentType"
        }
      ])
      assert.lengthOf(answer.body.data.emails, 1)
      assert.isNull(header(answer))
      assert.notProperty((yield* send("POST", "/v1/send", mail)).body, "warnings")
    })
  )

  it.effect("are listed beside the errors of a refused request", () =>
    Effect.gen(function* () {
      yield* send("POST", "/domains", { domain: "unknown.test" })
      const { body: _, ...rest } = mail
      const answer = yield* send("POST", "/v1/send", { ...rest, html: "<p>Other</p>" })
      assert.strictEqual(answer.status, 422)
      assert.strictEqual(answer.body.error.code, "VALIDATION_ERROR")
      assert.deepStrictEqual(answer.body.warnings, [html])
    })
  )

  it.effect("are listed in a header if there is no envelope, in ASCII and at most 2 kB", () =>
    Effect.gen(function* () {
      const answer = yield* send("POST", "/contacts", { email: "plain@example.com", subscribd: true, Größe: 1 })
      assert.strictEqual(answer.status, 201)
      assert.match(header(answer) ?? "", /^[\x20-\x7e]+$/)
      assert.deepStrictEqual(JSON.parse(header(answer) ?? ""), [
        {
          field: "subscribd",
          message: "`subscribd` is unknown; did you mean `subscribed`?",
          suggestion: "subscribed"
        },
        { field: "Größe", message: "`Größe` is unknown.", suggestion: null }
      ])
      const many = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`${"größe".repeat(15)}${at}`, 1]))
      const long = header(yield* send("POST", "/contacts", { email: "plain@example.com", ...many }))
      assert.isAtMost(long?.length ?? 0, 2_048)
      assert.isNotEmpty(JSON.parse(long ?? ""))
      assert.isNull(header(yield* send("POST", "/contacts", { email: "plain@example.com" })))
    })
  )

  it.effect("are reported in filters, not in data", () =>
    Effect.gen(function* () {
      const filter = { field: "email", operator: "equals", value: "a@b.co", valeu: 1 }
      const condition = { logic: "AND", groups: [{ filters: [filter], conditions: { groups: [], gruops: [] } }] }
      const answer = yield* send("POST", "/segments", { name: "Known", type: "DYNAMIC", condition })
      assert.strictEqual(answer.status, 201, JSON.stringify(answer.body))
      const found: ReadonlyArray<{ readonly field: string }> = JSON.parse(header(answer) ?? "[]")
      assert.deepStrictEqual(
        found.map(({ field }) => field),
        ["condition.groups.0.filters.0.valeu", "condition.groups.0.conditions.gruops"]
      )
    })
  )

  it.effect("are reported in the config of a step", () =>
    Effect.gen(function* () {
      const { body: workflow } = yield* send("POST", "/workflows", { name: "Known", eventName: "known" })
      const namesOf = (answer: { readonly headers: Headers }) =>
        JSON.parse(header(answer) ?? "[]").map(({ message }: { readonly message: string }) => message)
      const steps = `/workflows/${workflow.id}/steps`
      const delay = yield* send("POST", steps, { type: "DELAY", config: { amount: 1, unit: "days", amuont: 2 } })
      assert.deepStrictEqual(namesOf(delay), ["`amuont` is unknown; did you mean `amount`?"])
      const branches = [{ id: "gold", operator: "exists", labl: "Gold" }]
      const config = { mode: "multi", field: "data.gold", branches, elze: 1 }
      const condition = yield* send("POST", steps, { type: "CONDITION", config })
      assert.deepStrictEqual(namesOf(condition), ["`labl` is unknown.", "`elze` is unknown."])
      const webhook = { url: "https://example.com", body: { any: 1 }, headers: { "X-Any": "1" } }
      assert.isNull(header(yield* send("POST", steps, { type: "WEBHOOK", config: webhook })))
    })
  )

  it.effect("refuse the request if it asks for that, without any effect", () =>
    Effect.gen(function* () {
      yield* send("POST", "/domains", { domain: "unknown.test" })
      const key = { ...strict, "idempotency-key": "strict-1" }
      const refused = yield* send("POST", "/v1/send", { ...mail, to: "strict@example.com", html: "x" }, key)
      assert.strictEqual(refused.status, 422)
      assert.strictEqual(refused.headers.get("preference-applied"), "handling=strict")
      assert.deepStrictEqual(refused.body.error.errors, [
        { field: "html", message: html.message, code: "unknown_field" }
      ])
      assert.lengthOf((yield* send("GET", "/contacts?search=strict@example.com")).body.data, 0)
      const taken = yield* send("POST", "/v1/send", { ...mail, to: "strict@example.com" }, key)
      assert.deepStrictEqual([taken.status, taken.headers.get("preference-applied")], [200, "handling=strict"])
      for (const prefer of ["respond-async, Handling=STRICT; x=1", 'handling = "strict"']) {
        assert.strictEqual((yield* send("POST", "/contacts", { email: "a@b.co", nope: 1 }, { prefer })).status, 422)
      }
      for (const prefer of ["handling=lenient", "handling=strictly", "x"]) {
        assert.isBelow((yield* send("POST", "/contacts", { email: "a@b.co", nope: 1 }, { prefer })).status, 300)
      }
    })
  )

  it.effect("are reported to the public key too, and never without a credential", () =>
    Effect.gen(function* () {
      const tracked = yield* send(
        "POST",
        "/v1/track",
        { email: "ada@example.com", eventName: "x", event: "seen" },
        { authorization: `Bearer ${publicKey}` }
      )
      assert.deepStrictEqual(tracked.body.warnings, [
        { field: "eventName", message: "`eventName` is unknown; did you mean `event`?", suggestion: "event" }
      ])
      const login = yield* send("POST", "/auth/request-password-reset", { email: "ada@example.com", nope: 1 }, strict)
      assert.deepStrictEqual([login.status, header(login), login.body.warnings], [200, null, undefined])
    })
  )
})
