/** The OpenAPI document of this version, and `GET /openapi.json`. */
import { Effect, type Layer } from "effect"
import { HttpRouter } from "effect/http"
import { TextWork } from "../content/text/TextWork.ts"
import { inContext, once } from "../platform/http/Routes.ts"
import * as StoredFile from "../platform/http/StoredFile.ts"

/** Its JSON. To make it takes up to a second, so hosts with threads do it there. Callers keep the result. */
export const documentText: Effect.Effect<string> = Effect.flatMap(TextWork, (work) =>
  work.run("apiDocument", undefined)
).pipe(
  Effect.catch(() => TextWork.defaultValue().run("apiDocument", undefined)),
  Effect.orDie
)

const routes = Effect.gen(function* () {
  const here = yield* inContext
  const shared = yield* once
  const file = yield* shared(Effect.flatMap(documentText, (json) => StoredFile.make("application/json", json)))
  return [HttpRouter.route("GET", "/openapi.json", here(StoredFile.answer(file)))]
})

export const layer: Layer.Layer<never, never, HttpRouter.HttpRouter> = HttpRouter.addAll(routes)
