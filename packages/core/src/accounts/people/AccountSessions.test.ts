import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { networkOf } from "../../platform/http/ClientLimit.ts"
import { browse, cookieOf, newAddress, password, signUp } from "../../testing/Browser.ts"
import { send, wire } from "../../testing/TestClient.ts"

const login = (email: string, headers: Record<string, string> = {}) =>
  Effect.map(
    browse("", "POST", "/auth/login", { email, password }, headers),
    (answer) => cookieOf(answer.headers) ?? ""
  )

const list = (cookie: string) =>
  Effect.map(
    browse(cookie, "GET", "/users/@me/sessions"),
    ({ body }) =>
      body as ReadonlyArray<{
        id: string
        current: boolean
        createdAt: string
        lastSeenAt: string
        network: string | null
        userAgent: string | null
      }>
  )

const status = (cookie: string) => Effect.map(browse(cookie, "GET", "/users/@me"), (answer) => answer.status)

layer(wire, { timeout: "60 seconds" })("Sessions of an account", (it) => {
  it.effect("are listed with their network and user agent, without control characters and shortened", () =>
    Effect.gen(function* () {
      const { email, cookie } = yield* signUp(newAddress("listed"))
      const second = yield* login(email, {
        "user-agent": `Phone\u00ad\u200e 1.0 ${"x".repeat(2_000)}`.replace(/[^\x20-\xff]/g, "")
      })
      const found = yield* list(cookie)
      assert.strictEqual(found.length, 2)
      assert.deepStrictEqual(Object.keys(found[0] ?? {}).sort(), [
        "createdAt",
        "current",
        "id",
        "lastSeenAt",
        "network",
        "userAgent"
      ])
      assert.deepStrictEqual(found.filter(({ current }) => current).length, 1)
      const other = found.find(({ current }) => !current)
      assert.strictEqual(other?.userAgent?.length, 256)
      assert.isTrue(other?.userAgent?.startsWith("Phone 1.0 xxx"))
      assert.strictEqual((yield* list(second)).find(({ current }) => current)?.id, other?.id)
    })
  )

  it.effect("record their last use once a minute, not at each request", () =>
    Effect.gen(function* () {
      const { cookie } = yield* signUp(newAddress("noted"))
      const seen = Effect.map(list(cookie), ([only]) => Date.parse(only?.lastSeenAt ?? ""))
      const first = yield* seen
      yield* TestClock.adjust("59 seconds")
      assert.strictEqual(yield* seen, first)
      const sql = yield* SqlClient.SqlClient
      const version = sql`select xmin::text, ctid::text from sessions`
      const before = yield* version
      yield* status(cookie)
      assert.deepStrictEqual(yield* version, before)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* seen, first + 60_000)
    })
  )

  it.effect("are ended by their id, only by their own account", () =>
    Effect.gen(function* () {
      const mine = yield* signUp(newAddress("mine"))
      const other = yield* login(mine.email)
      const stranger = yield* signUp(newAddress("stranger"))
      const id = (yield* list(mine.cookie)).find(({ current }) => !current)?.id ?? ""
      for (const wrong of [id, "no-uuid", "019a0000-0000-7000-8000-0000000000ff"]) {
        const refused = yield* browse(stranger.cookie, "DELETE", `/users/@me/sessions/${wrong}`)
        assert.deepStrictEqual([refused.status, refused.body.error.code], [404, "RESOURCE_NOT_FOUND"], wrong)
      }
      assert.strictEqual(yield* status(other), 200)
      assert.strictEqual((yield* browse(mine.cookie, "DELETE", `/users/@me/sessions/${id}`)).status, 204)
      assert.strictEqual(yield* status(other), 401)
      assert.strictEqual((yield* browse(mine.cookie, "DELETE", `/users/@me/sessions/${id}`)).status, 404)
      assert.strictEqual((yield* list(mine.cookie)).length, 1)
      const own = (yield* list(mine.cookie))[0]?.id ?? ""
      const ended = yield* browse(mine.cookie, "DELETE", `/users/@me/sessions/${own}`)
      assert.deepStrictEqual([ended.status, cookieOf(ended.headers)], [204, ""])
      assert.strictEqual(yield* status(mine.cookie), 401)
    })
  )

  it.effect("all end except the current one, also those without a row", () =>
    Effect.gen(function* () {
      const { email, cookie } = yield* signUp(newAddress("others"))
      const other = yield* login(email)
      const older = yield* login(email)
      const stranger = yield* signUp(newAddress("unharmed"))
      const sql = yield* SqlClient.SqlClient
      const olderId = JSON.parse(atob(older.split(".")[1] ?? "")).jti
      yield* sql`delete from sessions where id = ${olderId}`
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual((yield* browse(cookie, "DELETE", "/users/@me/sessions")).status, 204)
      assert.deepStrictEqual(
        [yield* status(cookie), yield* status(other), yield* status(older), yield* status(stranger.cookie)],
        [200, 401, 401, 200]
      )
      assert.strictEqual((yield* list(cookie)).length, 1)
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual(yield* status(yield* login(email)), 200)
    })
  )

  it.effect("leave the list after a new password, when they expire, and after logout", () =>
    Effect.gen(function* () {
      const { email, cookie } = yield* signUp(newAddress("leaving"))
      yield* browse(yield* login(email), "GET", "/auth/logout")
      assert.strictEqual((yield* list(cookie)).length, 1)
      yield* login(email)
      const changed = yield* browse(cookie, "POST", "/users/@me/password", {
        currentPassword: password,
        newPassword: "a new battery"
      })
      assert.strictEqual((yield* list(cookieOf(changed.headers) ?? "")).length, 1)
    })
  )

  it.effect("have a cookie with the __Host- prefix; one without it is still read, and replaced", () =>
    Effect.gen(function* () {
      const email = newAddress("prefixed")
      const { headers } = yield* browse("", "POST", "/auth/signup", { email, password })
      const [set = ""] = headers.getSetCookie()
      assert.match(set, /^__Host-posthorn_session=/)
      assert.include(set, "Secure")
      assert.include(set, "Path=/")
      assert.notMatch(set, /Domain/i)
      const cookie = cookieOf(headers) ?? ""
      const old = yield* send("GET", "/users/@me", undefined, {
        authorization: "",
        cookie: `posthorn_session=${cookie}`
      })
      assert.strictEqual(old.status, 200)
      const moved = old.headers.getSetCookie().map((text) => text.split(";")[0])
      assert.deepStrictEqual(moved, [`__Host-posthorn_session=${cookie}`, "posthorn_signed_in=1", "posthorn_session="])
      const both = yield* send("GET", "/users/@me", undefined, {
        authorization: "",
        cookie: `posthorn_session=planted; __Host-posthorn_session=${cookie}`
      })
      assert.strictEqual(both.status, 200)
    })
  )

  it.effect("show a network, not an IP address", () =>
    Effect.sync(() => {
      assert.strictEqual(networkOf("192.0.2.77"), "192.0.2.0/24")
      assert.strictEqual(networkOf("::ffff:192.0.2.77"), "192.0.2.0/24")
      assert.strictEqual(networkOf("2001:db8:1:2::9"), "2001:db8:1:2::/64")
    })
  )
})
