import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { languages } from "../../platform/web/Languages.ts"
import {
  addMember,
  browse,
  cookieOf,
  emailsTo,
  invite,
  newAddress,
  newProject,
  password,
  person,
  settled,
  signUp,
  tokenFor
} from "../../testing/Browser.ts"
import { codeOf, guarded } from "../../testing/SecondFactor.ts"
import { send, wire } from "../../testing/TestClient.ts"
import { oauthFailures } from "../people/Oauth.ts"
import { SignIn } from "../people/SignIn.ts"
import { accountPageWords } from "./AccountPageWords.ts"

const words = accountPageWords.en

const get = (path: string, cookie = "", headers: Record<string, string> = {}) =>
  browse(cookie, "GET", path, undefined, headers)

const post = (path: string, fields: Record<string, string>, cookie = "", headers: Record<string, string> = {}) =>
  browse(cookie, "POST", path, new URLSearchParams(fields).toString(), {
    "content-type": "application/x-www-form-urlencoded",
    ...headers
  })

/** The path of the link in the last email to an address. */
const linkIn = (email: string) =>
  Effect.map(emailsTo(email), (emails) => {
    const link = /https:\/\/posthorn\.example(\/account\/\S+)/.exec(emails.at(-1)?.body ?? "")?.[1] ?? ""
    assert.notStrictEqual(link, "", email)
    return link
  })

const me = (cookie: string) => Effect.map(browse(cookie, "GET", "/users/@me"), ({ status, body }) => ({ status, body }))

const logIn = (email: string, given: string) =>
  Effect.map(browse("", "POST", "/auth/login", { email, password: given }), ({ status }) => status)

/** An owner, a project, and the link of an invitation to it. */
const invitation = Effect.fnUntraced(function* (email: string, role: "ADMIN" | "MEMBER" = "MEMBER") {
  const owner = yield* person("owner")
  const project = yield* newProject(owner.cookie, "Söhne & <b>Co</b>")
  yield* invite(owner.cookie, project.id, email, role)
  const roleOf = Effect.map(browse(owner.cookie, "GET", `/projects/${project.id}/members`), ({ body }) =>
    body.data.find((member: { email: string; status: string }) => member.email === email && member.status === "ACTIVE")
  )
  return { link: yield* linkIn(email), roleOf, project }
})

layer(wire, { timeout: "60 seconds" })("The account pages", (it) => {
  it.effect("the link in a verification email shows the account, and the password confirms the address, once", () =>
    Effect.gen(function* () {
      const { email, cookie } = yield* signUp(newAddress("verifying"))
      const link = yield* linkIn(email)
      for (const method of ["GET", "HEAD"]) {
        const { status } = yield* browse(cookie, method, `${link}&confirm=1&password=${password}&disown=1`)
        assert.strictEqual(status, 200)
      }
      const asked = (yield* get(link)).body
      const { body: user } = yield* browse(cookie, "GET", "/users/@me")
      for (const part of [
        words.verification.question,
        `${words.verification.created}: ${user.createdAt.slice(0, 16).replace("T", " ")} UTC`,
        "v***@example.com",
        `name="disown" value="1">${words.verification.disown}`
      ]) {
        assert.include(asked, part)
      }
      assert.notInclude(asked, email)
      for (const fields of [{}, { confirm: "1" }]) {
        assert.include((yield* post(link, fields)).body, words.verification.question)
      }
      const wrong = yield* post(link, { password: "wrong horse" })
      assert.strictEqual(wrong.status, 422)
      assert.include(wrong.body, words.wrongPassword)
      assert.isFalse((yield* me(cookie)).body.emailVerified)
      const done = yield* post(link, { password })
      assert.strictEqual(done.status, 200)
      assert.include(done.body, `role="status"><h1>${words.verification.done}`)
      assert.isUndefined(cookieOf(done.headers))
      assert.isTrue((yield* me(cookie)).body.emailVerified)
      for (const again of [yield* get(link), yield* post(link, { password }), yield* post(link, { disown: "1" })]) {
        assert.strictEqual(again.status, 400)
        assert.include(again.body, words.invalid.title)
      }
      assert.strictEqual((yield* me(cookie)).status, 200)
    })
  )

  it.effect("the page shows the network that the account was created from, not the whole IP address", () =>
    Effect.gen(function* () {
      const { signup } = yield* SignIn
      for (const [from, shown] of [
        ["203.0.113.77", "203.0.113.0/24"],
        ["2001:db8:0:1::/64", "2001:db8:0:1::/64"]
      ] as const) {
        const email = newAddress("placed")
        yield* Effect.orDie(signup({ email, password }, from))
        const { body } = yield* get(yield* linkIn(email))
        assert.include(body, `${words.verification.network}: <bdi>${shown}</bdi>`)
        assert.notInclude(body, "203.0.113.77")
      }
    })
  )

  it.effect("password attempts through a verification link are limited", () =>
    Effect.gen(function* () {
      const { email } = yield* signUp(newAddress("guessing"))
      const link = yield* linkIn(email)
      for (let n = 0; n < 5; n++) {
        assert.strictEqual((yield* post(link, { password: `wrong horse ${n}` })).status, 422)
      }
      const refused = yield* post(link, { password })
      assert.deepStrictEqual([refused.status, refused.headers.get("retry-after")], [429, "900"])
    })
  )

  it.effect(
    "the owner of the address can delete an account of someone else, with its projects, keys and sessions",
    () =>
      Effect.gen(function* () {
        const { id, email, cookie } = yield* signUp(newAddress("impersonated"))
        const link = yield* linkIn(email)
        const project = yield* newProject(cookie)
        const byKey = { authorization: `Bearer ${project.secret}` }
        assert.strictEqual((yield* send("GET", "/contacts", undefined, byKey)).status, 200)
        const bystander = yield* person("bystander")
        yield* newProject(bystander.cookie, "Other")
        const done = yield* settled(post(link, { disown: "1" }))
        assert.strictEqual(done.status, 200)
        assert.include(done.body, `role="status"><h1>${words.verification.disowned}`)
        assert.strictEqual((yield* me(cookie)).status, 401)
        assert.strictEqual(yield* logIn(email, password), 401)
        assert.strictEqual((yield* send("GET", "/contacts", undefined, byKey)).status, 401)
        const sql = yield* SqlClient.SqlClient
        const left = yield* sql`
        select (select count(*)::int from users where id = ${id}) as users,
               (select count(*)::int from members where user_id = ${id}) as members,
               (select count(*)::int from projects where id = ${project.id} and deleted_at is null) as projects`
        assert.deepStrictEqual(left, [{ users: 0, members: 0, projects: 0 }])
        assert.lengthOf((yield* browse(bystander.cookie, "GET", "/users/@me/projects")).body, 1)
        assert.strictEqual((yield* post(link, { disown: "1" })).status, 400)
        yield* signUp(email)
      })
  )

  it.effect("of a concurrent confirmation and deletion, one succeeds", () =>
    Effect.gen(function* () {
      for (let n = 0; n < 4; n++) {
        const { email, cookie } = yield* signUp(newAddress("contested"))
        const link = yield* linkIn(email)
        const answers = yield* Effect.all(
          [post(link, { password }), post(link, { disown: "1" })].map((answer) =>
            Effect.map(answer, ({ status }) => status)
          ),
          { concurrency: "unbounded" }
        )
        assert.isTrue(answers.filter((status) => status === 200).length === 1, answers.join())
        assert.strictEqual((yield* me(cookie)).status, answers[0] === 200 ? 200 : 401)
      }
    })
  )

  it.effect("the link in a reset email asks for a password and sets it unchanged, once", () =>
    Effect.gen(function* () {
      const { email, cookie } = yield* signUp(newAddress("resetting"))
      yield* browse("", "POST", "/auth/request-password-reset", { email })
      const link = yield* linkIn(email)
      const asked = yield* get(link)
      assert.include(asked.body, 'autocomplete="new-password"')
      assert.notInclude(asked.body, 'role="alert"')
      const short = yield* post(link, { newPassword: "short" })
      assert.strictEqual(short.status, 422)
      assert.include(short.body, `role="alert">${words.passwordRule}`)
      assert.notInclude(short.body, "short")
      assert.strictEqual((yield* me(cookie)).status, 200)
      const done = yield* post(link, { newPassword: " a new battery " })
      assert.include(done.body, words.reset.done)
      assert.isUndefined(cookieOf(done.headers))
      assert.strictEqual((yield* me(cookie)).status, 401)
      assert.deepStrictEqual(
        [yield* logIn(email, " a new battery "), yield* logIn(email, "a new battery"), yield* logIn(email, password)],
        [200, 401, 401]
      )
      assert.strictEqual((yield* post(link, { newPassword: "another battery" })).status, 400)
    })
  )

  it.effect("a link that has expired, is of another kind or was never sent leads to a page that explains it", () =>
    Effect.gen(function* () {
      const { email } = yield* signUp(newAddress("late"))
      const token = yield* tokenFor(email)
      const other = [`/account/reset-password?token=${token}`, `/account/invitation?token=${token}`]
      yield* TestClock.adjust("24 hours")
      const late = yield* linkIn(email)
      const none = ["verify-email", "reset-password", "invitation"].flatMap((page) =>
        ["", "?token=", "?token=x", `?token=${"x".repeat(3_000)}`, "?token=a&token=b"].map(
          (query) => `/account/${page}${query}`
        )
      )
      for (const path of [late, ...other, ...none]) {
        const fields = { confirm: "1", newPassword: password, password }
        for (const answer of [yield* get(path), yield* post(path, fields)]) {
          assert.strictEqual(answer.status, 400, path)
          assert.include(answer.body, words.invalid.text, path)
        }
      }
    })
  )

  it.effect("an invitation to an address without an account creates one with the chosen password", () =>
    Effect.gen(function* () {
      const email = newAddress("invited")
      const { link, roleOf } = yield* invitation(email, "ADMIN")
      const asked = yield* get(link)
      assert.strictEqual(asked.status, 200)
      for (const part of [
        words.invitation.text("Söhne &amp; &lt;b&gt;Co&lt;/b&gt;"),
        words.invitation.withoutAccount,
        `${words.invitation.role}: ${words.invitation.roles.ADMIN}`,
        "i***@example.com"
      ]) {
        assert.include(asked.body, part)
      }
      assert.notInclude(asked.body, email)
      assert.strictEqual((yield* post(link, { newPassword: "short" })).status, 422)
      assert.isUndefined(yield* roleOf)
      const joined = yield* post(link, { newPassword: password })
      assert.strictEqual(joined.status, 200)
      assert.include(joined.body, 'role="status"')
      const session = cookieOf(joined.headers) ?? ""
      assert.deepInclude((yield* me(session)).body, { email, emailVerified: true })
      assert.strictEqual((yield* roleOf).role, "ADMIN")
      assert.strictEqual((yield* post(link, { newPassword: password })).status, 400)
    })
  )

  it.effect("an invitation to an address with an account asks for its password, unless its user is signed in", () =>
    Effect.gen(function* () {
      const known = yield* signUp(newAddress("known"))
      const first = yield* invitation(known.email)
      assert.include((yield* get(first.link)).body, words.invitation.withAccount)
      const wrong = yield* post(first.link, { password: "wrong horse" })
      assert.strictEqual(wrong.status, 422)
      assert.include(wrong.body, words.wrongPassword)
      assert.isUndefined(cookieOf(wrong.headers))
      const stranger = yield* person("stranger")
      assert.include((yield* get(first.link, stranger.cookie)).body, words.invitation.withAccount)
      assert.include((yield* post(first.link, { confirm: "1" }, stranger.cookie)).body, words.invitation.withAccount)
      assert.isUndefined(yield* first.roleOf)
      const joined = yield* post(first.link, { password })
      assert.strictEqual((yield* me(cookieOf(joined.headers) ?? "")).body.email, known.email)
      assert.strictEqual((yield* first.roleOf).role, "MEMBER")

      const other = yield* signUp(newAddress("other"))
      const second = yield* invitation(other.email)
      assert.include((yield* get(second.link, other.cookie)).body, words.invitation.withSession)
      const accepted = yield* post(second.link, { confirm: "1" }, other.cookie)
      assert.strictEqual(accepted.status, 200)
      assert.strictEqual((yield* second.roleOf).role, "MEMBER")
    })
  )

  it.effect("an account with two factors accepts an invitation only after the second factor", () =>
    Effect.gen(function* () {
      const { email, secret } = yield* guarded("invited")
      yield* TestClock.adjust("1 minute")
      const { link, roleOf } = yield* invitation(email)
      const waits = yield* post(link, { password })
      assert.deepStrictEqual([waits.status, cookieOf(waits.headers)], [303, undefined])
      assert.isUndefined(yield* roleOf)
      const page = waits.headers.get("location") ?? ""
      assert.match(page, /^\/account\/two-factor\?token=[^&]+&returnTo=%2Faccount%2Finvitation/)
      const done = yield* post(page, { code: yield* codeOf(secret) })
      assert.deepStrictEqual([done.status, done.headers.get("location")], [303, link])
      const session = cookieOf(done.headers) ?? ""
      assert.strictEqual((yield* post(link, { confirm: "1" }, session)).status, 200)
      assert.strictEqual((yield* roleOf).role, "MEMBER")
    })
  )

  it.effect("the link is enough to decline an invitation, and other sites cannot decline it", () =>
    Effect.gen(function* () {
      const someone = yield* person("declining")
      const { link, roleOf } = yield* invitation(someone.email)
      assert.include((yield* get(link)).body, `name="decline" value="1">${words.invitation.decline}`)
      const foreign = yield* post(link, { decline: "1" }, "", { origin: "https://evil.example" })
      assert.strictEqual(foreign.status, 403)
      assert.strictEqual((yield* get(link)).status, 200)
      const declined = yield* post(link, { decline: "1" })
      assert.include(declined.body, words.invitation.declined("Söhne &amp; &lt;b&gt;Co&lt;/b&gt;"))
      assert.strictEqual((yield* post(link, { password })).status, 400)
      assert.isUndefined(yield* roleOf)
    })
  )

  it.effect("the link in an ownership offer transfers the project with the password of the member", () =>
    Effect.gen(function* () {
      const owner = yield* person("owner")
      const successor = yield* person("successor")
      const project = yield* newProject(owner.cookie)
      yield* addMember(owner.cookie, project.id, successor, "ADMIN")
      yield* browse(owner.cookie, "PATCH", `/projects/${project.id}/members/${successor.id}`, { role: "OWNER" })
      const link = yield* linkIn(successor.email)
      assert.include((yield* get(link)).body, words.invitation.ownership("Shop"))
      assert.include((yield* post(link, { password })).body, words.invitation.owned("Shop"))
      const { body } = yield* browse(successor.cookie, "GET", "/users/@me/projects")
      assert.strictEqual(body[0].role, "OWNER")
    })
  )

  it.effect("password attempts through an invitation are limited", () =>
    Effect.gen(function* () {
      const known = yield* signUp(newAddress("guessed"))
      const { link } = yield* invitation(known.email)
      for (let n = 0; n < 5; n++) {
        assert.strictEqual((yield* post(link, { password: `wrong horse ${n}` })).status, 422)
      }
      const refused = yield* post(link, { password })
      assert.deepStrictEqual([refused.status, refused.headers.get("retry-after")], [429, "900"])
    })
  )

  it.effect("another site can neither sign a user in nor accept an invitation", () =>
    Effect.gen(function* () {
      const { email, cookie } = yield* signUp(newAddress("foreign"))
      const { link, roleOf } = yield* invitation(email)
      for (const headers of [
        { origin: "https://evil.example" },
        { origin: "null" },
        { "sec-fetch-site": "cross-site" }
      ] as const) {
        for (const answer of [
          yield* post(link, { confirm: "1" }, cookie, headers),
          yield* post(link, { password }, "", headers)
        ]) {
          assert.strictEqual(answer.status, 403)
          assert.isUndefined(cookieOf(answer.headers))
        }
      }
      assert.isUndefined(yield* roleOf)
      const own = { origin: "https://posthorn.example", "sec-fetch-site": "same-origin" }
      assert.strictEqual((yield* post(link, { confirm: "1" }, cookie, own)).status, 200)
    })
  )

  it.effect("are in ten languages; choosing another one keeps the page and its parameters", () =>
    Effect.gen(function* () {
      const { email } = yield* signUp(newAddress("polyglot"))
      const link = yield* linkIn(email)
      const english = (yield* get(link)).body
      for (const language of languages) {
        const { body, status } = yield* get(`${link}&lang=${language}`)
        assert.strictEqual(status, 200)
        assert.include(body, `<html lang="${language}">`)
        assert.include(body, accountPageWords[language].verification.question)
        assert.include(english, `<a href="${link.replace("/account/verify-email", "")}&amp;lang=${language}"`)
      }
      assert.include(
        (yield* get(link, "", { "accept-language": "de-AT" })).body,
        accountPageWords.de.verification.title
      )
    })
  )

  it.effect("say why a sign-in failed, and ignore unknown reasons", () =>
    Effect.gen(function* () {
      for (const reason of oauthFailures) {
        const { body, status } = yield* get(`/account/error?reason=${reason}`)
        assert.strictEqual(status, 200)
        assert.include(body, words.failed.reasons[reason])
        assert.include(body, `href="?reason=${reason}&amp;lang=de"`)
      }
      for (const path of ["/account/error", "/account/error?reason=%3Cscript%3E", "/account/error?reason=toString"]) {
        const { body } = yield* get(path)
        assert.include(body, words.failed.reasons.provider)
        assert.notInclude(body, "<script")
      }
    })
  )

  it.effect(
    "have no script and nothing from other sites, are not cached, and do not send the link to other sites",
    () =>
      Effect.gen(function* () {
        const { email } = yield* signUp(newAddress("headers"))
        for (const { headers, body } of [
          yield* get(yield* linkIn(email)),
          yield* get("/account/reset-password?token=x"),
          yield* get("/account/error?reason=state"),
          yield* post(yield* linkIn(email), { confirm: "1" })
        ]) {
          assert.strictEqual(headers.get("content-type"), "text/html; charset=utf-8")
          assert.strictEqual(headers.get("cache-control"), "no-store")
          assert.strictEqual(headers.get("referrer-policy"), "same-origin")
          assert.strictEqual(headers.get("x-robots-tag"), "noindex")
          assert.strictEqual(
            headers.get("content-security-policy"),
            "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
          )
          assert.notMatch(body, /<script|\son\w+=|https?:\/\//)
        }
      })
  )
})

describe("the words of the account pages", () => {
  it("are translated into every language", () => {
    const texts = (value: object): ReadonlyArray<string> =>
      Object.values(value).flatMap((each) =>
        typeof each === "string" ? [each] : typeof each === "function" ? [String(each("x"))] : texts(each)
      )
    const english = texts(words)
    for (const language of languages) {
      const found = texts(accountPageWords[language])
      assert.strictEqual(found.length, english.length, language)
      for (const text of found) assert.isNotEmpty(text.trim())
      const same = found.filter((text, n) => text === english[n])
      if (language !== "en") assert.isBelow(same.length, 3, `${language}: ${same}`)
    }
  })
})
