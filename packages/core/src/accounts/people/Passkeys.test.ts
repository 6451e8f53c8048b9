import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { makeAuthenticator, type Options } from "../../testing/Authenticator.ts"
import { browse, cookieOf, emailsTo, newAddress, person, signUp } from "../../testing/Browser.ts"
import { guarded, pendingToken, second } from "../../testing/SecondFactor.ts"
import { wire } from "../../testing/TestClient.ts"

const path = "/users/@me/passkeys"

const outcome = (...request: Parameters<typeof browse>) =>
  Effect.map(browse(...request), ({ status, body }) => `${status} ${body?.error?.code ?? "ok"}`)

const creation = (cookie: string) => Effect.map(browse(cookie, "POST", `${path}/options`), ({ body }) => body)

const add = Effect.fnUntraced(function* (
  cookie: string,
  device: ReturnType<typeof makeAuthenticator>,
  more: Partial<Options> = {}
) {
  const { challenge } = yield* creation(cookie)
  return yield* browse(cookie, "POST", path, { name: "Laptop", response: device.create({ challenge, ...more }) })
})

const asked = (token?: string) =>
  Effect.map(browse("", "POST", "/auth/passkey/options", token === undefined ? {} : { token }), ({ body }) => body)

const alone = (response: unknown, token?: string) =>
  Effect.map(
    browse("", "POST", "/auth/passkey", { response, ...(token !== undefined && { token }) }),
    ({ status, body, headers }) => ({
      outcome: `${status} ${body?.error?.code ?? "ok"}`,
      cookie: cookieOf(headers),
      data: body?.data
    })
  )

layer(wire, { timeout: "60 seconds" })("Passkeys", (it) => {
  it.effect("are added, listed, reported by email, and log in without a password", () =>
    Effect.gen(function* () {
      const { email, cookie, id: user } = yield* person("keyed")
      const device = makeAuthenticator()
      const options = yield* creation(cookie)
      assert.deepInclude(options, { attestation: "none", excludeCredentials: [] })
      assert.deepStrictEqual(options.rp, { id: "posthorn.example", name: "Posthorn" })
      assert.strictEqual(Buffer.from(options.user.id, "base64url").toString(), user)
      const { status, body } = yield* add(cookie, device)
      assert.strictEqual(status, 201)
      assert.deepStrictEqual(Object.keys(body), ["id", "name", "createdAt", "lastUsedAt"])
      assert.strictEqual((yield* emailsTo(email)).at(-1)?.subject, "A passkey was added")
      assert.deepStrictEqual((yield* browse(cookie, "GET", path)).body, [body])
      assert.strictEqual((yield* creation(cookie)).excludeCredentials[0].id, device.id)
      const { challenge, allowCredentials, userVerification } = yield* asked()
      assert.deepStrictEqual([allowCredentials, userVerification], [[], "required"])
      const done = yield* alone(device.get({ challenge }))
      assert.deepStrictEqual([done.outcome, done.data], ["200 ok", { id: user, email }])
      assert.strictEqual(yield* outcome(done.cookie ?? "", "GET", "/users/@me"), "200 ok")
      assert.isNotNull((yield* browse(cookie, "GET", path)).body[0].lastUsedAt)
    })
  )

  it.effect("an answer is verified, and valid once, within five minutes, for its challenge, origin and service", () =>
    Effect.gen(function* () {
      const { cookie } = yield* person("strict")
      const device = makeAuthenticator()
      yield* add(cookie, device)
      const refused = "401 INVALID_CREDENTIALS"
      const attempt = (more: Partial<Options>) =>
        Effect.flatMap(asked(), ({ challenge }) => alone(device.get({ challenge, ...more })))
      for (const wrong of [
        { origin: "https://evil.example" },
        { origin: "http://posthorn.example" },
        { rpId: "evil.example" },
        { verified: false },
        { challenge: Buffer.alloc(32).toString("base64url") },
        { challenge: "" }
      ]) {
        const { outcome, cookie } = yield* attempt(wrong)
        assert.deepStrictEqual([outcome, cookie], [refused, undefined], JSON.stringify(wrong))
      }
      assert.strictEqual((yield* attempt({ origin: "https://dashboard.example" })).outcome, "200 ok")
      const { challenge } = yield* asked()
      const answer = device.get({ challenge })
      const tries = yield* Effect.all(
        Array.from({ length: 5 }, () => alone(answer)),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(tries.map(({ outcome }) => outcome).sort(), ["200 ok", refused, refused, refused, refused])
      const late = yield* asked()
      yield* TestClock.adjust("5 minutes")
      assert.strictEqual((yield* alone(device.get({ challenge: late.challenge }))).outcome, refused)
      const forged = yield* asked()
      const right = device.get({ challenge: forged.challenge })
      const other = makeAuthenticator().get({ challenge: forged.challenge })
      assert.strictEqual((yield* alone({ ...other, id: right.id, rawId: right.rawId })).outcome, refused)
      assert.strictEqual((yield* attempt({})).outcome, "200 ok")
    })
  )

  it.effect("a counter that does not grow is refused, since the key may be a copy", () =>
    Effect.gen(function* () {
      const { cookie } = yield* person("cloned")
      const device = makeAuthenticator()
      yield* add(cookie, device, { counter: 7 })
      const use = (counter: number) =>
        Effect.flatMap(asked(), ({ challenge }) =>
          Effect.map(alone(device.get({ challenge, counter })), ({ outcome }) => outcome)
        )
      assert.strictEqual(yield* use(7), "401 INVALID_CREDENTIALS")
      assert.strictEqual(yield* use(9), "200 ok")
      assert.strictEqual(yield* use(8), "401 INVALID_CREDENTIALS")
      assert.strictEqual(yield* use(10), "200 ok")
    })
  )

  it.effect("a registration is valid once, in its session, for a new credential", () =>
    Effect.gen(function* () {
      const one = yield* person("one")
      const two = yield* person("two")
      const device = makeAuthenticator()
      const { challenge } = yield* creation(one.cookie)
      const response = device.create({ challenge })
      const body = { name: "Laptop", response }
      assert.strictEqual(yield* outcome(two.cookie, "POST", path, body), "401 INVALID_CREDENTIALS")
      assert.strictEqual(yield* outcome(one.cookie, "POST", path, body), "201 ok")
      assert.strictEqual(yield* outcome(one.cookie, "POST", path, body), "401 INVALID_CREDENTIALS")
      assert.strictEqual((yield* add(two.cookie, device)).body.error.details.reason, "passkey_exists")
      for (const more of [{ origin: "https://evil.example" }, { rpId: "evil.example" }]) {
        assert.strictEqual((yield* add(two.cookie, makeAuthenticator(), more)).status, 401)
      }
      const login = yield* asked()
      const mixed = makeAuthenticator().create({ challenge: login.challenge })
      assert.strictEqual(
        yield* outcome(two.cookie, "POST", path, { name: "x", response: mixed }),
        "401 INVALID_CREDENTIALS"
      )
    })
  )

  it.effect("are removed by their id, only by their own account", () =>
    Effect.gen(function* () {
      const mine = yield* person("mine")
      const stranger = yield* signUp(newAddress("stranger"))
      const device = makeAuthenticator()
      const { id } = (yield* add(mine.cookie, device)).body
      for (const wrong of [id, "no-uuid", "019a0000-0000-7000-8000-0000000000ff"]) {
        assert.strictEqual(
          yield* outcome(stranger.cookie, "DELETE", `${path}/${wrong}`),
          "404 RESOURCE_NOT_FOUND",
          wrong
        )
      }
      assert.deepStrictEqual((yield* browse(stranger.cookie, "GET", path)).body, [])
      assert.strictEqual((yield* browse(mine.cookie, "DELETE", `${path}/${id}`)).status, 204)
      assert.strictEqual((yield* emailsTo(mine.email)).at(-1)?.subject, "A passkey was removed")
      const { challenge } = yield* asked()
      assert.strictEqual((yield* alone(device.get({ challenge }))).outcome, "401 INVALID_CREDENTIALS")
    })
  )

  it.effect("are a second factor for logins of their own account, at both endpoints", () =>
    Effect.gen(function* () {
      const { email, cookie } = yield* guarded("second")
      const other = yield* person("other")
      const device = makeAuthenticator()
      const foreign = makeAuthenticator()
      yield* add(cookie, device)
      yield* add(other.cookie, foreign)
      const token = yield* pendingToken(email)
      const { allowCredentials, challenge } = yield* asked(token)
      assert.deepStrictEqual(
        allowCredentials.map(({ id }: { id: string }) => id),
        [device.id]
      )
      const response = device.get({ challenge, verified: false })
      const elsewhere = yield* alone(device.get({ challenge }))
      assert.strictEqual(elsewhere.outcome, "401 INVALID_CREDENTIALS", "bound to the login that waits")
      const wrong = yield* asked(token)
      assert.strictEqual(
        (yield* second({ token, passkey: foreign.get({ challenge: wrong.challenge }) })).outcome,
        "401 INVALID_CREDENTIALS"
      )
      assert.strictEqual(response.id, device.id)
      const third = yield* asked(token)
      const done = yield* second({ token, passkey: device.get({ challenge: third.challenge, verified: false }) })
      assert.strictEqual(done.outcome, "200 ok")
      const again = yield* pendingToken(email)
      const fourth = yield* asked(again)
      assert.strictEqual(
        (yield* alone(device.get({ challenge: fourth.challenge, verified: false }), again)).outcome,
        "200 ok"
      )
      assert.strictEqual(yield* outcome("", "POST", "/auth/passkey/options", { token: "x" }), "400 INVALID_TOKEN")
    })
  )

  it.effect("invalid bodies are refused with a clear message", () =>
    Effect.gen(function* () {
      const { cookie } = yield* person("bodies")
      const { challenge } = yield* creation(cookie)
      const right = makeAuthenticator().create({ challenge })
      for (const response of [
        {},
        { ...right, type: "x" },
        { ...right, id: "a".repeat(2_000) },
        { ...right, id: "!" }
      ]) {
        assert.strictEqual(
          yield* outcome(cookie, "POST", path, { name: "x", response }),
          "422 VALIDATION_ERROR",
          JSON.stringify(response)
        )
      }
      for (const clientDataJSON of ["AAAA", Buffer.from("null").toString("base64url"), "A"]) {
        const response = { ...right, response: { ...right.response, clientDataJSON } }
        assert.strictEqual(yield* outcome(cookie, "POST", path, { name: "x", response }), "401 INVALID_CREDENTIALS")
      }
      const garbage = { ...right, response: { ...right.response, attestationObject: "o2NmbXRk" } }
      assert.strictEqual(
        yield* outcome(cookie, "POST", path, { name: "x", response: garbage }),
        "401 INVALID_CREDENTIALS"
      )
    })
  )

  it.effect("the database holds neither challenges nor tokens", () =>
    Effect.gen(function* () {
      const { cookie } = yield* person("stored")
      const { challenge } = yield* creation(cookie)
      const sql = yield* SqlClient.SqlClient
      assert.notInclude(JSON.stringify(yield* sql`select * from passkey_challenges`), challenge)
    })
  )
})
