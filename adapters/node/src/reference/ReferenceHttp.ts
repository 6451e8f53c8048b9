/**
 * `GET /docs` and `GET /llms.txt`: the API reference for people and for language models, made from the OpenAPI
 * document.
 */
import { Api } from "@posthorn/contract/Api"
import { Effect, type Layer, Schema } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { OpenApi } from "effect/http-api"
import { llmsText } from "./LlmsText.ts"
import { OpenApiDocument } from "./OpenApiDocument.ts"
import { referencePage } from "./ReferencePage.ts"
import { referenceStyle } from "./ReferenceStyle.ts"

const headers = {
  "cache-control": "public, max-age=300",
  "x-content-type-options": "nosniff",
  "content-security-policy":
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}

const pages = Effect.sync(() => OpenApi.fromApi(Api)).pipe(
  Effect.flatMap(Schema.decodeUnknownEffect(OpenApiDocument)),
  Effect.orDie,
  Effect.map((document) => ({
    docs: HttpServerResponse.text(String(referencePage(document)), {
      contentType: "text/html; charset=utf-8",
      headers
    }),
    llms: HttpServerResponse.text(llmsText(document), { contentType: "text/plain; charset=utf-8", headers })
  }))
)

const style = HttpServerResponse.text(referenceStyle, { contentType: "text/css; charset=utf-8", headers })

/** Made on the first request. */
const routes = Effect.gen(function* () {
  const made = yield* Effect.cached(pages)
  return [
    HttpRouter.route(
      "GET",
      "/docs",
      Effect.map(made, ({ docs }) => docs)
    ),
    HttpRouter.route("GET", "/docs.css", style),
    HttpRouter.route(
      "GET",
      "/llms.txt",
      Effect.map(made, ({ llms }) => llms)
    )
  ]
})

export const layer: Layer.Layer<never, never, HttpRouter.HttpRouter> = HttpRouter.addAll(routes)
