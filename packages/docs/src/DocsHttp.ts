/**
 * `GET /docs`, the pages below it, and `GET /llms.txt`: the documentation for people and for language models. Each page
 * is made from the OpenAPI document and the guides and compressed once, at its first request, so that a server needs no
 * build and no other file.
 */

import { routeNotFound } from "@posthorn/core/platform/http/Respond"
import { inContext, once } from "@posthorn/core/platform/http/Routes"
import * as StoredFile from "@posthorn/core/platform/http/StoredFile"
import { Effect, type Layer } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { script } from "./browser/Script.ts"
import { style } from "./browser/Style.ts"
import { currentDocument } from "./document/CurrentDocument.ts"
import type { OpenApiDocument } from "./document/OpenApiDocument.ts"
import { llmsText } from "./LlmsText.ts"
import { searchIndex } from "./SearchIndex.ts"
import { type File, filesOf, type Options, siteOf } from "./Site.ts"

const headers = {
  "content-security-policy":
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}

const make = Effect.fnUntraced(function* ({ type, parts }: File) {
  const made: Array<string> = []
  for (const part of parts()) {
    made.push(part)
    yield* Effect.yieldNow
  }
  return yield* StoredFile.make(type, made.join(""), headers)
})

const allFiles = (document: OpenApiDocument, options: Options): ReadonlyMap<string, File> => {
  const site = siteOf(document, options)
  return new Map([
    ...filesOf(site),
    ["/docs/search.json", { type: "application/json", parts: () => [JSON.stringify(searchIndex(document))] }],
    ["/llms.txt", { type: "text/plain; charset=utf-8", parts: () => [llmsText(document, site)] }],
    ["/docs.css", { type: "text/css; charset=utf-8", parts: () => [style] }],
    ["/docs.js", { type: "text/javascript; charset=utf-8", parts: () => [script] }]
  ])
}

const routes = (options: Options, isServed: (path: string) => boolean = () => true) =>
  Effect.gen(function* () {
    const here = yield* inContext
    const shared = yield* once
    const files = yield* shared(
      Effect.flatMap(currentDocument, (document) =>
        Effect.forEach(
          [...allFiles(document, options)].filter(([path]) => isServed(path)),
          ([path, file]) => Effect.map(shared(make(file)), (made) => [path, made] as const)
        )
      ).pipe(Effect.map((all) => new Map(all)))
    )
    const page = Effect.gen(function* () {
      const { url } = yield* HttpServerRequest.HttpServerRequest
      const path = url.split("?", 1)[0] ?? ""
      // The page had another name before.
      const found = (yield* files).get(path === "/docs/webhook-events" ? "/docs/webhooks" : path)
      return found === undefined ? yield* routeNotFound : yield* StoredFile.answer(found)
    })
    const served = here(page)
    return [
      HttpRouter.route("GET", "/docs/*", served),
      HttpRouter.route("GET", "/docs.css", served),
      HttpRouter.route("GET", "/docs.js", served),
      HttpRouter.route("GET", "/llms.txt", served)
    ]
  })

/** The pages as Markdown, which models read, for hosts whose addresses the links of the other pages do not know. */
export const markdown: Layer.Layer<never, never, HttpRouter.HttpRouter> = HttpRouter.addAll(
  routes({}, (path) => path.endsWith(".md") || path === "/llms.txt")
)

export const layer = (options: Options = {}): Layer.Layer<never, never, HttpRouter.HttpRouter> =>
  HttpRouter.addAll(routes(options))
