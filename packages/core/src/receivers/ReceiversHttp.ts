/** Handlers of ReceiversApi: raw, because what is signed is the octets. */
import { Api } from "@posthorn/contract/Api"
import { PayloadTooLarge, UnsupportedMediaType } from "@posthorn/contract/Errors"
import { ByteSize, Effect, type Layer } from "effect"
import { HttpIncomingMessage, type HttpServerRequest } from "effect/http"
import type { HttpApiGroup } from "effect/http-api"
import { PaymentEvents } from "../billing/PaymentEvents.ts"
import * as LargeBodies from "../http/LargeBodies.ts"
import { group } from "../http/RequestContext.ts"
import { Receivers } from "./Receivers.ts"

const megabyte = 1024 * 1024
const maxJsonBytes = 2 * megabyte
const maxMailBytes = 40 * megabyte

/** Anybody may call, so all callers have one share of the room for large bodies. */
const caller = "receivers"

const bytesOf = (request: HttpServerRequest.HttpServerRequest, limit: number) =>
  LargeBodies.read(caller, LargeBodies.declared(request.headers["content-length"]), limit, request.arrayBuffer).pipe(
    Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(limit)),
    Effect.mapBoth({
      onSuccess: (buffer) => new Uint8Array(buffer),
      onFailure: (error) => error
    }),
    Effect.catchTag("HttpServerError", (error) =>
      error.reason._tag === "RequestParseError" && error.reason.reason === "BodyTooLarge"
        ? Effect.fail(new PayloadTooLarge({ limitBytes: limit }))
        : Effect.die(error)
    )
  )

const mediaType = (contentType: string | undefined): string =>
  (contentType?.split(";", 1)[0] ?? "").trim().toLowerCase()

export const layer: Layer.Layer<
  HttpApiGroup.Service<"posthorn", "receivers">,
  never,
  Receivers | PaymentEvents
> = group(
  Api,
  "receivers",
  Effect.fnUntraced(function* (handlers) {
    const receivers = yield* Receivers
    const payments = yield* PaymentEvents

    const take = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
      const { headers } = request
      const encoding = headers["content-encoding"]
      if (encoding !== undefined && encoding.toLowerCase() !== "identity") return yield* new UnsupportedMediaType()
      if (headers["x-amz-sns-message-type"] !== undefined) {
        return yield* receivers.takeSns(yield* bytesOf(request, maxJsonBytes))
      }
      const signed = {
        id: headers["webhook-id"],
        timestamp: headers["webhook-timestamp"],
        signature: headers["webhook-signature"]
      }
      switch (mediaType(headers["content-type"])) {
        case "application/json":
          return yield* receivers.takeJson(signed, yield* bytesOf(request, maxJsonBytes))
        case "message/rfc822":
          return yield* receivers.takeSignedMail(signed, yield* bytesOf(request, maxMailBytes))
        default:
          return yield* new UnsupportedMediaType()
      }
    })

    const takePayment = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
      const body = yield* bytesOf(request, maxJsonBytes)
      yield* payments.take(body, request.headers["stripe-signature"] ?? "")
      return { success: true as const }
    })

    return handlers
      .handleRaw("notifications", ({ request }) =>
        Effect.map(take(request), (data) => ({ success: true as const, data }))
      )
      .handleRaw("payments", ({ request }) => takePayment(request))
  })
)
