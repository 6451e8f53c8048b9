import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { browse, cookieOf, emailsTo, newAddress, password, person, signUp, tokenFor } from "../../testing/Browser.ts"
import { passwordWork } from "../../testing/Services.ts"
import { clientHeader, send, wire } from "../../testing/TestClient.ts"
import { SignIn } from "./SignIn.ts"

const outcome = (...request: Parameters<typeof browse>) =>
  Effect.map(browse(...request), ({ status, body }) => `${status} ${body?.error?.code ?? "ok"}`)

const login = (email: string, given = password) => browse("", "POST", "/auth/login", { email, password: given })
const loginOutcome = (email: string, given = password) => outcome("", "POST", "/auth/login", { email, password: given })

/** Removes what differs from request to request. */
const comparable = ({ status, body, headers }: Effect.Success<ReturnType<typeof browse>>) => ({
  status,
  body: JSON.parse(
    JSON.stringify(body)
      .replace(/"requestId":"[^"]*"/, '"requestId":""')
      .replace(/"timestamp":"[^"]*"/, '"timestamp":""')
  ),
  headers: [...headers.keys()].sort()
})

/** The cost of an attempt: comparisons and hashes. */
const workOf = <A, E, R>(attempt: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const before = { ...passwordWork }
    yield* attempt
    return { hashed: passwordWork.hashed - before.hashed, compared: passwordWork.compared - before.compared }
  })

layer(wire, { timeout: "60 seconds" })("Signing in", (it) => {
  it.effect("sign-up sets a session cookie: HttpOnly, Secure, for all paths, for seven days", () =>
    Effect.gen(function* () {
      const email = newAddress("new")
      const { status, headers, body } = yield* browse("", "POST", "/auth/signup", { email, password })
      assert.strictEqual(status, 201)
      assert.deepStrictEqual(Object.keys(body.data), ["id", "email", "emailVerified"])
      assert.include(body.data, { email, emailVerified: false })
      const [session = "", flag = ""] = headers.getSetCookie()
      const attributes = session.split("; ").slice(1).sort()
      assert.deepStrictEqual(attributes, ["HttpOnly", "Max-Age=604800", "Path=/", "SameSite=Lax", "Secure"])
      const readable = flag.split("; ").sort()
      assert.deepStrictEqual(readable, ["Max-Age=604800", "Path=/", "SameSite=Lax", "Secure", "posthorn_signed_in=1"])
      const me = yield* browse(cookieOf(headers) ?? "", "GET", "/users/@me")
      assert.deepInclude(me.body, { email, emailVerified: false, type: "PASSWORD" })
      assert.deepStrictEqual(Object.keys(me.body), ["id", "email", "emailVerified", "type", "createdAt"])
    })
  )

  it.effect("an address has one account in any spelling; a password has 8 to 200 characters", () =>
    Effect.gen(function* () {
      const { email } = yield* signUp(newAddress("once"))
      const spelt = ` ${email.toUpperCase()} `
      assert.strictEqual(
        yield* outcome("", "POST", "/auth/signup", { email: spelt, password }),
        "409 EMAIL_ALREADY_EXISTS"
      )
      for (const [given, expected] of [
        ["🦊".repeat(7), "422 VALIDATION_ERROR"],
        ["🦊".repeat(8), "201 ok"],
        ["e\u0301".repeat(200), "201 ok"],
        ["x".repeat(201), "422 VALIDATION_ERROR"]
      ] as const) {
        const found = yield* outcome("", "POST", "/auth/signup", { email: newAddress("length"), password: given })
        assert.strictEqual(found, expected, given)
      }
      const refused = yield* browse("", "POST", "/auth/signup", { email: newAddress("told"), password: "short" })
      assert.notInclude(JSON.stringify(refused.body), "short")
    })
  )

  it.effect("sign-up ignores fields that it cannot set", () =>
    Effect.gen(function* () {
      const id = "019a0000-0000-7000-8000-0000000000aa"
      const more = { id, emailVerified: true, type: "GITHUB_OAUTH", sessionVersion: 9, role: "OWNER" }
      const email = newAddress("mass")
      const { headers } = yield* browse("", "POST", "/auth/signup", { email, password, ...more })
      const { body } = yield* browse(cookieOf(headers) ?? "", "GET", "/users/@me")
      assert.notStrictEqual(body.id, id)
      assert.deepInclude(body, { emailVerified: false, type: "PASSWORD" })
      assert.deepStrictEqual((yield* browse(cookieOf(headers) ?? "", "GET", "/users/@me/projects")).body, [])
    })
  )

  it.effect("a wrong password, a short one and an unknown address get the same answer at the same cost", () =>
    Effect.gen(function* () {
      const { email } = yield* signUp(newAddress("known"))
      yield* login(newAddress("first"))
      const answers = [
        yield* login(email, "wrong horse"),
        yield* login(email, "short"),
        yield* login(newAddress("unknown")),
        yield* login(newAddress("unknown"), "x".repeat(5_000))
      ].map(comparable)
      for (const answer of answers) assert.deepStrictEqual(answer, answers[0])
      assert.strictEqual(answers[0]?.body.error.code, "INVALID_CREDENTIALS")
      const work = [yield* workOf(login(email, "wrong horse")), yield* workOf(login(newAddress("unknown")))]
      assert.deepStrictEqual(work, [
        { hashed: 0, compared: 1 },
        { hashed: 0, compared: 1 }
      ])
    })
  )

  it.effect("a login opens a new session, whatever cookie was sent with it", () =>
    Effect.gen(function* () {
      const someone = yield* signUp(newAddress("fixed"))
      const { headers } = yield* browse(someone.cookie, "POST", "/auth/login", { email: someone.email, password })
      assert.notStrictEqual(cookieOf(headers), someone.cookie)
      yield* browse(cookieOf(headers) ?? "", "GET", "/auth/logout")
      assert.strictEqual((yield* browse(someone.cookie, "GET", "/users/@me")).status, 200)
    })
  )

  it.effect("logging out ends the session on the server too; without a session the answer is the same", () =>
    Effect.gen(function* () {
      const { cookie } = yield* signUp(newAddress("leaver"))
      const first = yield* browse(cookie, "GET", "/auth/logout")
      assert.deepStrictEqual([first.status, first.body, cookieOf(first.headers)], [200, { success: true }, ""])
      const again = yield* browse(cookie, "GET", "/users/@me")
      assert.deepStrictEqual([again.status, again.body.error.code, cookieOf(again.headers)], [401, "UNAUTHORIZED", ""])
      const without = yield* browse("", "GET", "/auth/logout")
      assert.deepStrictEqual([without.status, without.body], [200, { success: true }])
    })
  )

  it.effect("logging out everywhere ends every session of the user, and no other session", () =>
    Effect.gen(function* () {
      const someone = yield* signUp(newAddress("everywhere"))
      const other = yield* signUp(newAddress("elsewhere"))
      const second = cookieOf((yield* login(someone.email)).headers) ?? ""
      assert.strictEqual(yield* outcome(second, "POST", "/auth/logout-all"), "200 ok")
      for (const cookie of [someone.cookie, second]) {
        assert.strictEqual(yield* outcome(cookie, "GET", "/users/@me"), "401 UNAUTHORIZED")
      }
      assert.strictEqual(yield* outcome(other.cookie, "GET", "/users/@me"), "200 ok")
    })
  )

  it.effect(
    "five failed logins lock an account for 15 minutes, also for the right password and for unknown addresses",
    () =>
      Effect.gen(function* () {
        const { email, cookie } = yield* signUp(newAddress("locked"))
        for (const address of [email, newAddress("nobody")]) {
          const tries = yield* Effect.all(
            Array.from({ length: 20 }, () => loginOutcome(address, "wrong horse")),
            {
              concurrency: "unbounded"
            }
          )
          assert.strictEqual(tries.filter((found) => found === "401 INVALID_CREDENTIALS").length, 5, address)
          assert.strictEqual(tries.filter((found) => found === "429 RATE_LIMIT_EXCEEDED").length, 15, address)
        }
        const refused = yield* login(email)
        assert.strictEqual(refused.status, 429)
        assert.strictEqual(refused.headers.get("retry-after"), "900")
        assert.deepStrictEqual(yield* workOf(login(email)), { hashed: 0, compared: 0 })
        assert.strictEqual(yield* outcome(cookie, "GET", "/users/@me"), "200 ok")
        yield* TestClock.adjust("15 minutes")
        assert.strictEqual(yield* loginOutcome(email), "200 ok")
      })
  )

  it.effect("a login that succeeds clears the failures before it", () =>
    Effect.gen(function* () {
      const { email } = yield* signUp(newAddress("cleared"))
      for (let round = 0; round < 3; round++) {
        for (let wrong = 0; wrong < 4; wrong++) yield* login(email, "wrong horse")
        assert.strictEqual(yield* loginOutcome(email), "200 ok")
      }
    })
  )

  it.effect("twenty failed logins lock a network for every account; successful logins do not count", () =>
    Effect.gen(function* () {
      const { login, signup } = yield* SignIn
      const network = "198.51.100.7"
      const email = newAddress("networked")
      yield* signup({ email, password }, network)
      const tried = (given: string, address: string) =>
        Effect.match(login({ email: address, password: given }, network), {
          onSuccess: () => "in",
          onFailure: ({ _tag }) => _tag
        })
      for (let good = 0; good < 25; good++) assert.strictEqual(yield* tried(password, email), "in")
      for (let wrong = 0; wrong < 20; wrong++) {
        assert.strictEqual(yield* tried("wrong horse", newAddress("spray")), "INVALID_CREDENTIALS")
      }
      assert.strictEqual(yield* tried(password, email), "RATE_LIMIT_EXCEEDED")
      assert.strictEqual((yield* login({ email, password }, "198.51.100.8")).account.email, email)
    })
  )

  it.effect("one network can create ten accounts an hour", () =>
    Effect.gen(function* () {
      const { signup } = yield* SignIn
      const attempt = Effect.suspend(() => Effect.exit(signup({ email: newAddress("many"), password }, "203.0.113.9")))
      const exits = yield* Effect.all(Array.from({ length: 12 }, () => attempt))
      assert.strictEqual(exits.filter(({ _tag }) => _tag === "Success").length, 10)
      yield* TestClock.adjust("1 hour")
      assert.strictEqual((yield* attempt)._tag, "Success")
    })
  )

  it.effect("only the newest emailed link confirms the address, once, for 24 hours", () =>
    Effect.gen(function* () {
      const someone = yield* signUp(newAddress("confirming"))
      const [email] = yield* emailsTo(someone.email)
      assert.include(email?.body, "https://posthorn.example/account/verify-email?token=")
      const first = yield* tokenFor(someone.email)
      assert.strictEqual(yield* outcome(someone.cookie, "POST", "/auth/request-verification"), "200 ok")
      const second = yield* tokenFor(someone.email)
      const verify = (token: string) => outcome("", "POST", "/auth/verify-email", { token })
      for (const wrong of [first, "", "x", `${second}x`]) {
        assert.strictEqual(yield* verify(wrong), "400 INVALID_TOKEN", wrong)
      }
      assert.strictEqual(yield* verify(second), "200 ok")
      assert.strictEqual(yield* verify(second), "400 INVALID_TOKEN")
      assert.isTrue((yield* browse(someone.cookie, "GET", "/users/@me")).body.emailVerified)
      const before = (yield* emailsTo(someone.email)).length
      assert.strictEqual(yield* outcome(someone.cookie, "POST", "/auth/request-verification"), "200 ok")
      assert.strictEqual((yield* emailsTo(someone.email)).length, before)

      const late = yield* signUp(newAddress("late"))
      const token = yield* tokenFor(late.email)
      yield* TestClock.adjust("24 hours")
      assert.strictEqual(yield* verify(token), "400 INVALID_TOKEN")
      for (let asked = 0; asked < 3; asked++) {
        assert.strictEqual(yield* outcome(late.cookie, "POST", "/auth/request-verification"), "200 ok")
      }
      const refused = yield* browse(late.cookie, "POST", "/auth/request-verification")
      assert.deepStrictEqual([refused.status, refused.headers.get("retry-after")], [429, "3600"])
    })
  )

  it.effect("a reset request does not reveal whether an account exists, and sends at most three emails an hour", () =>
    Effect.gen(function* () {
      const { email } = yield* signUp(newAddress("forgetful"))
      const unknown = newAddress("stranger")
      const ask = (address: string) => browse("", "POST", "/auth/request-password-reset", { email: address })
      const before = (yield* emailsTo(email)).length
      const answers = [yield* ask(email), yield* ask(unknown), yield* ask(email), yield* ask(email), yield* ask(email)]
      const [first, ...others] = answers.map(comparable)
      for (const answer of others) assert.deepStrictEqual(answer, first)
      assert.deepStrictEqual(first?.body, { success: true })
      assert.strictEqual((yield* emailsTo(email)).length, before + 3)
      assert.deepStrictEqual(yield* emailsTo(unknown), [])
    })
  )

  it.effect("reset requests are limited by network, equally for addresses with and without an account", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { email } = yield* signUp(newAddress("reset-often"))
      const ask = (address: string, client: string) =>
        send("POST", "/auth/request-password-reset", { email: address }, { authorization: "", [clientHeader]: client })
      const known = yield* Effect.forEach(Array.from({ length: 25 }), () => ask(email, "2001:db8::1"))
      const unknown = yield* Effect.forEach(Array.from({ length: 25 }), (_, number) =>
        ask(newAddress("stranger"), `2001:db8:0:1::${number}`)
      )
      const seen = (answers: typeof known) =>
        answers.map(({ body, headers, status }) => [status, body.error?.code, headers.get("retry-after")])
      assert.deepStrictEqual(seen(known), seen(unknown))
      assert.deepStrictEqual(
        known.map(({ status }) => status),
        known.map((_, number) => (number < 20 ? 200 : 429))
      )
      assert.strictEqual((yield* ask(email, "192.0.2.77")).status, 200)
      const [tokens] = yield* sql`
        select count(*)::int as count from mailed_tokens join users on users.id = user_id
        where purpose = 'reset' and email = ${email}`
      assert.strictEqual(tokens?.["count"], 1)
    })
  )

  it.effect("reset requests for thousands of unknown addresses leave a bounded number of rows", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tokens = Effect.map(
        sql`select count(*)::int as count from mailed_tokens where purpose = 'reset'`,
        ([row]) => Number(row?.["count"])
      )
      const before = yield* tokens
      for (let number = 0; number < 600; number++) {
        yield* browse("", "POST", "/auth/request-password-reset", { email: newAddress("nobody") })
      }
      assert.isAtMost((yield* tokens) - before, 256)
    })
  )

  it.effect("a network that sends wrong tokens is refused; other networks are not", () =>
    Effect.gen(function* () {
      const guess = (client: string, path: string, token = "x".repeat(43)) =>
        Effect.map(
          send(
            "POST",
            path,
            { token, ...(path.endsWith("password") && { newPassword: "a new battery" }) },
            { authorization: "", [clientHeader]: client }
          ),
          ({ status }) => status
        )
      const paths = ["/auth/verify-email", "/auth/reset-password"] as const
      for (let number = 0; number < 20; number++) {
        assert.strictEqual(yield* guess("2001:db8::1", number % 2 === 0 ? paths[0] : paths[1]), 400)
      }
      for (const path of paths) {
        assert.strictEqual(yield* guess("2001:db8::2", path), 429)
        assert.strictEqual(yield* guess("192.0.2.1", path), 400)
      }
    })
  )

  it.effect("a reset ends all sessions, unlocks the account, confirms the address, and does not log in", () =>
    Effect.gen(function* () {
      const { email, cookie } = yield* signUp(newAddress("resetting"))
      for (let wrong = 0; wrong < 6; wrong++) yield* login(email, "wrong horse")
      yield* browse("", "POST", "/auth/request-password-reset", { email })
      const token = yield* tokenFor(email)
      const newPassword = "a new battery"
      const reset = yield* browse("", "POST", "/auth/reset-password", { token, newPassword })
      assert.deepStrictEqual([reset.status, reset.body, cookieOf(reset.headers)], [200, { success: true }, undefined])
      assert.strictEqual(yield* outcome(cookie, "GET", "/users/@me"), "401 UNAUTHORIZED")
      assert.strictEqual(yield* loginOutcome(email), "401 INVALID_CREDENTIALS")
      const after = yield* login(email, newPassword)
      assert.strictEqual(after.status, 200)
      assert.isTrue((yield* browse(cookieOf(after.headers) ?? "", "GET", "/users/@me")).body.emailVerified)
    })
  )

  it.effect("of twenty uses of one reset token at once, one sets the password", () =>
    Effect.gen(function* () {
      const { email } = yield* signUp(newAddress("raced"))
      yield* browse("", "POST", "/auth/request-password-reset", { email })
      const token = yield* tokenFor(email)
      const tries = yield* Effect.all(
        Array.from({ length: 20 }, (_, n) =>
          outcome("", "POST", "/auth/reset-password", { token, newPassword: `new battery ${n}` })
        ),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(tries.filter((found) => found === "200 ok").length, 1)
      assert.strictEqual(tries.filter((found) => found === "400 INVALID_TOKEN").length, 19)
      const winner = tries.indexOf("200 ok")
      assert.strictEqual(yield* loginOutcome(email, `new battery ${winner}`), "200 ok")
    })
  )

  it.effect("a reset token is valid for an hour and for resets only; a refused password does not use it up", () =>
    Effect.gen(function* () {
      const { email } = yield* signUp(newAddress("hour"))
      const verification = yield* tokenFor(email)
      yield* browse("", "POST", "/auth/request-password-reset", { email })
      const token = yield* tokenFor(email)
      const reset = (given: string, newPassword = "a new battery") =>
        outcome("", "POST", "/auth/reset-password", { token: given, newPassword })
      assert.strictEqual(yield* reset(verification), "400 INVALID_TOKEN")
      assert.strictEqual(yield* outcome("", "POST", "/auth/verify-email", { token }), "400 INVALID_TOKEN")
      assert.strictEqual(yield* reset(token, "short"), "422 VALIDATION_ERROR")
      yield* TestClock.adjust("59 minutes")
      assert.strictEqual(yield* reset(token), "200 ok")
      yield* browse("", "POST", "/auth/request-password-reset", { email })
      const other = yield* tokenFor(email)
      yield* TestClock.adjust("60 minutes")
      assert.strictEqual(yield* reset(other), "400 INVALID_TOKEN")
    })
  )

  it.effect("changing the password ends all other sessions; a wrong old password counts as a failed login", () =>
    Effect.gen(function* () {
      const { email, cookie } = yield* signUp(newAddress("changing"))
      const other = cookieOf((yield* login(email)).headers) ?? ""
      const change = (currentPassword: string) =>
        browse(cookie, "POST", "/users/@me/password", { currentPassword, newPassword: "a new battery" })
      assert.strictEqual((yield* change("wrong horse")).body.error.code, "INVALID_CREDENTIALS")
      const changed = yield* change(password)
      assert.deepStrictEqual([changed.status, changed.body], [200, { success: true }])
      for (const ended of [cookie, other]) {
        assert.strictEqual(yield* outcome(ended, "GET", "/users/@me"), "401 UNAUTHORIZED")
      }
      const fresh = cookieOf(changed.headers) ?? ""
      assert.strictEqual(yield* outcome(fresh, "GET", "/users/@me"), "200 ok")
      const wrong = () =>
        outcome(fresh, "POST", "/users/@me/password", { currentPassword: "wrong horse", newPassword: "a new battery" })
      for (let n = 0; n < 5; n++) assert.strictEqual(yield* wrong(), "401 INVALID_CREDENTIALS")
      assert.strictEqual(yield* wrong(), "429 RATE_LIMIT_EXCEEDED")
    })
  )

  it.effect("an account can be deleted unless it owns a project", () =>
    Effect.gen(function* () {
      const someone = yield* person("deleting")
      yield* browse(someone.cookie, "POST", "/users/@me/projects", { name: "Mine" })
      const refused = yield* browse(someone.cookie, "DELETE", "/users/@me")
      assert.deepStrictEqual([refused.status, refused.body.error.details], [409, { reason: "owns_projects" }])
      const other = yield* person("gone")
      const gone = yield* browse(other.cookie, "DELETE", "/users/@me")
      assert.deepStrictEqual([gone.status, cookieOf(gone.headers)], [204, ""])
      assert.strictEqual(yield* outcome(other.cookie, "GET", "/users/@me"), "401 UNAUTHORIZED")
      assert.strictEqual(yield* loginOutcome(other.email), "401 INVALID_CREDENTIALS")
    })
  )

  it.effect("the database holds no password, token or session in plain text", () =>
    Effect.gen(function* () {
      const { email, cookie } = yield* signUp(newAddress("stored"))
      yield* browse("", "POST", "/auth/request-password-reset", { email })
      const token = yield* tokenFor(email)
      const sql = yield* SqlClient.SqlClient
      const tables =
        yield* sql`select table_name as name from information_schema.tables where table_schema = 'posthorn'`
      for (const { name } of tables) {
        const rows = JSON.stringify(yield* sql`select t::text from ${sql(String(name))} t`)
        for (const secret of [token, cookie]) assert.notInclude(rows, secret, String(name))
      }
      assert.notInclude(JSON.stringify(yield* sql`select * from attempts`), email)
    })
  )

  it.effect("bodies must be JSON, complete, and within the general size limit", () =>
    Effect.gen(function* () {
      const email = newAddress("body")
      assert.strictEqual(yield* outcome("", "POST", "/auth/login", { email }), "422 VALIDATION_ERROR")
      assert.strictEqual(yield* outcome("", "POST", "/auth/login", { email, password: null }), "422 VALIDATION_ERROR")
      assert.strictEqual(yield* outcome("", "POST", "/auth/login", { email: "no", password }), "422 VALIDATION_ERROR")
      const form = { "content-type": "application/x-www-form-urlencoded" }
      assert.strictEqual(
        yield* outcome("", "POST", "/auth/login", `email=${email}`, form),
        "415 UNSUPPORTED_MEDIA_TYPE"
      )
      assert.strictEqual(
        yield* outcome("", "POST", "/auth/login", { email, password: "x".repeat(2_100_000) }),
        "413 PAYLOAD_TOO_LARGE"
      )
    })
  )
})
