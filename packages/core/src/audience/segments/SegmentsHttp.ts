/** Handlers of SegmentsApi. */
import { Api } from "@posthorn/contract/Api"
import { CurrentProject, type ProjectAccess } from "@posthorn/contract/platform/Auth"
import type { JsonBody, Validation } from "@posthorn/contract/platform/Request"
import { Effect, type Layer } from "effect"
import type { HttpApiGroup } from "effect/http-api"
import { group } from "../../platform/http/RequestContext.ts"
import { Segments } from "./Segments.ts"

export const layer: Layer.Layer<
  HttpApiGroup.Service<"posthorn", "segments">,
  never,
  JsonBody | ProjectAccess | Segments | Validation
> = group(
  Api,
  "segments",
  Effect.fnUntraced(function* (handlers) {
    const segments = yield* Segments
    return handlers.handleAll({
      list: () => CurrentProject.use(({ id }) => segments.list(id)),
      create: ({ payload }) => CurrentProject.use(({ id }) => segments.create(id, payload)),
      get: ({ params }) => CurrentProject.use(({ id }) => segments.get(id, params.id)),
      update: ({ params, payload }) => CurrentProject.use(({ id }) => segments.update(id, params.id, payload)),
      delete: ({ params }) => CurrentProject.use(({ id }) => segments.delete(id, params.id)),
      contacts: ({ params, query }) => CurrentProject.use(({ id }) => segments.contacts(id, params.id, query)),
      addMembers: ({ params, payload }) => CurrentProject.use(({ id }) => segments.addMembers(id, params.id, payload)),
      removeMembers: ({ params, payload }) =>
        CurrentProject.use(({ id }) => segments.removeMembers(id, params.id, payload)),
      compute: ({ params }) => CurrentProject.use(({ id }) => segments.compute(id, params.id)),
      refresh: ({ params }) => CurrentProject.use(({ id }) => segments.refresh(id, params.id))
    })
  })
)
