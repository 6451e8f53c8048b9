import { assert, layer } from "@effect/vitest"
import { AccountId } from "@posthorn/contract/platform/Auth"
import { Effect, Layer, Option, Redacted } from "effect"
import { Kdf } from "effect/crypto"
import { TestClock } from "effect/testing"
import { SignJWT, UnsecuredJWT } from "jose"
import { Secrets } from "../../platform/Secrets.ts"
import { browse, cookieOf, newAddress, signUp } from "../../testing/Browser.ts"
import { project, secrets } from "../../testing/Services.ts"
import { wire } from "../../testing/TestClient.ts"
import * as Sessions from "./Sessions.ts"

const utf8 = new TextEncoder()

/** The key that signs sessions under a secret. */
const keyOf = (secret: string) =>
  Kdf.Kdf.use((kdf) =>
    kdf.derive(Kdf.hkdfSha256, utf8.encode(secret), {
      salt: new Uint8Array(),
      info: utf8.encode("posthorn/session"),
      length: 32
    })
  )

const secret = "0123456789abcdef0123456789abcdef"

const me = (cookie: string) =>
  Effect.map(browse(cookie, "GET", "/users/@me"), ({ status, body }) => `${status} ${body.error?.code ?? "ok"}`)

const claimsOf = (cookie: string) =>
  JSON.parse(atob(cookie.split(".")[1]?.replaceAll("-", "+").replaceAll("_", "/") ?? ""))

const sessionsUnder = (current: string, ...previous: ReadonlyArray<Redacted.Redacted<string>>) =>
  Effect.map(
    Layer.build(
      Layer.fresh(
        Sessions.layer.pipe(Layer.provide(Layer.succeed(Secrets, { current: Redacted.make(current), previous })))
      )
    ),
    (context) => Effect.provideContext(Sessions.Sessions, context)
  )

layer(wire, { timeout: "60 seconds" })("Sessions", (it) => {
  it.effect("only a token signed with HS256 and this secret is a session", () =>
    Effect.gen(function* () {
      const { cookie } = yield* signUp(newAddress("forged"))
      assert.strictEqual(yield* me(cookie), "200 ok")
      const { sub, sv, jti, iat, exp } = claimsOf(cookie)
      assert.deepStrictEqual(Object.keys(claimsOf(cookie)).sort(), ["exp", "iat", "jti", "sub", "sv"])
      assert.strictEqual(exp - iat, 7 * 24 * 60 * 60)
      const right = yield* keyOf(secret)
      const signed = (alg: string, key: Uint8Array, claims: object) =>
        Effect.promise(() => new SignJWT({ sv, ...claims }).setProtectedHeader({ alg }).sign(key))
      const claims = { sub, jti, iat, exp }
      assert.strictEqual(
        yield* me(yield* signed("HS256", right, claims)),
        "200 ok",
        "this test signs with the right key"
      )
      const [head = "", payload = "", tag = ""] = cookie.split(".")
      const none = new UnsecuredJWT({ sv, ...claims }).encode()
      const long = new Uint8Array(64)
      long.set(right)
      const forged = [
        none,
        `${none}${tag}`,
        `${btoa('{"alg":"none"}').replaceAll("=", "")}.${payload}.${tag}`,
        `${head}.${payload}.`,
        `${head}.${payload}.${tag.slice(0, -4)}AAAA`,
        `${head}.${btoa(JSON.stringify({ ...claims, sv: sv + 1 })).replaceAll("=", "")}.${tag}`,
        yield* signed("HS512", long, claims),
        yield* signed("HS256", yield* keyOf("another secret of thirty-two bytes"), claims),
        yield* signed("HS256", utf8.encode(secret), claims),
        yield* signed("HS256", right, { ...claims, sv: sv + 1 }),
        yield* signed("HS256", right, { ...claims, exp: iat - 1 }),
        yield* signed("HS256", right, { sub, jti, iat }),
        yield* signed("HS256", right, { sub, iat, exp }),
        yield* signed("HS256", right, { ...claims, sub: project }),
        yield* signed("HS256", right, { ...claims, sub: "no-uuid" }),
        yield* signed("HS256", right, { ...claims, sv: "1 or true" }),
        "x",
        "...",
        "a".repeat(7_000)
      ]
      for (const token of forged) {
        const answer = yield* browse(token, "GET", "/users/@me")
        assert.strictEqual(answer.body.error?.code, "UNAUTHORIZED", token)
        assert.deepStrictEqual([answer.status, cookieOf(answer.headers)], [401, ""], token)
      }
      assert.strictEqual(yield* me(""), "401 UNAUTHORIZED")
      assert.strictEqual(yield* me(cookie), "200 ok")
    })
  )

  it.effect("a session ends after seven days without use; a use after a day renews the token", () =>
    Effect.gen(function* () {
      const { cookie } = yield* signUp(newAddress("old"))
      yield* TestClock.adjust("24 hours")
      assert.isUndefined(cookieOf((yield* browse(cookie, "GET", "/users/@me")).headers))
      yield* TestClock.adjust("1 minute")
      const fresh = cookieOf((yield* browse(cookie, "GET", "/users/@me")).headers) ?? ""
      assert.strictEqual(claimsOf(fresh).jti, claimsOf(cookie).jti)
      yield* TestClock.adjust("6 days")
      assert.strictEqual(yield* me(cookie), "401 UNAUTHORIZED")
      assert.strictEqual(yield* me(fresh), "200 ok")
      yield* TestClock.adjust("1 day")
      assert.strictEqual(yield* me(fresh), "401 UNAUTHORIZED")
    })
  )

  it.effect("logging out ends the older tokens of the same session too", () =>
    Effect.gen(function* () {
      const { cookie } = yield* signUp(newAddress("renewed"))
      yield* TestClock.adjust("25 hours")
      const fresh = cookieOf((yield* browse(cookie, "GET", "/users/@me")).headers) ?? ""
      yield* browse(fresh, "GET", "/auth/logout")
      assert.deepStrictEqual([yield* me(fresh), yield* me(cookie)], ["401 UNAUTHORIZED", "401 UNAUTHORIZED"])
    })
  )

  it.effect("previous secrets verify and do not sign; the cookie is replaced at its next use", () =>
    Effect.gen(function* () {
      const { id, cookie } = yield* signUp(newAddress("rotated"))
      const old = (yield* Secrets).current
      const rotated = yield* yield* sessionsUnder(
        "another secret of thirty-two bytes",
        Redacted.make("s".repeat(32)),
        old
      )
      const dropped = yield* yield* sessionsUnder("another secret of thirty-two bytes")
      const { user, renewed } = yield* rotated.authenticate(Redacted.make(cookie))
      assert.strictEqual(user.id, id)
      assert.strictEqual((yield* dropped.authenticate(Option.getOrThrow(renewed))).user.id, id)
      const next = yield* rotated.open({ id: AccountId.make(id), sessionVersion: 1 })
      assert.strictEqual((yield* dropped.authenticate(next)).user.id, id)
      assert.strictEqual((yield* Effect.flip(dropped.authenticate(Redacted.make(cookie))))._tag, "UNAUTHORIZED")
      assert.strictEqual(yield* me(Redacted.value(next)), "401 UNAUTHORIZED")
    }).pipe(Effect.provide(secrets))
  )

  it.effect("only allowed origins write with a session, log out, or sign in", () =>
    Effect.gen(function* () {
      const { cookie, email } = yield* signUp(newAddress("cross"))
      const rows = [
        [{ origin: "https://posthorn.example" }, true],
        [{ origin: "https://dashboard.example" }, true],
        [{ origin: "https://dashboard.example", "sec-fetch-site": "cross-site" }, true],
        [{ origin: "https://evil.example" }, false],
        [{ origin: "https://evil.example", "sec-fetch-site": "same-origin" }, false],
        [{ origin: "https://posthorn.example.evil.example" }, false],
        [{ origin: "http://posthorn.example" }, false],
        [{ origin: "null" }, false],
        [{ "sec-fetch-site": "same-origin" }, true],
        [{ "sec-fetch-site": "none" }, true],
        [{ "sec-fetch-site": "same-site" }, false],
        [{ "sec-fetch-site": "cross-site" }, false],
        [{}, true]
      ] as const
      const requests = [
        [cookie, "POST", "/users/@me/projects", {}],
        ["", "POST", "/auth/login", { email: newAddress("nobody"), password: "wrong horse" }],
        ["", "POST", "/auth/request-password-reset", { email }],
        ["", "GET", "/auth/logout", undefined]
      ] as const
      for (const [headers, allowed] of rows) {
        for (const [session, method, path, body] of requests) {
          const answer = yield* browse(session, method, path, body, headers)
          const about = `${method} ${path} ${JSON.stringify(headers)}`
          if (allowed) assert.notStrictEqual(answer.status, 403, about)
          else assert.deepStrictEqual([answer.status, answer.body.error.details], [403, { reason: "origin" }], about)
        }
        assert.strictEqual((yield* browse(cookie, "GET", "/users/@me", undefined, headers)).status, 200)
      }
      assert.strictEqual(yield* me(cookie), "200 ok")
    })
  )

  it.effect("a user may make 300 requests a minute", () =>
    Effect.gen(function* () {
      const { cookie } = yield* signUp(newAddress("busy"))
      const answers = yield* Effect.all(
        Array.from({ length: 305 }, () => me(cookie)),
        { concurrency: 8 }
      )
      assert.strictEqual(answers.filter((found) => found === "200 ok").length, 300)
      assert.strictEqual(answers.filter((found) => found === "429 RATE_LIMIT_EXCEEDED").length, 5)
    })
  )
})
