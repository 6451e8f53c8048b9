import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlError } from "effect/sql"
import { TestClock } from "effect/testing"
import { Projects } from "../accounts/projects/Projects.ts"
import { Contacts } from "../audience/contacts/Contacts.ts"
import * as FullDisk from "../platform/http/FullDisk.ts"
import { project, publicKey, services } from "../testing/Services.ts"
import { outcome, send, wire, wireOver } from "../testing/TestClient.ts"

const minimal = { to: "anna@example.com", from: "hi@example.com", subject: "Hi", body: "<p>Hi</p>" }
const content = { name: "Welcome", subject: "Hi", body: "<p>Hi</p>", from: "hi@example.com" }
const surrogate = String.fromCharCode(0xd800)
const nested = (levels: number) => `{"email":"a@b.de","data":${"[".repeat(levels)}${"]".repeat(levels)}}`

layer(wire, { timeout: "60 seconds" })("HTTP", (it) => {
  it.effect("201 for a new contact, 200 for a known one, 204 for a deleted one", () =>
    Effect.gen(function* () {
      const created = yield* send("POST", "/contacts", { email: "new@example.com" })
      const known = yield* send("POST", "/contacts", { email: "NEW@example.com", data: { plan: "pro" } })
      const deleted = yield* send("DELETE", `/contacts/${created.body.id}`)
      assert.deepStrictEqual([created.status, known.status, deleted.status], [201, 200, 204])
      assert.deepStrictEqual(known.body._meta, { isNew: false, isUpdate: true })
      assert.isUndefined(deleted.body)
    })
  )

  it.effect("reports all faults of a body in one envelope, without internals", () =>
    Effect.gen(function* () {
      const { status, headers, body } = yield* send("POST", "/contacts", {
        email: "anna@",
        subscribed: "yes",
        data: { a: { constructor: 1 } }
      })
      assert.strictEqual(status, 422)
      assert.strictEqual(body.error.requestId, headers.get("x-request-id"))
      assert.deepStrictEqual(Object.keys(body), ["success", "error", "timestamp"])
      assert.deepStrictEqual(body.error.errors, [
        { field: "email", message: "Not a valid email address.", code: "invalid_string", received: "anna@" },
        { field: "subscribed", message: "Expected boolean | null.", code: "invalid_type", received: "string" },
        { field: "data.a.constructor", message: "'constructor' is not allowed as a key.", code: "custom" }
      ])
    })
  )

  it.effect.each([
    // The three endpoints that answer a 400 without envelope.
    ["POST", "/contacts", {}, "400 Email is required"],
    ["POST", "/contacts", { email: "  " }, "400 Email is required"],
    ["POST", "/contacts", { email: null, subscribed: 1 }, "400 Email is required"],
    ["POST", "/contacts", { subscribed: 1 }, "400 Email is required"],
    ["POST", "/contacts", { externalId: "a", subscribed: 1 }, "422 VALIDATION_ERROR"],
    ["POST", "/contacts", [], "400 Email is required"],
    ["POST", "/contacts", '{"email"', "400 Request body is not valid JSON"],
    ["POST", "/contacts", nested(101), "400 Request body is not valid JSON"],
    ["POST", "/templates", {}, "400 From address is required"],
    ["POST", "/templates", { from: "hi@example.com" }, "422 VALIDATION_ERROR"],
    // Malformed bodies.
    ["POST", "/contacts", { email: 7 }, "422 VALIDATION_ERROR"],
    ["POST", "/contacts", { email: "a@b.de", data: 1 }, "422 VALIDATION_ERROR"],
    ["POST", "/contacts", { email: "a@b.de", data: { a: "\0" } }, "422 VALIDATION_ERROR"],
    ["POST", "/contacts", { email: "a@b.de", data: { [surrogate]: 1 } }, "422 VALIDATION_ERROR"],
    ["POST", "/contacts", '{"email":"a@b.de","data":{"n":1e999999}}', "422 VALIDATION_ERROR"],
    ["POST", "/contacts", '{"email":"a@b.de","data":{"__proto__":{"a":1}}}', "422 VALIDATION_ERROR"],
    ["POST", "/v1/send", "{", "400 INVALID_JSON"],
    ["POST", "/v1/send", nested(101), "400 INVALID_JSON"],
    ["POST", "/v1/send", [], "422 VALIDATION_ERROR"],
    ["POST", "/v1/send", {}, "422 VALIDATION_ERROR"],
    ["POST", "/v1/send", { ...minimal, subject: "a\r\nBcc: e@example.com" }, "422 VALIDATION_ERROR"],
    ["POST", "/v1/send", { ...minimal, subject: "" }, "422 VALIDATION_ERROR"],
    ["POST", "/v1/send", { ...minimal, subject: "x".repeat(999) }, "422 VALIDATION_ERROR"],
    ["POST", "/v1/send", { ...minimal, from: { email: "hi@example.com", name: "a\nb" } }, "422 VALIDATION_ERROR"],
    ["POST", "/v1/send", { ...minimal, reply: "a@b.co\r\nBcc: e@example.com" }, "422 VALIDATION_ERROR"],
    ["POST", "/v1/send", { ...minimal, headers: { bcc: "e@example.com" } }, "422 VALIDATION_ERROR"],
    ["POST", "/v1/send", { ...minimal, headers: { "X-A": "a\r\nBcc: e" } }, "422 VALIDATION_ERROR"],
    ["POST", "/v1/send", { ...minimal, headers: { "X A": "a" } }, "422 VALIDATION_ERROR"],
    ["POST", "/v1/send", { ...minimal, headers: { "Reply-To": "nonsense" } }, "422 VALIDATION_ERROR"],
    ["POST", "/v1/send", { ...minimal, to: [] }, "422 VALIDATION_ERROR"],
    ["POST", "/v1/send", { ...minimal, to: "a@b.co,c@d.co" }, "422 VALIDATION_ERROR"],
    ["POST", "/v1/send", { ...minimal, to: "Grp: a@b.co;" }, "422 VALIDATION_ERROR"],
    ["POST", "/v1/send", { ...minimal, to: '"x@evil.test y"@b.co' }, "422 VALIDATION_ERROR"],
    ["POST", "/v1/send", { ...minimal, to: ":".repeat(5000) }, "422 VALIDATION_ERROR"],
    ["POST", "/v1/send", { ...minimal, body: "{{#if a}}" }, "422 VALIDATION_ERROR"],
    ["POST", "/v1/send", { ...minimal, body: undefined }, "422 VALIDATION_ERROR"],
    ["POST", "/v1/send", { ...minimal, from: undefined }, "422 VALIDATION_ERROR"],
    ["POST", "/v1/send", { ...minimal, template: "nonsense" }, "422 VALIDATION_ERROR"],
    ["POST", "/v1/send", { ...minimal, attachments: [{ filename: "a/b", content: "YQ==" }] }, "422 VALIDATION_ERROR"],
    ["POST", "/v1/send", { ...minimal, attachments: [{ filename: "a", content: "%%" }] }, "422 VALIDATION_ERROR"],
    [
      "POST",
      "/v1/send",
      { ...minimal, attachments: [{ filename: "a", content: "YQ==", disposition: "inline" }] },
      "422 VALIDATION_ERROR"
    ],
    [
      "POST",
      "/v1/send",
      { ...minimal, attachments: Array.from({ length: 11 }, () => ({ filename: "a", content: "YQ==" })) },
      "422 VALIDATION_ERROR"
    ],
    ["POST", "/domains", undefined, "422 VALIDATION_ERROR"],
    ["POST", "/domains", { domain: "a..b" }, "422 VALIDATION_ERROR"],
    ["POST", "/domains", { domain: "localhost" }, "422 VALIDATION_ERROR"],
    ["POST", "/domains", { domain: "*.x.test" }, "422 VALIDATION_ERROR"],
    ["POST", "/domains", { domain: "xn--zzzz-junk.com" }, "422 VALIDATION_ERROR"],
    ["POST", "/domains", { domain: "127.0.0.1" }, "422 VALIDATION_ERROR"],
    ["POST", "/domains", { domain: "GMAIL.com." }, "422 VALIDATION_ERROR"],
    ["POST", "/domains", { domain: "co.uk" }, "422 VALIDATION_ERROR"],
    ["POST", "/templates", { ...content, type: "NEWS" }, "422 VALIDATION_ERROR"],
    ["POST", "/templates", { ...content, subject: "a\nb" }, "422 VALIDATION_ERROR"],
    ["POST", "/templates", { ...content, name: "x".repeat(101) }, "422 VALIDATION_ERROR"],
    ["POST", "/templates", { ...content, body: "{{#if a}}" }, "422 VALIDATION_ERROR"],
    ["POST", "/templates", content, "403 INTERNAL_SERVER_ERROR"],
    ["POST", "/templates", { ...content, body: "x".repeat(10 * 1024 * 1024) }, "413 PAYLOAD_TOO_LARGE"],
    // Resources that do not exist, or are not allowed.
    ["POST", "/v1/send", { ...minimal, template: "019a0000-0000-7000-8000-00000000dead" }, "404 TEMPLATE_NOT_FOUND"],
    ["POST", "/v1/send", minimal, "403 INTERNAL_SERVER_ERROR"],
    ["POST", "/v1/send", { ...minimal, from: "x@sub.verified.test" }, "403 INTERNAL_SERVER_ERROR"],
    ["POST", "/v1/send", { ...minimal, from: "x@evil-verified.test" }, "403 INTERNAL_SERVER_ERROR"],
    ["POST", "/v1/send", { ...minimal, from: "x@verified.test.evil.test" }, "403 INTERNAL_SERVER_ERROR"],
    ["POST", "/v1/send", { ...minimal, from: "x@verified.test." }, "422 VALIDATION_ERROR"],
    ["GET", "/contacts/not-an-id", undefined, "404 CONTACT_NOT_FOUND"],
    ["GET", "/contacts/019a0000-0000-7000-8000-00000000dead", undefined, "404 CONTACT_NOT_FOUND"],
    ["GET", "/templates/not-an-id", undefined, "404 TEMPLATE_NOT_FOUND"],
    ["GET", "/domains/not-an-id", undefined, "404 RESOURCE_NOT_FOUND"],
    ["GET", "/domains/project/019a0000-0000-7000-8000-00000000dead", undefined, "404 RESOURCE_NOT_FOUND"],
    ["GET", "/emails/not-an-id", undefined, "404 RESOURCE_NOT_FOUND"],
    ["POST", "/emails/019a0000-0000-7000-8000-00000000dead/cancel", undefined, "404 RESOURCE_NOT_FOUND"],
    ["GET", "/nowhere", undefined, "404 ROUTE_NOT_FOUND"],
    ["GET", "/Contacts", undefined, "404 ROUTE_NOT_FOUND"],
    ["PUT", "/contacts", undefined, "404 ROUTE_NOT_FOUND"],
    // Queries.
    ["GET", "/contacts?limit=0", undefined, "400 BAD_REQUEST"],
    ["GET", "/contacts?limit=ten&subscribed=maybe", undefined, "400 BAD_REQUEST"],
    ["GET", `/contacts?search=${"x".repeat(201)}`, undefined, "400 BAD_REQUEST"],
    ["GET", "/contacts?search=%00", undefined, "400 BAD_REQUEST"],
    ["GET", "/contacts?cursor=abc", undefined, "400 INVALID_CURSOR"],
    ["GET", "/templates?page=0", undefined, "400 BAD_REQUEST"],
    ["GET", "/templates?type=SPAM", undefined, "400 BAD_REQUEST"],
    ["GET", "/emails?status=LOST", undefined, "400 BAD_REQUEST"],
    ["GET", "/emails?startDate=2026-02-30", undefined, "400 BAD_REQUEST"],
    ["GET", "/emails?startDate=2026-02-30T10:00:00Z", undefined, "400 BAD_REQUEST"],
    ["GET", "/emails?startDate=1 Mar 2026 10:00 %2B00:00", undefined, "400 BAD_REQUEST"],
    ["GET", "/emails?startDate=2026-03-02&endDate=2026-03-01", undefined, "400 BAD_REQUEST"]
  ] as const)("%s %s %j answers %s", ([method, path, body, expected]) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* outcome(method, path, body), expected)
    })
  )

  it.effect("no body, or an empty one, counts as an empty object", () =>
    Effect.gen(function* () {
      for (const path of ["/v1/send", "/domains", "/templates", "/contacts"]) {
        const [none, empty] = [yield* send("POST", path), yield* send("POST", path, {})]
        assert.deepStrictEqual([none.status, none.body.error.errors], [empty.status, empty.body.error.errors])
      }
      const whole = yield* send("POST", "/v1/send", "[]")
      assert.deepInclude(whole.body.error.errors[0], {
        field: "",
        code: "invalid_type",
        message: "Expected an object."
      })
    })
  )

  it.effect("a refused request stores nothing", () =>
    Effect.gen(function* () {
      const { body } = yield* send("GET", "/contacts?search=anna@example.com")
      assert.deepStrictEqual(body, { data: [], hasMore: false, total: 0 })
    })
  )

  it.effect("an error about an unknown value names the parameter and the allowed values", () =>
    Effect.gen(function* () {
      const { body } = yield* send("GET", "/templates?type=SPAM")
      assert.deepInclude(body.error.errors[0], { field: "type", code: "invalid_enum", received: "SPAM" })
      assert.deepStrictEqual(body.error.details, {
        parameter: "type",
        received: "SPAM",
        allowed: ["TRANSACTIONAL", "MARKETING", "HEADLESS"]
      })
    })
  )

  it.effect.each(["email.sent", "contact.subscribed", "contact.unsubscribed", "segment.vip.entry", "segment.a.b.exit"])(
    "callers cannot track the event %s, which belongs to the service",
    (event) =>
      Effect.gen(function* () {
        const { status, body } = yield* send(
          "POST",
          "/v1/track",
          { email: "t@example.com", event },
          { authorization: `Bearer ${publicKey}` }
        )
        assert.strictEqual(status, 422)
        assert.deepInclude(body.error.errors[0], { field: "event", code: "reserved_event", received: event })
      })
  )

  it.effect("tracking takes the public key only, everything else the secret key only", () =>
    Effect.gen(function* () {
      const event = { email: "tracked@example.com", event: "signed up", data: { plan: "pro" } }
      const tracked = yield* send("POST", "/v1/track", event, { authorization: `Bearer ${publicKey}` })
      assert.strictEqual(tracked.status, 200)
      assert.deepStrictEqual(Object.keys(tracked.body.data), ["contact", "event", "timestamp"])
      const { body: contact } = yield* send("GET", `/contacts/${tracked.body.data.contact}`)
      assert.deepInclude(contact, { email: "tracked@example.com", subscribed: true, data: { plan: "pro" } })
      assert.strictEqual(yield* outcome("POST", "/v1/track", event), "401 INVALID_API_KEY")
      const withPublic = { authorization: `Bearer ${publicKey}` }
      for (const path of ["/contacts", "/templates", "/emails", `/domains/project/${project}`]) {
        assert.strictEqual(yield* outcome("GET", path, undefined, withPublic), "401 INVALID_API_KEY")
      }
      assert.strictEqual(yield* outcome("POST", "/v1/send", minimal, withPublic), "401 INVALID_API_KEY")
    })
  )

  it.effect("every kind of invalid key is a 401 with a challenge and its own message", () =>
    Effect.gen(function* () {
      const messages = new Set<string>()
      for (const authorization of [
        "",
        "Basic abc",
        "Bearer sk_x",
        "Bearer pk_x",
        `Bearer sk_${"a".repeat(43)}, Bearer sk_${"a".repeat(43)}`,
        `Bearer sk_${"b".repeat(43)}`,
        `sk_${"a".repeat(43)}`,
        `Bearersk_${"a".repeat(43)}`,
        `Bearer ${"x".repeat(10_000)}`
      ]) {
        const { status, headers, body } = yield* send("GET", "/contacts", undefined, { authorization })
        assert.deepStrictEqual([status, body.error.code], [401, "INVALID_API_KEY"], authorization.slice(0, 20))
        assert.strictEqual(headers.get("www-authenticate"), "Bearer")
        messages.add(body.error.message)
      }
      assert.isAtLeast(messages.size, 3)
      assert.strictEqual(
        (yield* send("GET", "/contacts", undefined, { authorization: `bearer sk_${"a".repeat(43)}` })).status,
        200
      )
      assert.strictEqual(
        yield* outcome("GET", `/contacts?key=sk_${"a".repeat(43)}`, undefined, { authorization: "" }),
        "401 INVALID_API_KEY"
      )
    })
  )

  it.effect("a body with more values than any endpoint allows is refused before they are checked", () =>
    Effect.gen(function* () {
      const lookup = (length: number) => send("POST", "/contacts/lookup", { emails: Array.from({ length }, () => 1) })
      const first = Effect.map(lookup(120_001), ({ status, body: { error } }) => [status, error.errors])
      const message = "The body holds more than 120000 values."
      assert.deepStrictEqual(yield* first, [422, [{ field: "", code: "too_big", message }]])
      assert.strictEqual((yield* lookup(600)).body.error.errors[0].field, "emails.0")
      const list = Array.from({ length: 1_000 }, (_, n) => `${n},`)
      const filters = Array.from({ length: 100 }, () => ({ field: "data.x", operator: "in", value: list }))
      assert.strictEqual(
        (yield* send("POST", "/segments", { name: "Many", condition: { groups: [{ filters }] } })).status,
        201
      )
    })
  )

  it.effect("a session cookie that was not issued here is not valid, and counts only without a key", () =>
    Effect.gen(function* () {
      const cookie = "posthorn_session=forged"
      assert.strictEqual(
        yield* outcome("GET", "/contacts", undefined, { authorization: "", cookie }),
        "401 UNAUTHORIZED"
      )
      assert.strictEqual((yield* send("GET", "/contacts", undefined, { cookie })).status, 200)
      assert.strictEqual(
        yield* outcome("POST", "/v1/send", minimal, { authorization: "", cookie }),
        "401 INVALID_API_KEY"
      )
    })
  )

  it.effect("PATCH without a body changes nothing; null clears only nullable fields", () =>
    Effect.gen(function* () {
      const { body: contact } = yield* send("POST", "/contacts", { email: "patch@example.com", data: { a: 1 } })
      const path = `/contacts/${contact.id}`
      delete contact._meta
      assert.deepStrictEqual((yield* send("PATCH", path)).body, contact)
      assert.deepStrictEqual((yield* send("PATCH", path, { data: null })).body.data, {})
      assert.strictEqual(yield* outcome("PATCH", path, { email: null }), "422 VALIDATION_ERROR")
      assert.strictEqual(yield* outcome("PATCH", path, "{"), "400 INVALID_JSON")
      assert.strictEqual(yield* outcome("PATCH", path, []), "422 VALIDATION_ERROR")
      yield* send("POST", "/contacts", { email: "taken@example.com" })
      assert.strictEqual(yield* outcome("PATCH", path, { email: "taken@example.com" }), "409 EMAIL_ALREADY_EXISTS")
    })
  )

  it.effect("clamps the limit, and ignores an unknown sort, a slash at the end and unknown fields", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* send("GET", "/contacts?limit=5000&sort=shoeSize&dir=up&colour=red")).status, 200)
      assert.strictEqual((yield* send("GET", "/contacts/")).status, 200)
      const { body } = yield* send("POST", "/contacts/", {
        email: "mass@example.com",
        id: "x",
        projectId: "y",
        admin: true
      })
      assert.notStrictEqual(body.id, "x")
      assert.strictEqual(body.projectId, project)
    })
  )

  it.effect("HEAD answers like GET, without a body", () =>
    Effect.gen(function* () {
      const { status, body } = yield* send("HEAD", "/contacts")
      assert.deepStrictEqual([status, body], [200, undefined])
    })
  )

  it.effect("bodies: 413 above the limit, 415 unless plain JSON", () =>
    Effect.gen(function* () {
      const large = yield* send("POST", "/contacts", { email: "a@b.de", data: { a: "x".repeat(3_000_000) } })
      assert.deepStrictEqual([large.status, large.body.error.details], [413, { limitBytes: 2_097_152 }])
      const huge = yield* send("POST", "/v1/send", { ...minimal, body: "x".repeat(41 * 1024 * 1024) })
      assert.deepStrictEqual([huge.status, huge.body.error.details], [413, { limitBytes: 41_943_040 }])
      const type = (contentType: string, more = {}) =>
        Effect.map(
          send("POST", "/contacts", { email: "a@b.de" }, { "content-type": contentType, ...more }),
          (_) => _.status
        )
      assert.strictEqual(yield* type("text/plain"), 415)
      assert.strictEqual(yield* type("application/x-www-form-urlencoded"), 415)
      assert.strictEqual(yield* type("application/json; charset=latin1"), 415)
      assert.strictEqual(yield* type("application/json", { "content-encoding": "gzip" }), 415)
      assert.strictEqual(yield* type("application/vnd.api+json; charset=UTF-8"), 201)
    })
  )

  it.effect("keeps a valid request id, replaces an invalid one, and forbids caching and sniffing", () =>
    Effect.gen(function* () {
      const given = yield* send("GET", "/contacts", undefined, { "x-request-id": "order-4711" })
      const replaced = yield* send("GET", "/nowhere", undefined, { "x-request-id": "x".repeat(129) })
      assert.strictEqual(given.headers.get("x-request-id"), "order-4711")
      assert.match(replaced.body.error.requestId, /^[0-9a-f-]{36}$/)
      assert.strictEqual(replaced.headers.get("cache-control"), "no-store")
      assert.strictEqual(replaced.headers.get("x-content-type-options"), "nosniff")
    })
  )

  it.effect("CORS: any origin on /v1, the dashboard's elsewhere; preflights need no key", () =>
    Effect.gen(function* () {
      const ask = { origin: "https://elsewhere.example", "access-control-request-method": "POST", authorization: "" }
      const open = yield* send("OPTIONS", "/v1/track", undefined, ask)
      assert.deepStrictEqual(
        [open.status, open.headers.get("access-control-allow-origin"), open.headers.get("access-control-max-age")],
        [204, "*", "600"]
      )
      const closed = yield* send("OPTIONS", "/contacts", undefined, ask)
      assert.deepStrictEqual([closed.status, closed.headers.get("access-control-allow-origin")], [204, null])
      const own = yield* send("GET", "/contacts", undefined, { origin: "https://dashboard.example" })
      assert.strictEqual(own.headers.get("access-control-allow-origin"), "https://dashboard.example")
      assert.strictEqual(own.headers.get("access-control-allow-credentials"), "true")
    })
  )

  it.effect("a disabled project can be read but not changed", () =>
    Effect.gen(function* () {
      yield* TestClock.withLive(Projects.use((projects) => projects.disable(project, "MANUAL")))
      const refused = yield* send("POST", "/contacts", { email: "a@b.de" })
      assert.deepStrictEqual(
        [refused.status, refused.body.error.code, refused.body.error.details],
        [403, "PROJECT_DISABLED", { reason: "MANUAL" }]
      )
      assert.strictEqual(yield* outcome("POST", "/v1/send", minimal), "403 PROJECT_DISABLED")
      assert.strictEqual((yield* send("GET", "/contacts")).status, 200)
      yield* TestClock.withLive(Projects.use((projects) => projects.enable(project)))
      assert.strictEqual((yield* send("POST", "/contacts", { email: "a@b.de" })).status, 200)
    })
  )
})

const broken = Layer.mock(Contacts, {
  get: () => Effect.die(new Error("password=hunter2 at db.internal:5432")),
  list: () =>
    Effect.die(new SqlError.SqlError({ reason: new SqlError.ConnectionError({ message: "down", cause: "down" }) })),
  upsert: () => {
    const cause = Object.assign(new Error("could not extend file"), { code: "53100" })
    return Effect.die(new SqlError.SqlError({ reason: new SqlError.UnknownError({ message: "failed", cause }) }))
  }
})

layer(wireOver(Layer.merge(services, broken)), { timeout: "60 seconds" })("HTTP with faults of the service", (it) => {
  it.effect("a defect is a 500 without details", () =>
    Effect.gen(function* () {
      const { status, body } = yield* send("GET", "/contacts/019a0000-0000-7000-8000-000000000001")
      assert.deepStrictEqual([status, body.error.code], [500, "INTERNAL_SERVER_ERROR"])
      assert.notMatch(JSON.stringify(body), /hunter2|internal:|at |Error:/)
    })
  )

  it.effect("a full disk is a 503 with its own message, and the process is ready again once it can write", () =>
    Effect.gen(function* () {
      const state = Effect.map(send("GET", "/ready"), ({ body }) => body.checks.database)
      assert.strictEqual(yield* state, "ok")
      const { status, body } = yield* send("POST", "/contacts", { email: "ada@example.com" })
      assert.deepStrictEqual([status, body.error.code], [503, "SERVICE_UNAVAILABLE"])
      assert.match(body.error.message, /^The disk of the database is full/)
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual(yield* state, "ok")
      assert.isFalse(FullDisk.isRemembered())
    }).pipe(Effect.ensuring(FullDisk.forget))
  )

  it.effect("an unreachable database is a 503 with Retry-After", () =>
    Effect.gen(function* () {
      const { status, headers, body } = yield* send("GET", "/contacts")
      assert.deepStrictEqual([status, body.error.code, headers.get("retry-after")], [503, "SERVICE_UNAVAILABLE", "1"])
    })
  )
})
