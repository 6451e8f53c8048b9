/** Sign-in with GitHub: an OAuth app with the scope `user:email`. */
import type { IdentityProvider } from "@posthorn/core/accounts/people/IdentityProvider"
import { Effect, Option, Schema } from "effect"
import { accessToken, authorizationUrl, type Client, resource } from "./OauthClient.ts"

export const endpoints = {
  authorization: "https://github.com/login/oauth/authorize",
  token: "https://github.com/login/oauth/access_token",
  emails: "https://api.github.com/user/emails"
}

const Emails = Schema.Array(Schema.Struct({ email: Schema.String, primary: Schema.Boolean, verified: Schema.Boolean }))

/** Only the primary address counts, because it identifies the person at GitHub. */
export const make = (client: Client, { authorization, token, emails } = endpoints): IdentityProvider => ({
  label: "GitHub",
  authorizationUrl: (request) => Effect.succeed(authorizationUrl(authorization, client, "user:email", request).href),
  verifiedEmail: Effect.fn("GitHub.verifiedEmail")(function* (grant) {
    const found = yield* resource(emails, yield* accessToken(token, client, grant), Emails)
    const primary = found.find(({ primary, verified }) => primary && verified)
    return Option.map(Option.fromUndefinedOr(primary), ({ email }) => email)
  })
})
