/** The steps shared by OAuth 2.0 providers: the authorization URL, the access token and a resource request. */
import { type Grant, ProviderFailed } from "@posthorn/core/accounts/people/IdentityProvider"
import { Duration, Effect, Redacted, Schema } from "effect"
import { FetchHttpClient, HttpClient, HttpClientError, HttpClientRequest, HttpClientResponse } from "effect/http"

export interface Client {
  readonly id: string
  readonly secret: Redacted.Redacted<string>
}

/** For each request; a person waits in a browser. */
const patience = Duration.seconds(10)

/** Names the step that failed and its status, and nothing that was sent or received. */
const failed = (step: string) => (error: unknown) => {
  const status = HttpClientError.isHttpClientError(error) ? error.response?.status : undefined
  return new ProviderFailed({ reason: status === undefined ? `${step} failed` : `${step} failed with ${status}` })
}

const ask = <A, I extends { readonly [name: string]: unknown } | ReadonlyArray<unknown>>(
  step: string,
  request: HttpClientRequest.HttpClientRequest,
  answer: Schema.Codec<A, I>
) =>
  HttpClient.execute(HttpClientRequest.setHeader(request, "user-agent", "posthorn")).pipe(
    Effect.flatMap(HttpClientResponse.filterStatusOk),
    Effect.flatMap(HttpClientResponse.schemaBodyJson(answer)),
    Effect.timeout(patience),
    Effect.mapError(failed(step)),
    Effect.provide(FetchHttpClient.layer),
    Effect.provideService(FetchHttpClient.RequestInit, { redirect: "error" })
  )

/** RFC 6749 4.1.1, RFC 7636 4.3. */
export const authorizationUrl = (
  endpoint: string,
  { id }: Client,
  scope: string,
  request: { readonly state: string; readonly challenge: string; readonly redirectUri: string }
): string => {
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
  return url.href
}

/** Requires this field: GitHub answers 200 with an `error` if it refuses a code. */
const Token = Schema.Struct({ access_token: Schema.NonEmptyString })

/** RFC 6749 4.1.3, RFC 7636 4.5. */
export const accessToken = (endpoint: string, { id, secret }: Client, { code, verifier, redirectUri }: Grant) =>
  ask(
    "The exchange of the code",
    HttpClientRequest.post(endpoint, { acceptJson: true }).pipe(
      HttpClientRequest.bodyUrlParams({
        grant_type: "authorization_code",
        client_id: id,
        client_secret: Redacted.value(secret),
        code: Redacted.value(code),
        code_verifier: Redacted.value(verifier),
        redirect_uri: redirectUri
      })
    ),
    Token
  ).pipe(Effect.map(({ access_token }) => Redacted.make(access_token)))

/** Gets a resource of the person as JSON. */
export const resource = <A, I extends { readonly [name: string]: unknown } | ReadonlyArray<unknown>>(
  endpoint: string,
  token: Redacted.Redacted<string>,
  answer: Schema.Codec<A, I>
) =>
  ask(
    "The look at the address",
    HttpClientRequest.get(endpoint, { acceptJson: true }).pipe(HttpClientRequest.bearerToken(token)),
    answer
  )
