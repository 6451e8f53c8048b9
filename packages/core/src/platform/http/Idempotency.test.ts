import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Projects } from "../../accounts/projects/Projects.ts"
import { Domains } from "../../mail/domains/Domains.ts"
import { project, publicKey } from "../../testing/Services.ts"
import { send, wire } from "../../testing/TestClient.ts"
import publicIdempotencyKeys from "../migrations/0050_public_idempotency_keys.ts"

const track = (body: unknown, headers: Record<string, string>) =>
  send("POST", "/v1/track", body, { authorization: `Bearer ${publicKey}`, ...headers })

const event = { email: "idem@example.com", event: "ordered" }

const stored = (email: string) =>
  SqlClient.SqlClient.use(
    (sql) => sql`select events.id from events join contacts on contacts.id = contact_id where email = ${email}`
  ).pipe(Effect.map((rows) => rows.length))

layer(wire, { timeout: "60 seconds" })("Idempotency-Key", (it) => {
  it.effect("a second use is refused, and the error names the first", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2026, 10, 20, 15, 4, 5, 123))
      const first = yield* track(event, { "idempotency-key": "order-4711" })
      const second = yield* track({ ...event, event: "other" }, { "idempotency-key": "order-4711" })
      assert.deepStrictEqual([first.status, second.status], [200, 409])
      assert.strictEqual(second.body.error.code, "IDEMPOTENCY_KEY_REUSED")
      assert.deepStrictEqual(second.body.error.details, {
        key: "order-4711",
        originalRequest: "POST /v1/track",
        originalRequestAt: "2026-11-20T15:04:05.123Z",
        originalStatusCode: 200
      })
      assert.strictEqual(yield* stored(event.email), 1)
    })
  )

  it.effect("replay repeats the response to an identical request, for any formatting of its JSON", () =>
    Effect.gen(function* () {
      const headers = { "idempotency-key": "replayed", "idempotency-mode": "replay" }
      const email = "replay@example.com"
      const first = yield* track(`{"email":"${email}","event":"a","data":{"x":1,"y":2}}`, headers)
      const again = yield* track(`{ "data": {"y": 2, "x": 1}, "event":"a", "email":"${email}" }`, headers)
      assert.deepStrictEqual([again.status, again.body], [200, first.body])
      assert.strictEqual(again.headers.get("idempotency-replayed"), "true")
      assert.isNull(first.headers.get("idempotency-replayed"))
      const other = yield* track({ email, event: "b" }, headers)
      assert.strictEqual(other.status, 409)
      assert.strictEqual(yield* stored(email), 1)
    })
  )

  it.effect("a refused request frees its key", () =>
    Effect.gen(function* () {
      const headers = { "idempotency-key": "corrected" }
      assert.strictEqual((yield* track({ email: "no" }, headers)).status, 422)
      assert.strictEqual((yield* track("{", headers)).status, 400)
      assert.strictEqual((yield* track({ ...event, email: "corrected@example.com" }, headers)).status, 200)
    })
  )

  it.effect("of fifty concurrent requests one is done, the others are refused", () =>
    Effect.gen(function* () {
      const email = "fifty@example.com"
      const answers = yield* Effect.all(
        Array.from({ length: 50 }, () => track({ ...event, email }, { "idempotency-key": "fifty" })),
        { concurrency: "unbounded" }
      )
      const statuses = answers.map(({ status }) => status)
      assert.strictEqual(statuses.filter((status) => status === 200).length, 1)
      assert.strictEqual(statuses.filter((status) => status === 409).length, 49)
      assert.strictEqual(yield* stored(email), 1)
    })
  )

  it.effect("expires after its time and not before", () =>
    Effect.gen(function* () {
      const headers = { "idempotency-key": "daily" }
      const body = { ...event, email: "daily@example.com" }
      assert.strictEqual((yield* track(body, headers)).status, 200)
      yield* TestClock.adjust("23 hours")
      assert.strictEqual((yield* track(body, headers)).status, 409)
      yield* TestClock.adjust("61 minutes")
      assert.strictEqual((yield* track(body, headers)).status, 200)
    })
  )

  it.effect("a key whose first request died can be used again after its lease", () =>
    Effect.gen(function* () {
      const headers = { "idempotency-key": "orphan" }
      const body = { ...event, email: "orphan@example.com" }
      yield* track(body, headers)
      yield* SqlClient.SqlClient.use(
        (sql) => sql`update idempotency_keys set status = null, body = null where key like '%orphan'`
      )
      const running = yield* track(body, { ...headers, "idempotency-mode": "replay" })
      assert.deepStrictEqual([running.status, running.headers.get("retry-after")], [409, "1"])
      assert.notProperty(running.body.error.details, "originalStatusCode")
      yield* SqlClient.SqlClient.use(
        (sql) =>
          sql`update idempotency_keys set lease_until = clock_timestamp() - interval '1 second' where key like '%orphan'`
      )
      assert.strictEqual((yield* track(body, headers)).status, 200)
    })
  )

  it.effect.each([
    [{ "idempotency-key": "" }, "Idempotency-Key", "invalid_string"],
    [{ "idempotency-key": "x".repeat(256) }, "Idempotency-Key", "invalid_string"],
    [{ "idempotency-key": "clé" }, "Idempotency-Key", "invalid_string"],
    [{ "idempotency-key": "good", "idempotency-mode": "maybe" }, "Idempotency-Mode", "invalid_enum"]
  ] as const)("%j is refused with its field", ([headers, field, code]) =>
    Effect.gen(function* () {
      const { status, body } = yield* track(event, headers)
      assert.deepStrictEqual([status, body.error.errors[0].field, body.error.errors[0].code], [422, field, code])
    })
  )

  it.effect("keys of different projects are independent", () =>
    Effect.gen(function* () {
      const { keys } = yield* Projects.use((projects) => projects.create("Other"))
      const headers = { "idempotency-key": "everybody's" }
      const body = { ...event, email: "everybody@example.com" }
      const theirs = { ...headers, authorization: `Bearer ${keys.publicKey}` }
      assert.strictEqual((yield* track(body, headers)).status, 200)
      assert.strictEqual((yield* track(body, theirs)).status, 200)
      assert.deepStrictEqual([(yield* track(body, headers)).status, (yield* track(body, theirs)).status], [409, 409])
      assert.strictEqual(yield* stored(body.email), 2)
    })
  )

  it.effect("requests with the public key neither use nor reveal keys of other requests", () =>
    Effect.gen(function* () {
      yield* Domains.use((domains) => domains.add(project, { domain: "verified.test" }))
      const headers = { "idempotency-key": "shared" }
      const body = { ...event, email: "shared@example.com" }
      const mail = { from: "a@verified.test", to: "b@example.com", subject: "Hi", body: "<p>Hi</p>" }
      assert.strictEqual((yield* track(body, headers)).status, 200)
      assert.strictEqual((yield* send("POST", "/v1/send", mail, headers)).status, 200)
      const [again, mailedAgain] = [yield* track(body, headers), yield* send("POST", "/v1/send", mail, headers)]
      assert.deepStrictEqual(
        [again, mailedAgain].map((answer) => [
          answer.status,
          answer.body.error.details.key,
          answer.body.error.details.originalRequest
        ]),
        [
          [409, "shared", "POST /v1/track"],
          [409, "shared", "POST /v1/send"]
        ]
      )
    })
  )

  it.effect("keys that were used before the spaces were separated stay used", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const headers = { "idempotency-key": "of old" }
      const body = { ...event, email: "old@example.com" }
      yield* track(body, headers)
      yield* sql`update idempotency_keys set key = 'of old' where key = 'public' || chr(10) || 'of old'`
      yield* publicIdempotencyKeys
      assert.strictEqual((yield* track(body, headers)).status, 409)
    })
  )

  it.effect("other endpoints ignore the header", () =>
    Effect.gen(function* () {
      const headers = { "idempotency-key": "shared" }
      assert.strictEqual((yield* send("POST", "/contacts", { email: "free@example.com" }, headers)).status, 201)
    })
  )
})
