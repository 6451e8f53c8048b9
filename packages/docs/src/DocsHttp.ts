/**
 * `GET /docs`, the pages below it, and `GET /llms.txt`: the documentation for people and for language models. Each page
 * is made from the OpenAPI document and the guides and compressed once, at its first request, so that a server needs no
 * build and no other file.
 */
import { routeNotFound } from "@posthorn/core/platform/http/Respond"
import { Effect, type Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { script } from "./browser/Script.ts"
import { style } from "./browser/Style.ts"
import { currentDocument } from "./document/CurrentDocument.ts"
import type { OpenApiDocument } from "./document/OpenApiDocument.ts"
import { llmsText } from "./LlmsText.ts"
import { searchIndex } from "./SearchIndex.ts"
import { type File, filesOf, type Options, siteOf } from "./Site.ts"

const headers = {
  "cache-control": "public, max-age=300",
  "x-content-type-options": "nosniff",
  "content-security-policy":
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  vary: "accept-encoding"
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

const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")

interface Made {
  readonly tag: string
  readonly plain: HttpServerResponse.HttpServerResponse
  readonly compressed: HttpServerResponse.HttpServerResponse
  readonly unchanged: HttpServerResponse.HttpServerResponse
}

const make = Effect.fnUntraced(function* ({ type: contentType, text }: File) {
  const bytes = new TextEncoder().encode(text())
  const [small, digest] = yield* Effect.promise(() =>
    Promise.all([compress(bytes), crypto.subtle.digest("SHA-256", bytes)])
  )
  // Weak, because both encodings of a page share it.
  const tag = `W/"${hex(new Uint8Array(digest, 0, 16))}"`
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

const allFiles = (document: OpenApiDocument, options: Options): ReadonlyMap<string, File> => {
  const site = siteOf(document, options)
  return new Map([
    ...filesOf(site),
    ["/docs/search.json", { type: "application/json", text: () => JSON.stringify(searchIndex(document)) }],
    ["/llms.txt", { type: "text/plain; charset=utf-8", text: () => llmsText(document, site) }],
    ["/docs.css", { type: "text/css; charset=utf-8", text: () => style }],
    ["/docs.js", { type: "text/javascript; charset=utf-8", text: () => script }]
  ])
}

const routes = (options: Options) =>
  Effect.gen(function* () {
    const files = yield* Effect.cached(
      Effect.flatMap(currentDocument, (document) =>
        Effect.forEach(allFiles(document, options), ([path, file]) =>
          Effect.map(Effect.cached(Effect.suspend(() => make(file))), (once) => [path, once] as const)
        )
      ).pipe(Effect.map((all) => new Map(all)))
    )
    const served = Effect.gen(function* () {
      const { url } = yield* HttpServerRequest.HttpServerRequest
      const path = url.split("?", 1)[0] ?? ""
      // The page had another name before.
      const found = (yield* files).get(path === "/docs/webhook-events" ? "/docs/webhooks" : path)
      return found === undefined ? yield* routeNotFound : yield* answer(found)
    })
    return [
      HttpRouter.route("GET", "/docs/*", served),
      HttpRouter.route("GET", "/docs.css", served),
      HttpRouter.route("GET", "/docs.js", served),
      HttpRouter.route("GET", "/llms.txt", served)
    ]
  })

export const layer = (options: Options = {}): Layer.Layer<never, never, HttpRouter.HttpRouter> =>
  HttpRouter.addAll(routes(options))
