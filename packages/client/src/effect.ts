/**
 * The API as a service of Effect programs: every endpoint a method that answers an Effect, with its errors typed.
 *
 * It is made from the contract, so it encodes what is sent and decodes what comes: dates are `DateTime`, ids are branded,
 * and an argument that the service would refuse fails before anything is sent.
 */
import { Api } from "@posthorn/contract/Api"
import { Context, Effect, Layer, type Redacted } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { HttpApiClient } from "effect/http-api"

export interface PosthornOptions {
  /** Where the service answers; default `http://127.0.0.1:3000`. */
  readonly baseUrl?: string | undefined
  /** `sk_...`, for everything but `track`. */
  readonly secretKey?: Redacted.Redacted | undefined
  /** `pk_...`, for `track`. */
  readonly publicKey?: Redacted.Redacted | undefined
}

/** `posthorn.contacts.upsert({ payload: { email } })`: groups and endpoints are named as in the OpenAPI document. */
export class Posthorn extends Context.Service<Posthorn, HttpApiClient.ForApi<typeof Api>>()(
  "@posthorn/client/effect/Posthorn"
) {}

const IdempotencyKey = Context.Reference<string | undefined>("@posthorn/client/effect/IdempotencyKey", {
  defaultValue: () => undefined
})

/** `send` and `track` within the effect carry this key: 1 to 255 printable ASCII characters. Makes them safe to retry. */
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

/** Needs an `HttpClient`, as `FetchHttpClient.layer`. */
export const layer = (options: PosthornOptions): Layer.Layer<Posthorn, never, HttpClient.HttpClient> =>
  Layer.effect(Posthorn, make(options))
