/** The steps shared by OAuth 2.0 providers: the authorization URL, the exchange of the code and a resource request. */
import { type Grant, ProviderFailed } from "@posthorn/core/accounts/people/IdentityProvider"
import { Effect, Predicate, Redacted, Schema } from "effect"
import * as oauth from "oauth4webapi"

export interface Client {
  readonly id: string
  readonly secret: Redacted.Redacted<string>
}

/** Milliseconds for each request, while a person waits in a browser. */
const patience = 10_000

export class Refused extends Error {
  readonly status: number
  constructor(status: number) {
    super(`Status ${status}`)
    this.status = status
  }
}

const statusOf = (error: unknown): number | undefined => {
  if (Predicate.hasProperty(error, "status") && typeof error.status === "number") return error.status
  return Predicate.hasProperty(error, "cause") && error.cause instanceof Response ? error.cause.status : undefined
}

/** A failure names the step and its status, but nothing that was sent or received. */
export const attempt = <A>(step: string, run: () => Promise<A>): Effect.Effect<A, ProviderFailed> =>
  Effect.tryPromise({
    try: run,
    catch: (error) => {
      const status = statusOf(error)
      return new ProviderFailed({ reason: status === undefined ? `${step} failed` : `${step} failed with ${status}` })
    }
  })

/** Options of one request. Plain HTTP is only for providers on this machine; the configuration accepts no other. */
export const requestTo = (url: string) => ({
  signal: AbortSignal.timeout(patience),
  [oauth.allowInsecureRequests]: url.startsWith("http:")
})

/** RFC 6749 4.1.1, RFC 7636 4.3. */
export const authorizationUrl = (
  endpoint: string,
  { id }: Client,
  scope: string,
  request: { readonly state: string; readonly challenge: string; readonly redirectUri: string }
): URL => {
  const url = new URL(endpoint)
  url.search = new URLSearchParams({
    response_type: "code",
    client_id: id,
    redirect_uri: request.redirectUri,
    scope,
    state: request.state,
    code_challenge: request.challenge,
    code_challenge_method: "S256"
  }).toString()
  return url
}

export interface Exchange {
  readonly server: oauth.AuthorizationServer
  readonly client: Client
  readonly authentication: oauth.ClientAuth
  /** What the response must contain besides the access token. */
  readonly expected?: oauth.ProcessAuthorizationCodeResponseOptions
  /** RFC 9207: the issuer that redirected the browser; undefined if it is not checked. */
  readonly issuer?: string | undefined
}

/** RFC 6749 4.1.3, RFC 7636 4.5. The state was checked before. */
export const exchange = (
  { server, client, authentication, expected, issuer }: Exchange,
  { code, verifier, redirectUri }: Grant
): Effect.Effect<oauth.TokenEndpointResponse, ProviderFailed> =>
  attempt("The exchange of the code", async () => {
    const known = { client_id: client.id }
    const given = new URLSearchParams({ code: Redacted.value(code), ...(issuer !== undefined && { iss: issuer }) })
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      known,
      authentication,
      oauth.validateAuthResponse(server, known, given, oauth.expectNoState),
      redirectUri,
      Redacted.value(verifier),
      requestTo(server.token_endpoint ?? "")
    )
    return oauth.processAuthorizationCodeResponse(server, known, response, expected)
  })

/** The access token of a provider without OpenID Connect. */
export const accessToken = (
  endpoint: string,
  client: Client,
  grant: Grant
): Effect.Effect<Redacted.Redacted<string>, ProviderFailed> =>
  exchange(
    {
      server: { issuer: new URL(endpoint).origin, token_endpoint: endpoint },
      client,
      authentication: oauth.ClientSecretPost(Redacted.value(client.secret))
    },
    grant
  ).pipe(Effect.map(({ access_token }) => Redacted.make(access_token)))

/** Gets a resource of the person as JSON. */
export const resource = <A, I extends { readonly [name: string]: unknown } | ReadonlyArray<unknown>>(
  endpoint: string,
  token: Redacted.Redacted<string>,
  answer: Schema.Codec<A, I>
): Effect.Effect<A, ProviderFailed> =>
  attempt("The request for the address", async () => {
    const headers = new Headers({ accept: "application/json", "user-agent": "posthorn" })
    const request = requestTo(endpoint)
    const response = await oauth.protectedResourceRequest(
      Redacted.value(token),
      "GET",
      new URL(endpoint),
      headers,
      null,
      request
    )
    if (!response.ok) throw new Refused(response.status)
    return Schema.decodeUnknownPromise(answer)(await response.json())
  })
