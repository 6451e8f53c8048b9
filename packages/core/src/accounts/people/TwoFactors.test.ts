import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import {
  addMember,
  browse,
  cookieOf,
  emailsTo,
  newAddress,
  newProject,
  password,
  person,
  signUp,
  tokenFor
} from "../../testing/Browser.ts"
import { codeOf, guarded, logIn, pendingToken, second, switchOn, wrongCodeOf } from "../../testing/SecondFactor.ts"
import { passwordWork } from "../../testing/Services.ts"
import { send, wire } from "../../testing/TestClient.ts"
import * as Totp from "./Totp.ts"

const outcome = (...request: Parameters<typeof browse>) =>
  Effect.map(browse(...request), ({ status, body }) => `${status} ${body?.error?.code ?? "ok"}`)

const totp = "/users/@me/two-factor/totp"

describe("Codes of authenticator apps", () => {
  it("match RFC 6238, appendix B, with a tolerance of one step before and after", () => {
    const secret = Totp.toBase32(new TextEncoder().encode("12345678901234567890"))
    for (const [seconds, code] of [
      [59, "287082"],
      [1111111109, "081804"],
      [1111111111, "050471"],
      [1234567890, "005924"],
      [2000000000, "279037"],
      [20000000000, "353130"]
    ] as const) {
      const step = Math.floor(seconds / 30)
      const at = (offset: number) => Option.getOrNull(Totp.stepOf(secret, code, (seconds + offset) * 1000))
      assert.deepStrictEqual([at(0), at(30), at(-30), at(90), at(-90)], [step, step, step, null, null], code)
    }
    for (const wrong of ["", "28708", "2870822", "abcdef", "٢٨٧٠٨٢", "1".repeat(20)]) {
      assert.isTrue(Option.isNone(Totp.stepOf(secret, wrong, 59_000)), wrong)
    }
  })
})

layer(wire, { timeout: "60 seconds" })("Two factors", (it) => {
  it.effect("are on after a code of the app has confirmed them, and the user gets an email", () =>
    Effect.gen(function* () {
      const { email, cookie } = yield* person("setting")
      const other = cookieOf((yield* logIn(email)).headers) ?? ""
      assert.strictEqual(yield* outcome(cookie, "POST", totp, { password: "wrong horse" }), "401 INVALID_CREDENTIALS")
      assert.strictEqual(yield* outcome(cookie, "POST", `${totp}/confirm`, { code: "000000" }), "409 CONFLICT")
      const begun = yield* browse(cookie, "POST", totp, { password })
      assert.match(begun.body.secret, /^[A-Z2-7]{32}$/)
      assert.match(begun.body.uri, /^otpauth:\/\/totp\//)
      assert.include(begun.body.uri, `secret=${begun.body.secret}`)
      assert.strictEqual((yield* logIn(email)).status, 200, "an unconfirmed setup is not required at login")
      const wrong = yield* wrongCodeOf(begun.body.secret)
      assert.strictEqual(yield* outcome(cookie, "POST", `${totp}/confirm`, { code: wrong }), "401 INVALID_CREDENTIALS")
      const code = yield* codeOf(begun.body.secret)
      const { status, body } = yield* browse(cookie, "POST", `${totp}/confirm`, { code })
      assert.strictEqual(status, 200)
      assert.strictEqual(new Set(body.recoveryCodes).size, 10)
      assert.strictEqual(yield* outcome(cookie, "GET", "/users/@me"), "200 ok")
      assert.strictEqual(yield* outcome(other, "GET", "/users/@me"), "401 UNAUTHORIZED")
      assert.strictEqual((yield* emailsTo(email)).at(-1)?.subject, "Two-factor authentication is on")
      assert.strictEqual(yield* outcome(cookie, "POST", totp, { password }), "409 CONFLICT")
      assert.deepStrictEqual((yield* browse(cookie, "GET", "/users/@me/two-factor")).body, {
        totp: true,
        recoveryCodes: 10,
        passkeys: 0
      })
    })
  )

  it.effect("a login sets no cookie before the code, and accepts each code once", () =>
    Effect.gen(function* () {
      const { email, secret } = yield* guarded("waiting")
      yield* TestClock.adjust("1 minute")
      const first = yield* logIn(email)
      assert.deepStrictEqual([first.status, first.body.error.code], [401, "TWO_FACTOR_REQUIRED"])
      assert.deepStrictEqual(first.body.error.details.methods, ["totp", "recoveryCode"])
      assert.isUndefined(cookieOf(first.headers))
      const token = first.body.error.details.token
      const code = yield* codeOf(secret)
      const done = yield* second({ token, code })
      assert.strictEqual(done.outcome, "200 ok")
      assert.strictEqual(yield* outcome(done.cookie ?? "", "GET", "/users/@me"), "200 ok")
      assert.strictEqual((yield* second({ token, code })).outcome, "400 INVALID_TOKEN")
      assert.strictEqual(
        (yield* second({ token: yield* pendingToken(email), code })).outcome,
        "401 INVALID_CREDENTIALS"
      )
      const next = yield* codeOf(secret, 1)
      assert.strictEqual((yield* second({ token: yield* pendingToken(email), code: next })).outcome, "200 ok")
    })
  )

  it.effect("of many concurrent uses of one code, one logs in", () =>
    Effect.gen(function* () {
      const { email, secret } = yield* guarded("raced")
      yield* TestClock.adjust("1 minute")
      const tokens = yield* Effect.all(Array.from({ length: 5 }, () => pendingToken(email)))
      const code = yield* codeOf(secret)
      const tries = yield* Effect.all(
        tokens.map((token) => second({ token, code })),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(tries.filter((found) => found.outcome === "200 ok").length, 1)
    })
  )

  it.effect("a login has five tries within ten minutes, and an account ten tries in fifteen minutes", () =>
    Effect.gen(function* () {
      const { email, secret } = yield* guarded("tried")
      yield* TestClock.adjust("1 minute")
      const late = yield* pendingToken(email)
      yield* TestClock.adjust("10 minutes")
      assert.strictEqual((yield* second({ token: late, code: yield* codeOf(secret) })).outcome, "400 INVALID_TOKEN")
      const code = yield* wrongCodeOf(secret)
      for (let login = 0; login < 2; login++) {
        const token = yield* pendingToken(email)
        for (let n = 0; n < 5; n++)
          assert.strictEqual((yield* second({ token, code })).outcome, "401 INVALID_CREDENTIALS")
        assert.strictEqual((yield* second({ token, code: yield* codeOf(secret) })).outcome, "400 INVALID_TOKEN")
      }
      const locked = yield* second({ token: yield* pendingToken(email), code: yield* codeOf(secret) })
      assert.strictEqual(locked.outcome, "429 RATE_LIMIT_EXCEEDED")
      assert.isNotNull(locked.headers.get("retry-after"))
      yield* TestClock.adjust("15 minutes")
      const free = yield* second({ token: yield* pendingToken(email), code: yield* codeOf(secret) })
      assert.strictEqual(free.outcome, "200 ok")
    })
  )

  it.effect("a recovery code works once, in any spelling, for its own account", () =>
    Effect.gen(function* () {
      const { email, cookie, recoveryCodes } = yield* guarded("recovering")
      const other = yield* guarded("another")
      const [first = ""] = recoveryCodes
      const typed = ` ${first.toUpperCase().replaceAll("-", " ")} `
      assert.strictEqual(
        (yield* second({ token: yield* pendingToken(other.email), recoveryCode: first })).outcome,
        "401 INVALID_CREDENTIALS"
      )
      assert.strictEqual((yield* second({ token: yield* pendingToken(email), recoveryCode: typed })).outcome, "200 ok")
      assert.strictEqual(
        (yield* second({ token: yield* pendingToken(email), recoveryCode: first })).outcome,
        "401 INVALID_CREDENTIALS"
      )
      assert.strictEqual((yield* emailsTo(email)).at(-1)?.subject, "A recovery code was used")
      assert.strictEqual((yield* browse(cookie, "GET", "/users/@me/two-factor")).body.recoveryCodes, 9)
    })
  )

  it.effect("a new password keeps them on, and ends pending logins", () =>
    Effect.gen(function* () {
      const { email, secret } = yield* guarded("reset")
      yield* TestClock.adjust("1 minute")
      const token = yield* pendingToken(email)
      yield* browse("", "POST", "/auth/request-password-reset", { email })
      const newPassword = "a new battery"
      const reset = yield* browse("", "POST", "/auth/reset-password", { token: yield* tokenFor(email), newPassword })
      assert.deepStrictEqual([reset.status, cookieOf(reset.headers)], [200, undefined])
      assert.strictEqual((yield* second({ token, code: yield* codeOf(secret) })).outcome, "400 INVALID_TOKEN")
      assert.strictEqual(
        yield* outcome("", "POST", "/auth/login", { email, password: newPassword }),
        "401 TWO_FACTOR_REQUIRED"
      )
    })
  )

  it.effect("are turned off with the password and a code, and the user gets an email", () =>
    Effect.gen(function* () {
      const { email, cookie, secret } = yield* guarded("off")
      yield* TestClock.adjust("1 minute")
      const code = yield* codeOf(secret)
      assert.strictEqual(yield* outcome(cookie, "DELETE", totp, { password }), "401 INVALID_CREDENTIALS")
      assert.strictEqual(yield* outcome(cookie, "DELETE", totp, { password: "wrong", code }), "401 INVALID_CREDENTIALS")
      assert.strictEqual((yield* browse(cookie, "DELETE", totp, { password, code })).status, 204)
      assert.strictEqual((yield* emailsTo(email)).at(-1)?.subject, "Two-factor authentication is off")
      assert.strictEqual((yield* logIn(email)).status, 200)
      assert.strictEqual(yield* outcome(cookie, "DELETE", totp, { password, code }), "409 CONFLICT")
    })
  )

  it.effect("are revealed only after the right password", () =>
    Effect.gen(function* () {
      const { email } = yield* guarded("hidden")
      const plain = yield* signUp(newAddress("plain"))
      const answers = yield* Effect.forEach([email, plain.email], (address) =>
        Effect.gen(function* () {
          const before = passwordWork.compared
          const { status, body } = yield* browse("", "POST", "/auth/login", { email: address, password: "wrong horse" })
          const { requestId: _, ...error } = body.error
          return { status, error, compared: passwordWork.compared - before }
        })
      )
      assert.deepStrictEqual(answers[0], answers[1])
    })
  )

  it.effect("need exactly one kind of factor and a complete body", () =>
    Effect.gen(function* () {
      const { email } = yield* guarded("shapes")
      const token = yield* pendingToken(email)
      for (const given of [
        {},
        { token },
        { token, code: "000000", recoveryCode: "x" },
        { token, code: 123456 },
        { token, code: "1".repeat(21) },
        { token, passkey: {} },
        { token: "x".repeat(5_000), code: "000000" }
      ]) {
        assert.strictEqual((yield* second(given)).outcome, "422 VALIDATION_ERROR", JSON.stringify(given))
      }
      assert.strictEqual((yield* second({ token: "x", code: "000000" })).outcome, "400 INVALID_TOKEN")
    })
  )

  it.effect("the database holds no secret, code or token in plain text", () =>
    Effect.gen(function* () {
      const { email, secret, recoveryCodes } = yield* guarded("stored")
      const token = yield* pendingToken(email)
      const sql = yield* SqlClient.SqlClient
      const tables =
        yield* sql`select table_name as name from information_schema.tables where table_schema = 'posthorn'`
      for (const { name } of tables) {
        const rows = JSON.stringify(yield* sql`select t::text from ${sql(String(name))} t`)
        for (const text of [token, secret, ...recoveryCodes]) assert.notInclude(rows, text, String(name))
      }
    })
  )

  it.effect("a page takes the code for a pending login, and redirects only within this site", () =>
    Effect.gen(function* () {
      const { email, secret } = yield* guarded("page")
      yield* TestClock.adjust("1 minute")
      const page = (token: string, returnTo: string) =>
        `/account/two-factor?${new URLSearchParams({ token, returnTo })}`
      const post = (path: string, code: string) =>
        browse("", "POST", path, new URLSearchParams({ code }).toString(), {
          "content-type": "application/x-www-form-urlencoded"
        })
      const token = yield* pendingToken(email)
      const shown = yield* browse("", "GET", page(token, "/console"))
      assert.deepStrictEqual([shown.status, shown.headers.get("referrer-policy")], [200, "same-origin"])
      assert.include(shown.body, "one-time-code")
      assert.strictEqual((yield* post(page(token, "/console"), yield* wrongCodeOf(secret))).status, 422)
      const done = yield* post(page(token, "/console"), yield* codeOf(secret))
      assert.deepStrictEqual([done.status, done.headers.get("location")], [303, "/console"])
      assert.strictEqual(yield* outcome(cookieOf(done.headers) ?? "", "GET", "/users/@me"), "200 ok")
      const away = yield* post(page(yield* pendingToken(email), "//evil.example"), yield* codeOf(secret, 1))
      assert.deepStrictEqual([away.status, away.headers.get("location")], [303, "/"])
      assert.strictEqual((yield* post(page("x", "/"), "000000")).status, 400)
    })
  )
})

layer(wire, { timeout: "60 seconds" })("A project that requires two factors", (it) => {
  it.effect("lets in members with two factors on, and keys as before", () =>
    Effect.gen(function* () {
      const owner = yield* person("owner")
      const member = yield* person("member")
      const project = yield* newProject(owner.cookie)
      yield* addMember(owner.cookie, project.id, member, "ADMIN")
      const path = `/users/@me/projects/${project.id}`
      const require = (cookie: string, requireTwoFactor = true) => outcome(cookie, "PATCH", path, { requireTwoFactor })
      assert.strictEqual(yield* require(owner.cookie), "403 TWO_FACTOR_REQUIRED")
      const { secret } = yield* switchOn(owner.cookie)
      assert.strictEqual(yield* require(member.cookie), "403 FORBIDDEN")
      assert.isFalse((yield* browse(owner.cookie, "GET", "/users/@me/projects")).body[0].requireTwoFactor)
      assert.strictEqual(yield* require(owner.cookie), "200 ok")
      const header = { "x-project-id": project.id }
      for (const [method, where, body] of [
        ["GET", "/contacts", undefined],
        ["POST", "/contacts", { email: "a@example.com" }],
        ["GET", `/projects/${project.id}/members`, undefined],
        ["GET", `${path}/security`, undefined],
        ["PATCH", path, { name: "Other" }]
      ] as const) {
        const refused = yield* outcome(member.cookie, method, where, body, header)
        assert.strictEqual(refused, "403 TWO_FACTOR_REQUIRED", where)
      }
      assert.strictEqual(yield* outcome(owner.cookie, "GET", "/contacts", undefined, header), "200 ok")
      const keyed = yield* send("GET", "/contacts", undefined, { authorization: `Bearer ${project.secret}` })
      assert.strictEqual(keyed.status, 200)
      assert.isTrue((yield* browse(member.cookie, "GET", "/users/@me/projects")).body[0].requireTwoFactor)
      yield* switchOn(member.cookie)
      assert.strictEqual(yield* outcome(member.cookie, "GET", "/contacts", undefined, header), "200 ok")
      assert.strictEqual(yield* require(member.cookie, false), "403 FORBIDDEN")
      assert.strictEqual(yield* require(owner.cookie, false), "200 ok")
      assert.isNotEmpty(secret)
    })
  )
})
