/**
 * `/account/...`: the pages that links in system emails open, and the page of a failed sign-in. GET and HEAD change
 * nothing. A form posts to its own path and does the same as the matching endpoint.
 */
import { NewPassword } from "@posthorn/contract/accounts/people/Account"
import { Effect, type Layer, Option, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { BodyReaders } from "../../platform/http/BodyReaders.ts"
import * as ClientLimit from "../../platform/http/ClientLimit.ts"
import { inContext } from "../../platform/http/Routes.ts"
import { Settings } from "../../platform/Settings.ts"
import type { Html } from "../../platform/web/Html.ts"
import * as PublicPages from "../../platform/web/PageHtml.ts"
import { basePath, form, makePageLimit, place as publicPlace, respondPage } from "../../platform/web/PageRequest.ts"
import * as Members from "../members/Members.ts"
import { identityProviders } from "../people/IdentityProvider.ts"
import { isLocalPath } from "../people/LocalPath.ts"
import { Oauth, oauthFailures } from "../people/Oauth.ts"
import { secondFactorPage } from "../people/OauthHttp.ts"
import * as SessionCookie from "../people/SessionCookie.ts"
import { Sessions } from "../people/Sessions.ts"
import { SignIn } from "../people/SignIn.ts"
import * as AccountPageHtml from "./AccountPageHtml.ts"

type Held = Members.HeldInvitation & { readonly hasAccount: boolean }

const isNewPassword = Schema.is(NewPassword)

/**
 * `same-origin`: the browser sends the origin of a form to this origin only, and the link, which has a token, to no
 * other site.
 */
const respond = (page: Html, status = 200) => respondPage(page, status, { "referrer-policy": "same-origin" })

const parameter = (name: "reason" | "returnTo" | "token") =>
  Effect.map(HttpServerRequest.ParsedSearchParams, (query) => {
    const value = query[name]
    return typeof value === "string" ? value : ""
  })

/** Links to the other languages open the same page and keep its parameters. */
const place = Effect.gen(function* () {
  const [token, reason, returnTo] = yield* Effect.all([parameter("token"), parameter("reason"), parameter("returnTo")])
  const kept = new URLSearchParams({
    ...(token !== "" && { token }),
    ...(reason !== "" && { reason }),
    ...(returnTo !== "" && { returnTo })
  }).toString()
  const where = yield* publicPlace()
  const { hasConsole } = yield* Settings
  return { ...where, kept: kept === "" ? "" : `${kept}&`, console: hasConsole ? `${where.base}/console` : null }
})

const show = (page: (place: AccountPageHtml.AccountPageContext) => Html, status?: number) =>
  Effect.map(place, (where) => respond(page(where), status))

const invalid = show(AccountPageHtml.invalid, 400)

const seeOther = (location: string) =>
  HttpServerResponse.empty({ status: 303, headers: { location, "referrer-policy": "same-origin" } })

const tooMany = ({ retryAfter }: { readonly retryAfter: number }) =>
  Effect.map(show(PublicPages.busy, 429), HttpServerResponse.setHeader("retry-after", String(retryAfter)))

const foreign = show((where) => AccountPageHtml.failed(where, "state"), 403)

const makeRoutes = Effect.gen(function* () {
  const members = yield* Members.make
  const readers = yield* BodyReaders
  const oauth = yield* Oauth
  const sessions = yield* Sessions
  const signIn = yield* SignIn
  const { publicUrl } = yield* Settings
  const here = yield* inContext
  const limited = makePageLimit()

  const askVerification = Effect.fnUntraced(function* (fault?: AccountPageHtml.FormFault) {
    const account = yield* signIn.unconfirmed(yield* parameter("token"))
    return yield* show((where) => AccountPageHtml.verification(where, account, fault), fault === undefined ? 200 : 422)
  })

  const verify = Effect.gen(function* () {
    const fields = yield* form(readers)
    const token = yield* parameter("token")
    if (fields.get("disown") === "1") {
      yield* signIn.disown(token)
      return yield* show(AccountPageHtml.disowned)
    }
    const password = fields.get("password")
    if (password === undefined) return yield* askVerification()
    return yield* signIn.verifyEmailWith(token, password, yield* ClientLimit.client).pipe(
      Effect.andThen(show(AccountPageHtml.verified)),
      Effect.catchTag("INVALID_CREDENTIALS", () => askVerification("wrong_password"))
    )
  })

  const verification = (answer: ReturnType<typeof askVerification> | typeof verify) =>
    Effect.catchTags(answer, { INVALID_TOKEN: () => invalid, RATE_LIMIT_EXCEEDED: tooMany })

  const askReset = Effect.gen(function* () {
    const isGood = yield* signIn.isGood("reset", yield* parameter("token"))
    return yield* isGood ? show((where) => AccountPageHtml.reset(where)) : invalid
  })

  const reset = Effect.gen(function* () {
    const newPassword = (yield* form(readers)).get("newPassword")
    if (newPassword === undefined) return yield* askReset
    if (!isNewPassword(newPassword)) return yield* show((where) => AccountPageHtml.reset(where, "password_rule"), 422)
    return yield* signIn.resetPassword({ token: yield* parameter("token"), newPassword }).pipe(
      Effect.andThen(show(AccountPageHtml.passwordSet)),
      Effect.catchTag("INVALID_TOKEN", () => invalid)
    )
  })

  /** The user of the session, if the session is of the invited address. */
  const invitedUser = ({ email }: Held) =>
    SessionCookie.sent.pipe(
      Effect.flatMap(sessions.authenticate),
      Effect.option,
      Effect.map(Option.filter(({ user }) => user.email === email)),
      Effect.map(Option.map(({ user }) => user))
    )

  /** An invited person may always create an account with a password. With a provider, only while sign-up is open. */
  const providersFor = Effect.fnUntraced(function* ({ hasAccount }: Held, base: string, token: string) {
    const mayEnter = hasAccount || (yield* signIn.isOpen)
    const returnTo = encodeURIComponent(`/account/invitation?token=${encodeURIComponent(token)}`)
    return identityProviders.flatMap((name) => {
      const label = oauth.labels[name]
      return label === undefined || !mayEnter
        ? []
        : [{ label, href: `${base}/oauth/${name}/outbound?returnTo=${returnTo}` }]
    })
  })

  const askInvitation = Effect.fnUntraced(function* (held: Held, fault?: AccountPageHtml.FormFault) {
    const where = yield* place
    const user = yield* invitedUser(held)
    const guest = Option.isSome(user) ? "session" : held.hasAccount ? "account" : "none"
    const providers = yield* providersFor(held, where.base, yield* parameter("token"))
    const status = fault === undefined ? 200 : 422
    return respond(AccountPageHtml.invitation(where, { invitation: held, guest, providers, fault }), status)
  })

  const accept = Effect.fnUntraced(function* (held: Held, token: string) {
    const { email } = held
    const fields = yield* form(readers)
    if (fields.get("decline") === "1") {
      yield* members.decline(token)
      return yield* show((where) => AccountPageHtml.declined(where, held))
    }
    const user = yield* invitedUser(held)
    if (Option.isSome(user)) {
      if (fields.get("confirm") !== "1") return yield* askInvitation(held)
      yield* members.accept(user.value, token)
      return yield* show((where) => AccountPageHtml.joined(where, held))
    }
    const network = yield* ClientLimit.client
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
      // The account was created, or the invitation was withdrawn, after the page was loaded.
      Effect.catchTags({
        TWO_FACTOR_REQUIRED: ({ token: waiting }) =>
          Effect.map(parameter("token"), (token) =>
            seeOther(
              secondFactorPage(publicUrl, {
                token: waiting,
                returnTo: `${basePath(publicUrl)}/account/invitation?${new URLSearchParams({ token })}`
              })
            )
          ),
        EMAIL_ALREADY_EXISTS: () => invalid,
        FORBIDDEN: () => invalid,
        INVALID_TOKEN: () => invalid,
        PROJECT_DISABLED: () => invalid,
        VALIDATION_ERROR: () => invalid,
        SIGNUPS_DISABLED: () => invalid,
        RATE_LIMIT_EXCEEDED: tooMany
      })
    )

  const askTwoFactor = show((where) => AccountPageHtml.twoFactor(where, false))

  const twoFactor = Effect.gen(function* () {
    const given = ((yield* form(readers)).get("code") ?? "").trim()
    if (given === "") return yield* askTwoFactor
    const returnTo = yield* parameter("returnTo")
    const factor = /^[\d ]{6,20}$/.test(given) ? { code: given } : { recoveryCode: given.slice(0, 100) }
    return yield* signIn.twoFactor({ token: yield* parameter("token"), ...factor }, yield* ClientLimit.client).pipe(
      Effect.tap(({ token }) => SessionCookie.set(token)),
      Effect.map(() => seeOther(isLocalPath(returnTo) ? returnTo : `${basePath(publicUrl)}/`)),
      Effect.catchTags({
        INVALID_CREDENTIALS: () => show((where) => AccountPageHtml.twoFactor(where, true), 422),
        INVALID_TOKEN: () => show((where) => AccountPageHtml.failed(where, "state"), 400),
        RATE_LIMIT_EXCEEDED: tooMany
      })
    )
  })

  const error = Effect.gen(function* () {
    const given = yield* parameter("reason")
    const reason = oauthFailures.find((known) => known === given) ?? "provider"
    return yield* show((where) => AccountPageHtml.failed(where, reason))
  })

  /** Guards forms that use or start a session: they must come from an allowed origin. */
  const fromHere = <A, E, R>(act: Effect.Effect<A, E, R>) =>
    Effect.matchEffect(SessionCookie.fromAllowedOrigin, { onFailure: () => foreign, onSuccess: () => act })

  return [
    HttpRouter.route("GET", "/account/verify-email", here(limited(verification(askVerification())))),
    HttpRouter.route("POST", "/account/verify-email", here(limited(verification(verify)))),
    HttpRouter.route("GET", "/account/reset-password", here(limited(askReset))),
    HttpRouter.route("POST", "/account/reset-password", here(limited(reset))),
    HttpRouter.route("GET", "/account/invitation", here(limited(invitation((held) => askInvitation(held))))),
    HttpRouter.route("POST", "/account/invitation", here(limited(fromHere(invitation(accept))))),
    HttpRouter.route("GET", "/account/two-factor", here(limited(askTwoFactor))),
    HttpRouter.route("POST", "/account/two-factor", here(limited(fromHere(twoFactor)))),
    HttpRouter.route("GET", "/account/error", here(limited(error)))
  ]
})

export const layer: Layer.Layer<
  never,
  never,
  BodyReaders | HttpRouter.HttpRouter | Members.Needs | Oauth | Sessions | SignIn
> = HttpRouter.addAll(makeRoutes)
