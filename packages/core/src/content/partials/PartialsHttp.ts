/** Handlers of PartialsApi. */
import { Api } from "@posthorn/contract/Api"
import { CurrentProject, type ProjectAccess } from "@posthorn/contract/platform/Auth"
import type { JsonBody, Validation } from "@posthorn/contract/platform/Request"
import { Effect, type Layer } from "effect"
import type { HttpApiGroup } from "effect/http-api"
import { group } from "../../platform/http/RequestContext.ts"
import { Partials } from "./Partials.ts"

export const layer: Layer.Layer<
  HttpApiGroup.Service<"posthorn", "partials">,
  never,
  JsonBody | Partials | ProjectAccess | Validation
> = group(
  Api,
  "partials",
  Effect.fnUntraced(function* (handlers) {
    const partials = yield* Partials
    return handlers.handleAll({
      list: ({ query }) => CurrentProject.use(({ id }) => partials.list(id, query)),
      create: ({ payload }) => CurrentProject.use(({ id }) => partials.create(id, payload)),
      get: ({ params }) => CurrentProject.use(({ id }) => partials.get(id, params.id)),
      update: ({ params, payload }) => CurrentProject.use(({ id }) => partials.update(id, params.id, payload)),
      delete: ({ params }) => CurrentProject.use(({ id }) => partials.delete(id, params.id)),
      usage: ({ params }) => CurrentProject.use(({ id }) => partials.usage(id, params.id)),
      versions: ({ params, query }) => CurrentProject.use(({ id }) => partials.versions(id, params.id, query)),
      version: ({ params }) => CurrentProject.use(({ id }) => partials.version(id, params.id, params.version)),
      restore: ({ params, payload }) =>
        CurrentProject.use(({ id }) => partials.restore(id, params.id, params.version, payload)),
      draft: ({ params }) => CurrentProject.use(({ id }) => partials.draft(id, params.id)),
      saveDraft: ({ params, payload }) => CurrentProject.use(({ id }) => partials.saveDraft(id, params.id, payload)),
      deleteDraft: ({ params }) => CurrentProject.use(({ id }) => partials.deleteDraft(id, params.id)),
      publish: ({ params, payload }) => CurrentProject.use(({ id }) => partials.publish(id, params.id, payload))
    })
  })
)
