/** Reads bodies of requests up to a number of bytes. */
import { PayloadTooLarge } from "@posthorn/contract/platform/Errors"
import { ByteSize, Effect, Option } from "effect"
import { HttpIncomingMessage, type HttpServerRequest } from "effect/http"
import { excessOf } from "./JsonText.ts"

/** The bytes of the body. Fails if there are more than `limit`. The request keeps them for a later reader. */
export const bodyWithin = (
  request: HttpServerRequest.HttpServerRequest,
  limit: number
): Effect.Effect<ArrayBuffer, PayloadTooLarge> =>
  request.arrayBuffer.pipe(
    Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(limit)),
    Effect.catchTag("HttpServerError", (error) =>
      error.reason._tag === "RequestParseError" && error.reason.reason === "BodyTooLarge"
        ? Effect.fail(new PayloadTooLarge({ limitBytes: limit }))
        : Effect.die(error)
    )
  )

/** `application/json` or any `+json` (RFC 6839), in UTF-8. A missing header counts as JSON. */
export const isJson = (contentType: string | undefined): boolean =>
  contentType === undefined || /^application\/(?:[\w.-]+\+)?json\s*(?:;\s*charset="?utf-8"?\s*)?$/i.test(contentType)

/** Whether the body is sent as it is (RFC 9110 8.4). */
export const isIdentity = (encoding: string | undefined): boolean =>
  encoding === undefined || /^identity$/i.test(encoding)

const decode = Option.liftThrowable((bytes: Uint8Array) => new TextDecoder("utf-8", { fatal: true }).decode(bytes))
const parse = Option.liftThrowable((text: string): unknown => JSON.parse(text))

/** The JSON of a body with its text. None if it is not JSON in UTF-8, or exceeds a limit of `excessOf`. */
export const jsonIn = (
  bytes: Uint8Array,
  most: Parameters<typeof excessOf>[1]
): Option.Option<{ readonly text: string; readonly value: unknown }> =>
  excessOf(bytes, most) === undefined
    ? Option.flatMap(decode(bytes), (text) => Option.map(parse(text), (value) => ({ text, value })))
    : Option.none()
