/** `GET /docs`: the API reference, made from the OpenAPI document (doors 6). */
import { Api } from "@posthorn/contract/Api"
import { Effect, type Layer, Schema } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { OpenApi } from "effect/http-api"
import { OpenApiDocument } from "./OpenApiDocument.ts"
import { referencePage } from "./ReferencePage.ts"
import { referenceStyle } from "./ReferenceStyle.ts"

const headers = {
  "cache-control": "public, max-age=300",
  "x-content-type-options": "nosniff",
  "content-security-policy":
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}

const page = Effect.sync(() => OpenApi.fromApi(Api)).pipe(
  Effect.flatMap(Schema.decodeUnknownEffect(OpenApiDocument)),
  Effect.orDie,
  Effect.map((document) =>
    HttpServerResponse.text(referencePage(document).toString(), { contentType: "text/html; charset=utf-8", headers })
  )
)

const style = HttpServerResponse.text(referenceStyle, { contentType: "text/css; charset=utf-8", headers })

/** Made when it is first asked for. */
const routes = Effect.gen(function* () {
  const made = yield* Effect.cached(page)
  return [HttpRouter.route("GET", "/docs", made), HttpRouter.route("GET", "/docs.css", style)]
})

export const layer: Layer.Layer<never, never, HttpRouter.HttpRouter> = HttpRouter.addAll(routes)
