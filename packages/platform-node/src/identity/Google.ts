/** Sign-in with Google: OpenID Connect, with the claims from its userinfo endpoint (Core 1.0, 5.3). */
import type { IdentityProvider } from "@posthorn/core/accounts/people/IdentityProvider"
import { Effect, Option, Schema } from "effect"
import { accessToken, authorizationUrl, type Client, resource } from "./OauthClient.ts"

export const endpoints = {
  authorization: "https://accounts.google.com/o/oauth2/v2/auth",
  token: "https://oauth2.googleapis.com/token",
  userinfo: "https://openidconnect.googleapis.com/v1/userinfo"
}

const Claims = Schema.Struct({
  email: Schema.optionalKey(Schema.String),
  email_verified: Schema.optionalKey(Schema.Boolean)
})

export const make = (client: Client, { authorization, token, userinfo } = endpoints): IdentityProvider => ({
  label: "Google",
  authorizationUrl: (request) => Effect.succeed(authorizationUrl(authorization, client, "openid email", request).href),
  verifiedEmail: Effect.fn("Google.verifiedEmail")(function* (grant) {
    const claims = yield* resource(userinfo, yield* accessToken(token, client, grant), Claims)
    return claims.email_verified === true ? Option.fromUndefinedOr(claims.email) : Option.none()
  })
})
