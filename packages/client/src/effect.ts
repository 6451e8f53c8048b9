/**
 * The API as an Effect service: every endpoint is a method that returns an Effect with typed errors.
 *
 * It is derived from the contract, so it encodes requests and decodes responses: dates are `DateTime`, ids are branded,
 * and an invalid argument fails before anything is sent.
 */
import { Api } from "@posthorn/contract/Api"
import { Context, Effect, Layer, type Redacted } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { HttpApiClient } from "effect/http-api"

export interface PosthornOptions {
  /** The base URL of the service; default `http://127.0.0.1:3000`. */
  readonly baseUrl?: string | undefined
  /** The secret key, `sk_...`, or an API key, `ph_...`; for every endpoint but `track`. */
  readonly secretKey?: Redacted.Redacted | undefined
  /** `pk_...`, for `track`. */
  readonly publicKey?: Redacted.Redacted | undefined
}

/** Every group of endpoints. A name for the type, which is too long to be written out. */
export interface EndpointGroups extends HttpApiClient.ForApi<typeof Api> {}

/**
 * `posthorn.contacts.upsert({ payload: { email } })`: groups and endpoints have their names in the OpenAPI document. A
 * service, because programs call it and their tests replace it.
 */
export class Posthorn extends Context.Service<Posthorn, EndpointGroups>()("@posthorn/client/effect/Posthorn") {}

const IdempotencyKey = Context.Reference<string | undefined>("@posthorn/client/effect/IdempotencyKey", {
  defaultValue: () => undefined
})

/**
 * Sends this key with `send` and `track` in the effect, which makes them safe to retry: 1 to 255 printable ASCII
 * characters.
 */
export const withIdempotencyKey =
  (key: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.provideService(effect, IdempotencyKey, key)

const takesPublicKey = (url: string) => url.endsWith("/v1/track")

export const make = ({
  baseUrl = "http://127.0.0.1:3000",
  secretKey,
  publicKey
}: PosthornOptions): Effect.Effect<Posthorn["Service"], never, HttpClient.HttpClient> =>
  HttpApiClient.make(Api, {
    baseUrl,
    transformClient: HttpClient.mapRequestEffect((request) =>
      Effect.map(IdempotencyKey, (key) => {
        const credential = takesPublicKey(request.url) ? publicKey : secretKey
        const asked = credential ? HttpClientRequest.bearerToken(request, credential) : request
        return key === undefined ? asked : HttpClientRequest.setHeader(asked, "idempotency-key", key)
      })
    )
  })

/** Needs an `HttpClient`, such as `FetchHttpClient.layer`. */
export const layer = (options: PosthornOptions): Layer.Layer<Posthorn, never, HttpClient.HttpClient> =>
  Layer.effect(Posthorn, make(options))
