/** Handlers of ReceiversApi. They read the raw body, because the signature covers its octets. */
import { Api } from "@posthorn/contract/Api"
import { RateLimitExceeded, UnsupportedMediaType } from "@posthorn/contract/platform/Errors"
import type { Validation } from "@posthorn/contract/platform/Request"
import { Effect, type Layer, Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { HttpApiGroup } from "effect/http-api"
import { PaymentEvents } from "../../accounts/billing/PaymentEvents.ts"
import * as BodyMemoryLimit from "../../platform/http/BodyMemoryLimit.ts"
import { BodyReaders } from "../../platform/http/BodyReaders.ts"
import { bodyWithin } from "../../platform/http/BodyWithin.ts"
import * as ClientLimit from "../../platform/http/ClientLimit.ts"
import { group } from "../../platform/http/RequestContext.ts"
import { announceRetryAfter } from "../../platform/http/Respond.ts"
import { Receivers } from "./Receivers.ts"

const megabyte = 1024 * 1024
const maxJsonBytes = 2 * megabyte
const maxMailBytes = 40 * megabyte

/** The endpoints are public, so all callers share one limit of memory for large bodies. */
const caller = "receivers"

const bodyOf = (readers: BodyReaders["Service"], request: HttpServerRequest.HttpServerRequest, limit: number) => {
  const length = BodyMemoryLimit.declared(request.headers["content-length"])
  const body = BodyMemoryLimit.read(caller, length, limit, bodyWithin(request, limit))
  return Effect.map(readers.read(Math.min(length ?? limit, limit), body), (buffer) => new Uint8Array(buffer))
}

/** Maximum number of wrong signatures of one client within 60 seconds. */
const maxRefused = 60

/** Wraps a check of a signature. A client with too many wrong signatures is refused before its body is read. */
const limitRefusals = () => {
  const refusals = ClientLimit.make(maxRefused)
  return <A, E extends { readonly _tag: string }, R>(checked: Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      const client = yield* ClientLimit.client
      if (client === undefined) return yield* checked
      const wait = yield* refusals.wait(client)
      if (Option.isSome(wait)) {
        const retryAfter = wait.value
        yield* announceRetryAfter(retryAfter)
        return yield* new RateLimitExceeded({ limit: maxRefused, retryAfter })
      }
      return yield* Effect.tapError(checked, ({ _tag }) =>
        _tag === "INVALID_SIGNATURE" ? refusals.take(client) : Effect.void
      )
    })
}

const nothing = Effect.succeed(new Uint8Array())

const mediaType = (contentType: string | undefined): string =>
  (contentType?.split(";", 1)[0] ?? "").trim().toLowerCase()

export const layer: Layer.Layer<
  HttpApiGroup.Service<"posthorn", "receivers">,
  never,
  BodyReaders | PaymentEvents | Receivers | Validation
> = group(
  Api,
  "receivers",
  Effect.fnUntraced(function* (handlers) {
    const receivers = yield* Receivers
    const payments = yield* PaymentEvents
    const readers = yield* BodyReaders
    const limited = limitRefusals()
    const bytesOf = (request: HttpServerRequest.HttpServerRequest, limit: number) => bodyOf(readers, request, limit)

    const take = Effect.fnUntraced(function* (
      request: HttpServerRequest.HttpServerRequest,
      transport: string | undefined
    ) {
      const { headers } = request
      const encoding = headers["content-encoding"]
      if (encoding !== undefined && encoding.toLowerCase() !== "identity") return yield* new UnsupportedMediaType()
      if (headers["x-amz-sns-message-type"] !== undefined) {
        return yield* receivers.takeSns(yield* bytesOf(request, maxJsonBytes), transport)
      }
      const signed = {
        id: headers["webhook-id"],
        timestamp: headers["webhook-timestamp"],
        signature: headers["webhook-signature"]
      }
      // The body is read only if it is signed.
      const isSigned = Object.values(signed).every((header) => header !== undefined)
      const signedBytes = (limit: number) => (isSigned ? bytesOf(request, limit) : nothing)
      switch (mediaType(headers["content-type"])) {
        case "application/json":
          return yield* receivers.takeJson(signed, yield* signedBytes(maxJsonBytes), transport)
        case "message/rfc822":
          return yield* receivers.takeSignedMail(signed, yield* signedBytes(maxMailBytes), transport)
        default:
          return yield* new UnsupportedMediaType()
      }
    })

    const takePayment = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
      const signature = request.headers["stripe-signature"]
      const body = yield* signature === undefined ? nothing : bytesOf(request, maxJsonBytes)
      yield* payments.take(body, signature ?? "")
      return { success: true as const }
    })

    return handlers
      .handleRaw("notifications", ({ query, request }) =>
        Effect.map(limited(take(request, query.transport)), (data) => ({ success: true as const, data }))
      )
      .handleRaw("payments", ({ request }) => limited(takePayment(request)))
  })
)
