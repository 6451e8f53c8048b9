/**
 * `Idempotency-Key` and `Idempotency-Mode`. A request with a key is one transaction, and runs at most once
 * (`OncePerKey.ts`).
 *
 * A project has three separate spaces of keys: one for requests with its public key, which anyone may have, one for
 * requests in test mode, and one for all other requests.
 */
import { Actor, type ActorOf, apiKeyOf, CurrentProject } from "@posthorn/contract/platform/Auth"
import { ValidationError } from "@posthorn/contract/platform/Errors"
import { IdempotencyKeyReused, Idempotent } from "@posthorn/contract/platform/Request"
import { DateTime, Effect, Layer, Option } from "effect"
import { Digest, type SecureRandom } from "effect/crypto"
import { type Headers, HttpEffect, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Transaction } from "../Transaction.ts"
import { canonicalJson } from "./CanonicalJson.ts"
import type { FirstUse, IdempotencyKeys } from "./IdempotencyKeys.ts"
import * as OncePerKey from "./OncePerKey.ts"

const isKey = (key: string) => /^[\x20-\x7e]{1,255}$/.test(key)

/**
 * The key as it is stored, in the space of its caller. A key that a caller sends never contains a line feed, so spaces do
 * not meet.
 */
export const storedKey = (actor: ActorOf, key: string): string => {
  if (actor.kind === "key" && actor.isPublic) return `public\n${key}`
  return apiKeyOf(actor)?.mode === "TEST" ? `test\n${key}` : key
}

export const reused = (
  key: string,
  { request, firstAt, status }: Pick<FirstUse, "firstAt" | "request" | "status">
): IdempotencyKeyReused =>
  new IdempotencyKeyReused({
    key,
    originalRequest: request,
    originalRequestAt: DateTime.formatIso(firstAt),
    ...(status !== null && { originalStatusCode: status })
  })

const parse = Option.liftThrowable((text: string): unknown => JSON.parse(text))

/** The digest of a request, the same for equal JSON bodies. `target` is method and path. */
export const fingerprint = (digest: Digest.Digest["Service"], target: string, text: string): Effect.Effect<string> => {
  const body = Option.match(parse(text), { onNone: () => text, onSome: canonicalJson })
  return Effect.orDie(digest.digestHex(Digest.sha256, new TextEncoder().encode(`${target}\n${body}`)))
}

/** How requests of the caller name a key in storage. */
export const keySpace = Effect.map(Actor, (actor) => (given: string) => storedKey(actor, given))

/** What a second use of a key gets: an error, or the first response. */
export const replayMode = (headers: Headers.Headers): Effect.Effect<"refuse" | "replay", ValidationError> => {
  const mode = headers["idempotency-mode"] ?? "refuse"
  return mode === "refuse" || mode === "replay"
    ? Effect.succeed(mode)
    : Effect.fail(
        ValidationError.one("Idempotency-Mode", "invalid_enum", "Either 'refuse' or 'replay'.", {
          received: mode.slice(0, 100)
        })
      )
}

const jsonResponse = (status: number, body: string) =>
  HttpServerResponse.text(body, { status, contentType: "application/json" })

/** The body of an encoded response. */
const bodyText = ({ body }: HttpServerResponse.HttpServerResponse): string =>
  body._tag === "Uint8Array" ? new TextDecoder().decode(body.body) : ""

const soon = HttpEffect.appendPreResponseHandler((_request, response) =>
  Effect.succeed(HttpServerResponse.setHeader(response, "retry-after", "1"))
)

export const layer: Layer.Layer<
  Idempotent,
  never,
  Digest.Digest | IdempotencyKeys | SecureRandom.SecureRandom | Transaction
> = Layer.effect(
  Idempotent,
  Effect.gen(function* () {
    const oncePerKey = yield* OncePerKey.make
    const digest = yield* Digest.Digest

    const fingerprintOf = (request: HttpServerRequest.HttpServerRequest, path: string) =>
      Effect.flatMap(Effect.orDie(request.text), (text) => fingerprint(digest, `${request.method} ${path}`, text))

    /**
     * The key is in use. Refuses the request, or repeats the first response if the caller asks for that and sent the
     * same request.
     */
    const again = Effect.fnUntraced(function* (key: string, fingerprint: string, replay: boolean, first: FirstUse) {
      if (!replay || first.fingerprint !== fingerprint) return yield* reused(key, first)
      if (first.status === null || first.body === null) {
        yield* soon
        return yield* reused(key, first)
      }
      return HttpServerResponse.setHeader(jsonResponse(first.status, first.body), "idempotency-replayed", "true")
    })

    return Idempotent.of(
      Effect.fnUntraced(function* (app, { endpoint }) {
        const request = yield* HttpServerRequest.HttpServerRequest
        const given = request.headers["idempotency-key"]
        if (given === undefined) return yield* app
        if (!isKey(given)) {
          return yield* ValidationError.one("Idempotency-Key", "invalid_string", "1 to 255 printable ASCII characters.")
        }
        const mode = yield* replayMode(request.headers)
        const { id: project } = yield* CurrentProject
        const key = (yield* keySpace)(given)
        const fingerprint = yield* fingerprintOf(request, endpoint.path)
        const keyed = { project, key, request: `${request.method} ${endpoint.path}`, fingerprint }
        const once = yield* oncePerKey(keyed, app, (response) => ({
          status: response.status,
          body: bodyText(response)
        }))
        return once.isFirst ? once.value : yield* again(given, fingerprint, mode === "replay", once.first)
      })
    )
  })
)
