/** Handlers of FormsApi. */
import { Api } from "@posthorn/contract/Api"
import { CurrentProject, type ProjectAccess } from "@posthorn/contract/platform/Auth"
import type { JsonBody, Validation } from "@posthorn/contract/platform/Request"
import { Effect, type Layer } from "effect"
import type { HttpApiGroup } from "effect/http-api"
import { group } from "../../platform/http/RequestContext.ts"
import * as Forms from "./Forms.ts"

export const layer: Layer.Layer<
  HttpApiGroup.Service<"posthorn", "forms">,
  never,
  Forms.Needs | JsonBody | ProjectAccess | Validation
> = group(
  Api,
  "forms",
  Effect.fnUntraced(function* (handlers) {
    const forms = yield* Forms.make
    return handlers.handleAll({
      list: () => CurrentProject.use(({ id }) => forms.list(id)),
      create: ({ payload }) => CurrentProject.use(({ id }) => forms.create(id, payload)),
      get: ({ params }) => CurrentProject.use(({ id }) => forms.get(id, params.id)),
      update: ({ params, payload }) => CurrentProject.use(({ id }) => forms.update(id, params.id, payload)),
      remove: ({ params }) => CurrentProject.use(({ id }) => forms.remove(id, params.id)),
      snippet: ({ params }) => CurrentProject.use(({ id }) => forms.snippet(id, params.id))
    })
  })
)
