/**
 * Sign-in with any OpenID Connect provider, such as Keycloak, Authentik, Okta or Entra ID. Its endpoints come from its
 * discovery document (Discovery 1.0, 4).
 */
import type { Grant, IdentityProvider } from "@posthorn/core/accounts/people/IdentityProvider"
import { Effect, Option, Redacted } from "effect"
import * as oauth from "oauth4webapi"
import { attempt, authorizationUrl, type Client, exchange, requestTo } from "./OauthClient.ts"

export interface OidcClient extends Client {
  /** The URL of the provider, exactly as in its tokens. */
  readonly issuer: string
  /** The name of the provider, for buttons. */
  readonly label: string
}

/** The default is `client_secret_basic`, for a provider that does not say how clients authenticate. */
const authenticationAt = ({ token_endpoint_auth_methods_supported: methods }: oauth.AuthorizationServer) =>
  methods === undefined || methods.includes("client_secret_basic") ? oauth.ClientSecretBasic : oauth.ClientSecretPost

const claimsOf = (value: oauth.IDToken | oauth.UserInfoResponse) => ({
  email: typeof value["email"] === "string" ? value["email"] : undefined,
  isVerified: value["email_verified"] === true
})

export const make = ({ issuer, label, ...client }: OidcClient): IdentityProvider => {
  const known = { client_id: client.id }
  let server: oauth.AuthorizationServer | undefined

  /** Requested once. After a failure the next sign-in requests it again. */
  const discovered = Effect.suspend(() =>
    server === undefined
      ? attempt("The discovery of the provider", async () => {
          const url = new URL(issuer)
          const response = await oauth.discoveryRequest(url, { ...requestTo(issuer), algorithm: "oidc" })
          server = await oauth.processDiscoveryResponse(url, response)
          return server
        })
      : Effect.succeed(server)
  )

  const userInfo = (found: oauth.AuthorizationServer, token: string, subject: string) =>
    attempt("The request for the address", async () => {
      const request = requestTo(found.userinfo_endpoint ?? "")
      const response = await oauth.userInfoRequest(found, known, token, request)
      return claimsOf(await oauth.processUserInfoResponse(found, known, subject, response))
    })

  return {
    label,
    /**
     * The challenge is also the nonce, because both belong to one browser. The callback computes it from the verifier.
     */
    authorizationUrl: Effect.fn("Oidc.authorizationUrl")(function* (request) {
      const { authorization_endpoint = "" } = yield* discovered
      const url = authorizationUrl(authorization_endpoint, client, "openid email", request)
      url.searchParams.set("nonce", request.challenge)
      return url.href
    }),
    verifiedEmail: Effect.fn("Oidc.verifiedEmail")(function* (grant: Grant) {
      const found = yield* discovered
      const nonce = yield* Effect.promise(() => oauth.calculatePKCECodeChallenge(Redacted.value(grant.verifier)))
      const answer = yield* exchange(
        {
          server: found,
          client,
          authentication: authenticationAt(found)(Redacted.value(client.secret)),
          expected: { expectedNonce: nonce, requireIdToken: true },
          issuer: grant.issuer
        },
        grant
      )
      const token = oauth.getValidatedIdTokenClaims(answer)
      if (token === undefined) return Option.none()
      const inToken = claimsOf(token)
      const asksMore = inToken.email === undefined && found.userinfo_endpoint !== undefined
      const { email, isVerified } = asksMore ? yield* userInfo(found, answer.access_token, token.sub) : inToken
      return isVerified ? Option.fromUndefinedOr(email) : Option.none()
    })
  }
}
