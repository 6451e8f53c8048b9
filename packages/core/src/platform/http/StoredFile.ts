/** Answers with a text that is compressed once. */
import { Effect } from "effect"
import { Hex } from "effect/encoding"
import { HttpServerRequest, HttpServerResponse } from "effect/http"

export interface StoredFile {
  /** Weak, because both encodings share it. */
  readonly tag: string
  readonly plain: HttpServerResponse.HttpServerResponse
  readonly compressed: HttpServerResponse.HttpServerResponse
  readonly unchanged: HttpServerResponse.HttpServerResponse
}

const compress = (bytes: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> =>
  new Response(new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"))).arrayBuffer()

/** Whether `Accept-Encoding` allows gzip (RFC 9110, 12.5.3). */
export const takesGzip = (accepted: string | undefined): boolean => {
  const choices = (accepted ?? "").toLowerCase().split(",")
  const weight = (name: string) => {
    const found = choices.find((choice) => choice.split(";")[0]?.trim() === name)
    if (found === undefined) return undefined
    const given = found.split(";")[1]?.trim()
    return given?.startsWith("q=") ? Number(given.slice(2)) : 1
  }
  return (weight("gzip") ?? weight("*") ?? 0) > 0
}

const headers = { "cache-control": "public, max-age=300", "x-content-type-options": "nosniff", vary: "accept-encoding" }

export const make = Effect.fnUntraced(function* (
  contentType: string,
  text: string,
  more: Readonly<Record<string, string>> = {}
) {
  const bytes = new TextEncoder().encode(text)
  const [small, digest] = yield* Effect.promise(() =>
    Promise.all([compress(bytes), crypto.subtle.digest("SHA-256", bytes)])
  )
  const tag = `W/"${Hex.encode(new Uint8Array(digest, 0, 16))}"`
  const tagged = { ...headers, ...more, etag: tag }
  const file: StoredFile = {
    tag,
    plain: HttpServerResponse.uint8Array(bytes, { contentType, headers: tagged }),
    compressed: HttpServerResponse.uint8Array(new Uint8Array(small), {
      contentType,
      headers: { ...tagged, "content-encoding": "gzip" }
    }),
    unchanged: HttpServerResponse.empty({ status: 304, headers: tagged })
  }
  return file
})

/** The file in an encoding that the request accepts; 304 for a file that the client already has. */
export const answer = (file: Effect.Effect<StoredFile>) =>
  Effect.gen(function* () {
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    const { tag, plain, compressed, unchanged } = yield* file
    if (headers["if-none-match"]?.split(",").some((each) => each.trim() === tag)) return unchanged
    return takesGzip(headers["accept-encoding"]) ? compressed : plain
  })
