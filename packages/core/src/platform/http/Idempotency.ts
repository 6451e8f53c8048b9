/**
 * `Idempotency-Key` and `Idempotency-Mode`.
 *
 * A request with a key is one transaction: its effects and the record of its response commit together. A request that
 * certainly left no effects frees its key. A request whose commit is uncertain keeps its key until the outcome is
 * known.
 *
 * A project has three separate spaces of keys: one for requests with its public key, which anyone may have, one for
 * requests in test mode, and one for all other requests.
 */
import { Actor, type ActorOf, apiKeyOf, CurrentProject, type ProjectId } from "@posthorn/contract/platform/Auth"
import { ValidationError } from "@posthorn/contract/platform/Errors"
import { IdempotencyKeyReused, Idempotent } from "@posthorn/contract/platform/Request"
import { DateTime, Duration, Effect, Exit, Fiber, Layer, Option } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { type Headers, HttpEffect, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Settings } from "../Settings.ts"
import { Transaction } from "../Transaction.ts"
import { canonicalJson } from "./CanonicalJson.ts"
import { type FirstUse, IdempotencyKeys } from "./IdempotencyKeys.ts"

/** How often a running request renews its claim. The lease is 60 seconds. */
const renewal = Duration.seconds(20)
/** The wait after a renewal that failed. */
const retry = Duration.seconds(1)

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
    const keys = yield* IdempotencyKeys
    const transaction = yield* Transaction
    const random = yield* SecureRandom.SecureRandom
    const digest = yield* Digest.Digest
    const { idempotencyLifetime } = yield* Settings

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

    /** Renews the claim of a long request, also through outages of the storage, until the claim is lost. */
    const keepClaim = Effect.fnUntraced(function* (project: ProjectId, key: string, owner: string) {
      const renew = keys.renew(project, key, owner).pipe(
        Effect.map((isOurs) => (isOurs ? Option.some(renewal) : Option.none())),
        Effect.catchDefect((defect) =>
          Effect.as(Effect.logWarning("Idempotency-Key not renewed", defect), Option.some(retry))
        )
      )
      for (let next = Option.some(renewal); Option.isSome(next); next = yield* renew) yield* Effect.sleep(next.value)
    })

    const release = (project: ProjectId, key: string, owner: string) =>
      Effect.catchDefect(keys.release(project, key, owner), (defect) =>
        Effect.logError("Idempotency-Key not released", defect)
      )

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
        const now = yield* DateTime.now
        const owner = yield* random.uuidV7()
        const fingerprint = yield* fingerprintOf(request, endpoint.path)
        const expiresAt = DateTime.addDuration(now, idempotencyLifetime)
        const claim = { owner, request: `${request.method} ${endpoint.path}`, fingerprint, expiresAt }
        const held = yield* keys.claim(project, key, claim, now)
        if (Option.isSome(held)) return yield* again(given, fingerprint, mode === "replay", held.value)

        const renewing = yield* Effect.forkChild(keepClaim(project, key, owner))
        const answer = Effect.tap(app, (response) =>
          Effect.flatMap(keys.keep(project, key, owner, response.status, bodyText(response)), (isOurs) =>
            // Another request has taken over the key while this one was stalled. Only one of them may have effects.
            isOurs ? Effect.void : reused(given, { ...claim, firstAt: now, status: null })
          )
        )
        const exit = yield* transaction
          .runOrFind(answer, () => keys.isKept(project, key, owner))
          // The caller may disconnect. The request still finishes, and its response is stored.
          .pipe(Effect.uninterruptible, Effect.exit)
        yield* Fiber.interrupt(renewing)
        // If the request was committed after all, this does not free its key.
        if (Exit.isFailure(exit)) yield* release(project, key, owner)
        return yield* exit
      })
    )
  })
)
