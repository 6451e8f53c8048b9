/**
 * `/account/...`: the pages behind the links of the service's own mails, and where a sign-in that failed ends
 * (contract-2 15.5). GET and HEAD change nothing; a form posts to its own path and does what the endpoint would.
 */
import { NewPassword } from "@posthorn/contract/accounts/Account"
import { Effect, type Layer, Option, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { identityProviders } from "../accounts/IdentityProvider.ts"
import * as Network from "../accounts/Network.ts"
import { Oauth, oauthFailures } from "../accounts/Oauth.ts"
import * as SessionCookie from "../accounts/SessionCookie.ts"
import { Sessions } from "../accounts/Sessions.ts"
import { SignIn } from "../accounts/SignIn.ts"
import { inContext } from "../http/Routes.ts"
import { type HeldInvitation, Members } from "../members/Members.ts"
import type { Html } from "../pages/Html.ts"
import * as PublicPages from "../pages/PageHtml.ts"
import * as PageLimit from "../pages/PageLimit.ts"
import { form, place as publicPlace, respond as respondPublic } from "../pages/PageRequest.ts"
import { Settings } from "../Settings.ts"
import * as AccountPageHtml from "./AccountPageHtml.ts"

type Held = HeldInvitation & { readonly hasAccount: boolean }

const isNewPassword = Schema.is(NewPassword)

/** The browser tells our own pages where a form comes from, and no other site anything; the link stays here too. */
const respond = (page: Html, status = 200) => respondPublic(page, status, { "referrer-policy": "same-origin" })

const parameter = (name: "reason" | "token") =>
  Effect.map(HttpServerRequest.ParsedSearchParams, (query) => {
    const value = query[name]
    return typeof value === "string" ? value : ""
  })

/** The links to the other languages lead to the same page: they keep what it is about. */
const place = Effect.gen(function* () {
  const [token, reason] = yield* Effect.all([parameter("token"), parameter("reason")])
  const kept = new URLSearchParams({ ...(token !== "" && { token }), ...(reason !== "" && { reason }) }).toString()
  return { ...(yield* publicPlace()), kept: kept === "" ? "" : `${kept}&` }
})

const show = (page: (place: PublicPages.Place) => Html, status?: number) =>
  Effect.map(place, (where) => respond(page(where), status))

const invalid = show(AccountPageHtml.invalid, 400)

const tooMany = ({ retryAfter }: { readonly retryAfter: number }) =>
  Effect.map(show(PublicPages.busy, 429), HttpServerResponse.setHeader("retry-after", String(retryAfter)))

const foreign = show((where) => AccountPageHtml.failed(where, "state"), 403)

const makeRoutes = Effect.gen(function* () {
  const members = yield* Members
  const oauth = yield* Oauth
  const sessions = yield* Sessions
  const signIn = yield* SignIn
  const { signupsDisabled } = yield* Settings
  const here = yield* inContext
  const limited = PageLimit.make()

  const askVerification = Effect.gen(function* () {
    const isGood = yield* signIn.isGood("verification", yield* parameter("token"))
    return yield* isGood ? show(AccountPageHtml.verification) : invalid
  })

  const verify = Effect.gen(function* () {
    const fields = yield* form
    if (fields.get("confirm") !== "1") return yield* askVerification
    return yield* signIn.verifyEmail(yield* parameter("token")).pipe(
      Effect.andThen(show(AccountPageHtml.verified)),
      Effect.catchTag("INVALID_TOKEN", () => invalid)
    )
  })

  const askReset = Effect.gen(function* () {
    const isGood = yield* signIn.isGood("reset", yield* parameter("token"))
    return yield* isGood ? show((where) => AccountPageHtml.reset(where)) : invalid
  })

  const reset = Effect.gen(function* () {
    const newPassword = (yield* form).get("newPassword")
    if (newPassword === undefined) return yield* askReset
    if (!isNewPassword(newPassword)) return yield* show((where) => AccountPageHtml.reset(where, "password_rule"), 422)
    return yield* signIn.resetPassword({ token: yield* parameter("token"), newPassword }).pipe(
      Effect.andThen(show(AccountPageHtml.passwordSet)),
      Effect.catchTag("INVALID_TOKEN", () => invalid)
    )
  })

  /** The user of the session, if it is one of the invited address. */
  const invitedUser = ({ email }: Held) =>
    SessionCookie.sent.pipe(
      Effect.flatMap(sessions.authenticate),
      Effect.option,
      Effect.map(Option.filter(({ user }) => user.email === email)),
      Effect.map(Option.map(({ user }) => user))
    )

  /** A new account may be made with the password that is chosen here, but at a provider only where anybody may sign up. */
  const providersFor = ({ hasAccount }: Held, base: string, token: string) =>
    identityProviders
      .filter((name) => oauth.configured[name] && (hasAccount || !signupsDisabled))
      .map((name) => {
        const returnTo = encodeURIComponent(`/account/invitation?token=${encodeURIComponent(token)}`)
        return { name, href: `${base}/oauth/${name}/outbound?returnTo=${returnTo}` }
      })

  const askInvitation = Effect.fnUntraced(function* (held: Held, fault?: AccountPageHtml.FormFault) {
    const where = yield* place
    const user = yield* invitedUser(held)
    const guest = Option.isSome(user) ? "session" : held.hasAccount ? "account" : "nobody"
    const providers = providersFor(held, where.base, yield* parameter("token"))
    const status = fault === undefined ? 200 : 422
    return respond(AccountPageHtml.invitation(where, { invitation: held, guest, providers, fault }), status)
  })

  const accept = Effect.fnUntraced(function* (held: Held, token: string) {
    const { email } = held
    const fields = yield* form
    const user = yield* invitedUser(held)
    if (Option.isSome(user)) {
      if (fields.get("confirm") !== "1") return yield* askInvitation(held)
      yield* members.accept(user.value, token)
      return yield* show((where) => AccountPageHtml.joined(where, held))
    }
    const network = yield* Network.current
    const password = fields.get(held.hasAccount ? "password" : "newPassword")
    if (password === undefined) return yield* askInvitation(held)
    if (held.hasAccount) {
      const { account, token: session } = yield* signIn.login({ email, password }, network)
      yield* members.accept(account, token)
      yield* SessionCookie.set(session)
    } else {
      if (!isNewPassword(password)) return yield* askInvitation(held, "password_rule")
      const { token: session } = yield* signIn.signup({ email, password, invitationToken: token }, network)
      yield* SessionCookie.set(session)
    }
    return yield* show((where) => AccountPageHtml.joined(where, held))
  })

  const invitation = (answer: (held: Held, token: string) => ReturnType<typeof accept>) =>
    Effect.gen(function* () {
      const token = yield* parameter("token")
      const held = yield* members.held(token)
      return yield* answer(held, token).pipe(
        Effect.catchTag("INVALID_CREDENTIALS", () => askInvitation(held, "wrong_password"))
      )
    }).pipe(
      // The account was made, or the invitation taken back, while the page was read.
      Effect.catchTags({
        EMAIL_ALREADY_EXISTS: () => invalid,
        FORBIDDEN: () => invalid,
        INVALID_TOKEN: () => invalid,
        SIGNUPS_DISABLED: () => invalid,
        RATE_LIMIT_EXCEEDED: tooMany
      })
    )

  const error = Effect.gen(function* () {
    const given = yield* parameter("reason")
    const reason = oauthFailures.find((known) => known === given) ?? "provider"
    return yield* show((where) => AccountPageHtml.failed(where, reason))
  })

  /** It may act with a session, or begin one. */
  const fromHere = Effect.matchEffect(SessionCookie.fromAllowedOrigin, {
    onFailure: () => foreign,
    onSuccess: () => invitation(accept)
  })

  return [
    HttpRouter.route("GET", "/account/verify-email", here(limited(askVerification))),
    HttpRouter.route("POST", "/account/verify-email", here(limited(verify))),
    HttpRouter.route("GET", "/account/reset-password", here(limited(askReset))),
    HttpRouter.route("POST", "/account/reset-password", here(limited(reset))),
    HttpRouter.route("GET", "/account/invitation", here(limited(invitation((held) => askInvitation(held))))),
    HttpRouter.route("POST", "/account/invitation", here(limited(fromHere))),
    HttpRouter.route("GET", "/account/error", here(limited(error)))
  ]
})

export const layer: Layer.Layer<never, never, HttpRouter.HttpRouter | Members | Oauth | Sessions | SignIn> =
  HttpRouter.addAll(makeRoutes)
