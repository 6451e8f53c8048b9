/** Handlers of SuppressionsApi. */
import { Api } from "@posthorn/contract/Api"
import type { AddedSuppressions, Suppression } from "@posthorn/contract/audience/suppressions/Suppression"
import { CurrentProject, type ProjectAccess } from "@posthorn/contract/platform/Auth"
import type { JsonBody, Validation } from "@posthorn/contract/platform/Request"
import { Effect, type Layer } from "effect"
import { HttpEffect, type HttpServerRequest, HttpServerResponse } from "effect/http"
import type { HttpApiGroup } from "effect/http-api"
import { download } from "../../platform/http/Download.ts"
import { group } from "../../platform/http/RequestContext.ts"
import { type Added, Suppressions } from "./Suppressions.ts"

/** New and existing records have the same shape, so the encoder would answer 201 for both. */
const wasThere = HttpEffect.appendPreResponseHandler((_request, response) =>
  Effect.succeed(HttpServerResponse.setStatus(response, 200))
)

const answer = (
  added: Added
): Effect.Effect<Suppression | AddedSuppressions, never, HttpServerRequest.HttpServerRequest> => {
  if (added.kind === "many") return Effect.succeed(added.counts)
  return added.isNew ? Effect.succeed(added.suppression) : Effect.as(wasThere, added.suppression)
}

export const layer: Layer.Layer<
  HttpApiGroup.Service<"posthorn", "suppressions">,
  never,
  JsonBody | ProjectAccess | Suppressions | Validation
> = group(
  Api,
  "suppressions",
  Effect.fnUntraced(function* (handlers) {
    const suppressions = yield* Suppressions
    return handlers.handleAll({
      list: ({ query }) => CurrentProject.use(({ id }) => suppressions.list(id, query)),
      export: ({ query }) =>
        CurrentProject.use(({ id }) =>
          Effect.map(suppressions.export(id, query), (text) => download(text, "suppressions", query.format ?? "csv"))
        ),
      add: ({ payload }) => CurrentProject.use(({ id }) => Effect.flatMap(suppressions.addByHand(id, payload), answer)),
      get: ({ params }) => CurrentProject.use(({ id }) => suppressions.get(id, params.email)),
      remove: ({ params }) => CurrentProject.use(({ id }) => suppressions.lift(id, params.email))
    })
  })
)
