/**
 * `GET /docs` and the pages below it, and `GET /llms.txt`: the API reference for people and for language models, built
 * from the OpenAPI document. Each page is built and compressed once, at its first request.
 */
import { createHash } from "node:crypto"
import { promisify } from "node:util"
import { gzip } from "node:zlib"
import { Api } from "@posthorn/contract/Api"
import { routeNotFound } from "@posthorn/core/platform/http/Respond"
import { Effect, type Layer, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { OpenApi } from "effect/http-api"
import { llmsText } from "./LlmsText.ts"
import { OpenApiDocument } from "./OpenApiDocument.ts"
import { referencePages } from "./ReferencePage.ts"
import { referenceScript } from "./ReferenceScript.ts"
import { referenceStyle } from "./ReferenceStyle.ts"
import { searchIndex } from "./SearchIndex.ts"

const headers = {
  "cache-control": "public, max-age=300",
  "x-content-type-options": "nosniff",
  "content-security-policy":
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  vary: "accept-encoding"
}

const compress = promisify(gzip)

const html = "text/html; charset=utf-8"

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

interface Made {
  readonly tag: string
  readonly plain: HttpServerResponse.HttpServerResponse
  readonly compressed: HttpServerResponse.HttpServerResponse
  readonly unchanged: HttpServerResponse.HttpServerResponse
}

const make = Effect.fnUntraced(function* (contentType: string, text: string) {
  const bytes = new TextEncoder().encode(text)
  const small = yield* Effect.promise(() => compress(bytes))
  // Weak, because both encodings of a page share it.
  const tag = `W/"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`
  const tagged = { ...headers, etag: tag }
  const made: Made = {
    tag,
    plain: HttpServerResponse.uint8Array(bytes, { contentType, headers: tagged }),
    compressed: HttpServerResponse.uint8Array(new Uint8Array(small), {
      contentType,
      headers: { ...tagged, "content-encoding": "gzip" }
    }),
    unchanged: HttpServerResponse.empty({ status: 304, headers: tagged })
  }
  return made
})

/** The response in an encoding that the request accepts; 304 for a page that the client already has. */
const answer = (made: Effect.Effect<Made>) =>
  Effect.gen(function* () {
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    const { tag, plain, compressed, unchanged } = yield* made
    if (headers["if-none-match"]?.split(",").some((each) => each.trim() === tag)) return unchanged
    return takesGzip(headers["accept-encoding"]) ? compressed : plain
  })

const documentOf = Effect.sync(() => OpenApi.fromApi(Api)).pipe(
  Effect.flatMap(Schema.decodeUnknownEffect(OpenApiDocument)),
  Effect.orDie
)

const routes = Effect.gen(function* () {
  const document = yield* Effect.cached(documentOf)
  const made = (contentType: string, text: (document: OpenApiDocument) => string) =>
    Effect.cached(Effect.flatMap(document, (found) => make(contentType, text(found))))

  const pages = yield* Effect.cached(
    Effect.flatMap(document, (found) =>
      Effect.forEach(referencePages(found), ([name, page]) =>
        Effect.map(Effect.cached(Effect.suspend(() => make(html, String(page())))), (once) => [name, once] as const)
      )
    ).pipe(Effect.map((all) => new Map(all)))
  )
  const page = (name: string) =>
    Effect.gen(function* () {
      const found = (yield* pages).get(name)
      if (found !== undefined) return yield* answer(found)
      return yield* routeNotFound
    })

  const llms = yield* made("text/plain; charset=utf-8", llmsText)
  const search = yield* made("application/json", (found) => JSON.stringify(searchIndex(found)))
  const style = yield* Effect.cached(make("text/css; charset=utf-8", referenceStyle))
  const script = yield* Effect.cached(make("text/javascript; charset=utf-8", referenceScript))
  return [
    HttpRouter.route("GET", "/docs", page("")),
    HttpRouter.route("GET", "/docs/search.json", answer(search)),
    HttpRouter.route(
      "GET",
      "/docs/:page",
      Effect.flatMap(HttpRouter.params, (given) => page(given["page"] || "-"))
    ),
    HttpRouter.route("GET", "/docs.css", answer(style)),
    HttpRouter.route("GET", "/docs.js", answer(script)),
    HttpRouter.route("GET", "/llms.txt", answer(llms))
  ]
})

export const layer: Layer.Layer<never, never, HttpRouter.HttpRouter> = HttpRouter.addAll(routes)
