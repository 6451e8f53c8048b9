/** Signing in with a provider, from the button to the session, against a provider on a loopback port. */
import { assert, layer } from "@effect/vitest"
import { IdentityProviders, type ProviderName } from "@posthorn/core/accounts/people/IdentityProvider"
import { Oauth } from "@posthorn/core/accounts/people/Oauth"
import * as Posthorn from "@posthorn/core/Posthorn"
import { Settings } from "@posthorn/core/platform/Settings"
import * as ServiceStatus from "@posthorn/core/service/ServiceStatus"
import { browse, cookieOf, newAddress, password, person, signUp } from "@posthorn/core/testing/Browser"
import { pglite } from "@posthorn/core/testing/Databases"
import { codeOf, guarded } from "@posthorn/core/testing/SecondFactor"
import { host, services, settings } from "@posthorn/core/testing/Services"
import { wireOver } from "@posthorn/core/testing/TestClient"
import { Context, Effect, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { type ProviderStub, providerStub } from "../testing/ProviderStub.ts"
import * as GitHub from "./GitHub.ts"
import * as Google from "./Google.ts"
import * as Oidc from "./Oidc.ts"

class Stub extends Context.Service<Stub, ProviderStub>()("@posthorn/node/identity/Identity.test/Stub") {}

const client = { id: "posthorn", secret: "client secret" }

const stub = Layer.effect(Stub, providerStub(client))

/** Both providers, configured with the addresses of the stub. */
const providers = Layer.effect(
  IdentityProviders,
  Effect.map(Stub, ({ url }) => {
    const known = { id: client.id, secret: Redacted.make(client.secret) }
    const authorization = "https://provider.example/authorize?prompt=consent"
    return {
      github: GitHub.make(known, { authorization, token: `${url}/token`, emails: `${url}/user/emails` }),
      google: Google.make(known, { authorization, token: `${url}/token`, userinfo: `${url}/userinfo` }),
      oidc: Oidc.make({ ...known, issuer: url, label: "Acme ID" })
    }
  })
)

const atGitHub = (email: string, verified = true) => ({
  "/user/emails": [
    { email: "other@example.net", primary: false, verified: true },
    { email, primary: true, verified }
  ]
})
const atGoogle = (email: string, verified = true) => ({ "/userinfo": { email, email_verified: verified } })

const atOidc = (email: string, verified = true) => ({ id_token: { email, email_verified: verified } })

/** The browser goes to the provider: the target and the cookie. */
const leave = Effect.fnUntraced(function* (provider: ProviderName, returnTo?: string) {
  const query = returnTo === undefined ? "" : `?returnTo=${encodeURIComponent(returnTo)}`
  const { status, headers } = yield* browse("", "GET", `/oauth/${provider}/outbound${query}`)
  assert.strictEqual(status, 302)
  const [cookie = ""] = headers.getSetCookie()
  return { location: headers.get("location") ?? "", cookie, pair: cookie.split(";")[0] ?? "" }
})

/** The browser returns: the next target and the session. */
const comeBack = Effect.fnUntraced(function* (path: string, pair: string) {
  const { status, headers } = yield* browse("", "GET", path, undefined, pair === "" ? {} : { cookie: pair })
  assert.strictEqual(status, 302)
  assert.match(headers.getSetCookie().join("\n"), /posthorn_oauth=;.*Max-Age=0/)
  return { location: headers.get("location"), session: cookieOf(headers) }
})

const signIn = Effect.fnUntraced(function* (
  provider: ProviderName,
  known: Parameters<ProviderStub["visit"]>[1],
  returnTo?: string
) {
  const { visit } = yield* Stub
  const { location, pair } = yield* leave(provider, returnTo)
  return yield* comeBack(visit(location, known), pair)
})

const failure = (reason: string) => ({ location: `/account/error?reason=${reason}`, session: undefined })

const me = (session: string | undefined) => Effect.map(browse(session ?? "", "GET", "/users/@me"), ({ body }) => body)

const wire = Layer.merge(wireOver(services.pipe(Layer.provide(providers), Layer.provide(stub))), stub)

layer(wire, { timeout: "60 seconds" })("Signing in at a provider", (it) => {
  it.effect("sends a state, a challenge and the redirect URI, and keeps a secret in a cookie for ten minutes", () =>
    Effect.gen(function* () {
      const config = yield* browse("", "GET", "/auth/oauth-config")
      assert.deepStrictEqual(config.body, { success: true, data: { github: true, google: true, oidc: true } })
      for (const [provider, scope] of [
        ["github", "user:email"],
        ["google", "openid email"],
        ["oidc", "openid email"]
      ] as const) {
        const { location, cookie } = yield* leave(provider, "/projects?tab=1")
        const { searchParams: query, origin } = new URL(location)
        assert.strictEqual(origin, "https://provider.example")
        assert.deepInclude(Object.fromEntries(query), {
          response_type: "code",
          client_id: "posthorn",
          scope,
          redirect_uri: `https://posthorn.example/oauth/${provider}/callback`,
          code_challenge_method: "S256"
        })
        assert.match(query.get("code_challenge") ?? "", /^[\w-]{43}$/)
        const attributes = cookie.split("; ").slice(1).sort()
        assert.deepStrictEqual(attributes, ["HttpOnly", "Max-Age=600", "Path=/oauth", "SameSite=Lax", "Secure"])
        const secret = /posthorn_oauth=([\w-]{43});/.exec(cookie)?.[1] ?? ""
        assert.notInclude(decodeURIComponent(location), secret)
      }
    })
  )

  it.effect("creates an account without a password for a new address, and finds it the next time", () =>
    Effect.gen(function* () {
      for (const [provider, known, type] of [
        ["github", atGitHub, "GITHUB_OAUTH"],
        ["google", atGoogle, "GOOGLE_OAUTH"],
        ["oidc", atOidc, "OIDC"]
      ] as const) {
        const email = newAddress("new")
        const first = yield* signIn(provider, known(email.toUpperCase()), "/projects?tab=1")
        assert.strictEqual(first.location, "/projects?tab=1")
        const user = yield* me(first.session)
        assert.deepInclude(user, { email, emailVerified: true, type })
        const again = yield* signIn(provider, known(email))
        assert.strictEqual(again.location, "/")
        assert.notStrictEqual(again.session, first.session)
        assert.strictEqual((yield* me(again.session)).id, user.id)
        const login = yield* browse("", "POST", "/auth/login", { email, password })
        assert.strictEqual(login.body.error.code, "INVALID_CREDENTIALS")
      }
    })
  )

  it.effect("uses the existing account of the address, whose password and sessions stay valid", () =>
    Effect.gen(function* () {
      const known = yield* person("joined")
      const { session } = yield* signIn("github", atGitHub(known.email))
      assert.strictEqual((yield* me(session)).id, known.id)
      assert.strictEqual((yield* me(known.cookie)).id, known.id)
      const login = yield* browse("", "POST", "/auth/login", { email: known.email, password })
      assert.strictEqual(login.status, 200)
    })
  )

  it.effect(
    "asks an account with two-factor authentication for the second factor, and creates no session before it",
    () =>
      Effect.gen(function* () {
        const { email, id, secret } = yield* guarded("two-factors")
        yield* TestClock.adjust("1 minute")
        const { location, session } = yield* signIn("github", atGitHub(email), "/projects?tab=1")
        assert.isUndefined(session)
        const page = new URL(location ?? "", "https://posthorn.example")
        assert.deepStrictEqual(
          [page.pathname, page.searchParams.get("returnTo")],
          ["/account/two-factor", "/projects?tab=1"]
        )
        const done = yield* browse("", "POST", location ?? "", `code=${yield* codeOf(secret)}`, {
          "content-type": "application/x-www-form-urlencoded"
        })
        assert.deepStrictEqual([done.status, done.headers.get("location")], [303, "/projects?tab=1"])
        assert.strictEqual((yield* me(cookieOf(done.headers))).id, id)
      })
  )

  it.effect("takes over an account whose address was never confirmed", () =>
    Effect.gen(function* () {
      const squatter = yield* signUp(newAddress("squatted"))
      const { session } = yield* signIn("google", atGoogle(squatter.email))
      assert.deepInclude(yield* me(session), { id: squatter.id, emailVerified: true })
      assert.strictEqual((yield* me(squatter.cookie)).error.code, "UNAUTHORIZED")
      const login = yield* browse("", "POST", "/auth/login", { email: squatter.email, password })
      assert.strictEqual(login.body.error.code, "INVALID_CREDENTIALS")
    })
  )

  it.effect("ends at the error page, without a session, after any failure", () =>
    Effect.gen(function* () {
      const { fail, visit } = yield* Stub
      const email = newAddress("failing")
      assert.deepStrictEqual(yield* signIn("github", "access_denied"), failure("refused"))
      assert.deepStrictEqual(yield* signIn("github", atGitHub(email, false)), failure("email"))
      assert.deepStrictEqual(yield* signIn("google", atGoogle(email, false)), failure("email"))
      assert.deepStrictEqual(yield* signIn("google", { "/userinfo": {} }), failure("email"))
      assert.deepStrictEqual(yield* signIn("google", { "/userinfo": "nonsense" }), failure("provider"))

      const { location, pair } = yield* leave("github")
      const back = visit(location, atGitHub(email))
      const other = yield* leave("github")
      for (const [path, cookie] of [
        [back, ""],
        [back, other.pair],
        [back, "posthorn_oauth="],
        [back.replace("/github/", "/google/"), pair],
        [back.replace(/state=[^&]*/, "state=x"), pair],
        [back.replace(/state=[^&]*/, ""), pair],
        [back.replace(/(state=[^&]*)[^&]{4}/, "$1AAAA"), pair],
        ["/oauth/github/callback", ""]
      ] as const) {
        assert.deepStrictEqual(yield* comeBack(path, cookie), failure("state"), path)
      }
      assert.deepStrictEqual(yield* comeBack(back.replace(/code=[^&]*/, "code=x"), pair), failure("provider"))
      assert.strictEqual((yield* comeBack(back, pair)).location, "/")
      assert.deepStrictEqual(yield* comeBack(back, pair), failure("provider"), "a code is good once")

      const late = yield* leave("google")
      yield* TestClock.adjust("10 minutes")
      assert.deepStrictEqual(yield* comeBack(visit(late.location, atGoogle(email)), late.pair), failure("state"))
      fail(503)
      assert.deepStrictEqual(yield* signIn("google", atGoogle(email)), failure("provider"))
      fail(200)
    })
  )

  it.effect("with OpenID Connect accepts only a token of this provider, for this client and this sign-in", () =>
    Effect.gen(function* () {
      const email = newAddress("oidc")
      const with_ = (claims: object) => ({ id_token: { email, email_verified: true, ...claims } })
      for (const claims of [
        { iss: "https://other.example" },
        { aud: "another-client" },
        { exp: 1_000_000_000 },
        { nonce: "of-another-sign-in" },
        { sub: undefined }
      ]) {
        assert.deepStrictEqual(yield* signIn("oidc", with_(claims)), failure("provider"), JSON.stringify(claims))
      }
      assert.deepStrictEqual(yield* signIn("oidc", { "/userinfo": { email } }), failure("provider"), "no token")
      assert.deepStrictEqual(yield* signIn("oidc", with_({ email_verified: false })), failure("email"))
      assert.deepStrictEqual(yield* signIn("oidc", with_({ email_verified: "true" })), failure("email"))
      const { visit } = yield* Stub
      const { location, pair } = yield* leave("oidc")
      const mixedUp = `${visit(location, with_({}))}&iss=${encodeURIComponent("https://other.example")}`
      assert.deepStrictEqual(yield* comeBack(mixedUp, pair), failure("provider"))
      const later = { id_token: {}, "/userinfo": { sub: "one", email, email_verified: true } }
      const { session } = yield* signIn("oidc", later)
      assert.deepInclude(yield* me(session), { email, type: "OIDC" })
      const foreign = { ...later, "/userinfo": { sub: "two", email, email_verified: true } }
      assert.deepStrictEqual(yield* signIn("oidc", foreign), failure("provider"), "userinfo of another person")
    })
  )

  it.effect("returns only to a path of this site", () =>
    Effect.gen(function* () {
      const other = ["//evil.example", "/\\evil.example", "https://evil.example", "evil", "", "/\t/evil.example", "/ü"]
      for (const returnTo of [...other, `/${"a".repeat(2_000)}`]) {
        const path = `/oauth/github/outbound?returnTo=${encodeURIComponent(returnTo)}`
        const { status, body, headers } = yield* browse("", "GET", path)
        assert.deepStrictEqual([status, body.error.code, body.error.errors[0].field], [400, "BAD_REQUEST", "returnTo"])
        assert.isEmpty(headers.getSetCookie())
      }
      for (const path of ["/oauth/gitlab/outbound", "/oauth/toString/outbound", "/oauth/constructor/callback"]) {
        const { status, body } = yield* browse("", "GET", path)
        assert.deepStrictEqual([status, body.error.code], [404, "ROUTE_NOT_FOUND"])
      }
    })
  )

  it.effect("creates one account for many concurrent first sign-ins of an address", () =>
    Effect.gen(function* () {
      const email = newAddress("racing")
      const all = yield* Effect.all(
        Array.from({ length: 8 }, () => signIn("github", atGitHub(email))),
        { concurrency: "unbounded" }
      )
      const users = yield* Effect.forEach(all, ({ session }) => me(session))
      assert.deepStrictEqual(new Set(users.map(({ id }) => id)).size, 1)
    })
  )

  it.effect("creates no more than ten accounts an hour for one network", () =>
    Effect.gen(function* () {
      const { visit } = yield* Stub
      const oauth = yield* Oauth
      const outcome = Effect.gen(function* () {
        const { location, pair } = yield* leave("google")
        const { searchParams: back } = new URL(
          visit(location, atGoogle(newAddress("many"))),
          "https://posthorn.example"
        )
        const callback = { state: back.get("state") ?? "", code: back.get("code") ?? "", error: "", issuer: "" }
        const verifier = Redacted.make(pair.replace(/^.*=/, ""))
        return yield* Effect.match(oauth.finish("google", callback, verifier, "203.0.113.77"), {
          onFailure: (failure): string => ("reason" in failure ? failure.reason : failure._tag),
          onSuccess: () => "in"
        })
      })
      const outcomes = yield* Effect.all(Array.from({ length: 11 }, () => outcome))
      assert.deepStrictEqual(outcomes, [...Array.from({ length: 10 }, () => "in"), "too_many_attempts"])
    })
  )
})

/** One configured provider. */
const withSignups = (signups: (typeof settings)["signups"]) =>
  Layer.mergeAll(Posthorn.layer, ServiceStatus.layer).pipe(
    Layer.provideMerge(Layer.merge(host, pglite)),
    Layer.provideMerge(Layer.succeed(Settings, { ...settings, signups })),
    Layer.provide(
      Layer.effect(
        IdentityProviders,
        Effect.map(IdentityProviders, ({ github }) => ({ github }))
      ).pipe(Layer.provide(providers))
    ),
    Layer.provide(stub)
  )

layer(Layer.merge(wireOver(withSignups("first")), stub), { timeout: "60 seconds" })(
  "Open for a first account",
  (it) => {
    it.effect("a provider creates that one account, and no other", () =>
      Effect.gen(function* () {
        const first = newAddress("first")
        assert.notDeepEqual(yield* signIn("github", atGitHub(first)), failure("signups_disabled"))
        assert.deepStrictEqual(yield* signIn("github", atGitHub(newAddress("second"))), failure("signups_disabled"))
        assert.notDeepEqual(yield* signIn("github", atGitHub(first)), failure("signups_disabled"))
      })
    )
  }
)

layer(Layer.merge(wireOver(withSignups("invited")), stub), { timeout: "60 seconds" })("Without sign-ups", (it) => {
  it.effect("a provider signs in only users with an account; a provider that is not configured is not offered", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* signIn("github", atGitHub(newAddress("anybody"))), failure("signups_disabled"))
      const config = yield* browse("", "GET", "/auth/oauth-config")
      assert.deepStrictEqual(config.body.data, { github: true, google: false })
      for (const path of ["/oauth/google/outbound", "/oauth/google/callback?code=x&state=x"]) {
        assert.strictEqual((yield* browse("", "GET", path)).body.error.code, "ROUTE_NOT_FOUND")
      }
    })
  )
})
