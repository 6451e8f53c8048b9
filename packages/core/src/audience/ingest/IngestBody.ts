/** Reads the body of an ingestion request: JSON under several content types, and with gzip. */
import { InvalidJson, PayloadTooLarge, UnsupportedMediaType } from "@posthorn/contract/platform/Errors"
import { Effect, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import * as BodyMemoryLimit from "../../platform/http/BodyMemoryLimit.ts"
import type { BodyReaders } from "../../platform/http/BodyReaders.ts"
import { bodyWithin, jsonIn } from "../../platform/http/BodyWithin.ts"

/** Bytes, packed and unpacked. */
export const bodyLimit = 4 * 1024 * 1024

/** More than 2,500 messages of analytics libraries have. */
const most = { nesting: 100, values: 500_000 }

/** Some HTTP clients call packed bytes a form. */
const isReadable = (contentType: string | undefined, encoding: string) =>
  contentType === undefined ||
  (contentType.length <= 300 &&
    (/^(?:application\/json|text\/plain)\s*(?:;|$)/i.test(contentType.trim()) ||
      (encoding === "gzip" && /^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(contentType.trim()))))

const tooLarge = () => new PayloadTooLarge({ limitBytes: bodyLimit })

/** Unpacks as a stream, and stops at the limit: a small body may unpack to gigabytes. */
const unpacked = Effect.fnUntraced(function* (packed: ArrayBuffer) {
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))
  const reader = stream.getReader()
  const parts: Array<Uint8Array> = []
  let size = 0
  const next = Effect.tryPromise({ try: () => reader.read(), catch: () => new InvalidJson() })
  const stop = Effect.ignore(Effect.tryPromise(() => reader.cancel()))
  for (;;) {
    const { done, value } = yield* Effect.tapError(next, () => stop)
    if (done || value === undefined) break
    size += value.byteLength
    if (size > bodyLimit) {
      yield* stop
      return yield* tooLarge()
    }
    parts.push(value)
  }
  const all = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.byteLength
  }
  return all
})

export const readIngestBody = Effect.fnUntraced(function* (readers: BodyReaders["Service"]) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const { headers } = request
  const encoding = headers["content-encoding"]?.trim().toLowerCase() ?? "identity"
  if (!isReadable(headers["content-type"], encoding) || !["gzip", "identity"].includes(encoding)) {
    return yield* new UnsupportedMediaType()
  }
  const length = BodyMemoryLimit.declared(headers["content-length"])
  const bytes = bodyWithin(request, bodyLimit)
  const read = BodyMemoryLimit.read("", length, bodyLimit, bytes)
  const body = yield* readers.read(Math.min(length ?? bodyLimit, bodyLimit), read)
  const text = encoding === "gzip" ? yield* unpacked(body) : new Uint8Array(body)
  const json = jsonIn(text, most)
  return yield* Option.isNone(json) ? new InvalidJson() : Effect.succeed(json.value.value)
})
