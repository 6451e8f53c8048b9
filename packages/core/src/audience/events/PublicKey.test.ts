/** The limits of the public key, which anyone who opens the page can read. */
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { Projects } from "../../accounts/projects/Projects.ts"
import { project, publicKey } from "../../testing/Services.ts"
import { outcome, send, wire } from "../../testing/TestClient.ts"
import { callsOfContact } from "./PublicCalls.ts"

const shop = "https://shop.example"

const track = (body: object, headers: Record<string, string> = {}) =>
  send("POST", "/v1/track", { event: "seen", ...body }, { authorization: `Bearer ${publicKey}`, ...headers })

const contactAt = (email: string) => Effect.map(send("GET", `/contacts?search=${email}`), ({ body }) => body.data[0])

/** Changes the policy and waits until no process has the old one cached. */
const under = Effect.fnUntraced(function* (publicKeyPolicy: object) {
  const projects = yield* Projects
  const changing = yield* Effect.forkChild(projects.update(project, { publicKeyPolicy }))
  yield* TestClock.adjust("2 seconds")
  yield* Fiber.join(changing)
  yield* TestClock.adjust("2 minutes")
})

const everything = { subscribe: true, overwrite: true, origins: [] }

layer(wire, { timeout: "60 seconds" })("The public key", (it) => {
  it.effect("subscribes and overwrites by default", () =>
    Effect.gen(function* () {
      yield* under(everything)
      const { status, body } = yield* track({ email: "first@example.com", data: { plan: "pro" } })
      const made = yield* contactAt("first@example.com")
      assert.deepStrictEqual([status, body.data.contact, made.subscribed], [200, made.id, true])
      yield* track({ email: "first@example.com", subscribed: false, data: { plan: "free" } })
      assert.deepInclude(yield* contactAt("first@example.com"), { subscribed: false, data: { plan: "free" } })
    })
  )

  it.effect("subscribes no contact if the policy forbids it", () =>
    Effect.gen(function* () {
      yield* under({ ...everything, subscribe: false })
      const refused = yield* track({ email: "second@example.com", subscribed: true })
      assert.deepStrictEqual([refused.status, refused.body.error.errors[0].field], [422, "subscribed"])
      assert.isUndefined(yield* contactAt("second@example.com"))
      yield* track({ email: "second@example.com" })
      assert.isFalse((yield* contactAt("second@example.com")).subscribed)
      assert.strictEqual((yield* track({ email: "second@example.com", subscribed: false })).status, 200)
    })
  )

  it.effect("without permission to overwrite, it changes no known contact and does not reveal whether one exists", () =>
    Effect.gen(function* () {
      yield* under({ ...everything, overwrite: false })
      yield* send("POST", "/contacts", { email: "third@example.com", subscribed: true, data: { plan: "pro" } })
      const known = yield* track({
        email: "Third@example.com",
        subscribed: false,
        data: { plan: "stolen", other: 1 }
      })
      const unknown = yield* track({ email: "fourth@example.com", data: { plan: "free" } })
      assert.deepStrictEqual(
        [known.body.data.contact, unknown.body.data.contact],
        ["third@example.com", "fourth@example.com"]
      )
      assert.deepStrictEqual(Object.keys(known.body.data), Object.keys(unknown.body.data))
      const third = yield* contactAt("third@example.com")
      assert.deepInclude(third, { subscribed: true, data: { plan: "pro" } })
      assert.deepInclude(yield* contactAt("fourth@example.com"), { subscribed: true, data: { plan: "free" } })
      const { body: events } = yield* send("GET", `/events/contact/${third.id}`)
      assert.strictEqual(events.data.filter(({ name }: { readonly name: string }) => name === "seen").length, 1)
      // The policy does not limit the secret key.
      yield* send("POST", "/events/track", { email: "third@example.com", event: "paid", data: { plan: "max" } })
      assert.deepInclude((yield* contactAt("third@example.com")).data, { plan: "max" })
    })
  )

  it.effect("is accepted only from allowed origins", () =>
    Effect.gen(function* () {
      yield* under({ ...everything, origins: [shop] })
      const ask = (headers: Record<string, string>) => track({ email: "fifth@example.com" }, headers)
      const from = yield* ask({ origin: shop })
      assert.deepStrictEqual([from.status, from.headers.get("access-control-allow-origin")], [200, "*"])
      for (const headers of [{ origin: "https://evil.example" }, { origin: "null" }, { origin: `${shop}:8443` }, {}]) {
        const { status, body } = yield* ask(headers)
        assert.deepStrictEqual([status, body.error.code, body.error.details], [403, "FORBIDDEN", { reason: "origin" }])
      }
      const preflight = { origin: shop, "access-control-request-method": "POST" }
      assert.strictEqual((yield* send("OPTIONS", "/v1/track", undefined, preflight)).status, 204)
      assert.strictEqual(yield* outcome("GET", "/contacts"), "200 ok")
      yield* under(everything)
    })
  )

  it.effect("is limited per minute for one contact", () =>
    Effect.gen(function* () {
      yield* under(everything)
      const all = yield* Effect.forEach(
        Array.from({ length: callsOfContact + 1 }, (_, at) => at),
        () => track({ email: "flood@example.com" })
      )
      const statuses = all.map(({ status }) => status)
      assert.deepStrictEqual([statuses.indexOf(429), statuses.lastIndexOf(200)], [callsOfContact, callsOfContact - 1])
      assert.isAtLeast(Number(all.at(-1)?.headers.get("retry-after")), 1)
      assert.strictEqual((yield* track({ email: "other@example.com" })).status, 200)
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* track({ email: "flood@example.com" })).status, 200)
    })
  )
})
