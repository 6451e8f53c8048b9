/** Handlers of DomainsApi. */
import { Api } from "@posthorn/contract/Api"
import { CurrentProject, type ProjectAccess } from "@posthorn/contract/platform/Auth"
import type { JsonBody, Validation } from "@posthorn/contract/platform/Request"
import { Effect, type Layer } from "effect"
import type { HttpApiGroup } from "effect/http-api"
import { group } from "../../platform/http/RequestContext.ts"
import { Domains } from "./Domains.ts"

export const layer: Layer.Layer<
  HttpApiGroup.Service<"posthorn", "domains">,
  never,
  Domains | JsonBody | ProjectAccess | Validation
> = group(
  Api,
  "domains",
  Effect.fnUntraced(function* (handlers) {
    const domains = yield* Domains
    return handlers.handleAll({
      list: ({ params }) => CurrentProject.use(({ id }) => domains.list(id, params.projectId)),
      add: ({ payload }) => CurrentProject.use(({ id }) => domains.add(id, payload)),
      get: ({ params }) => CurrentProject.use(({ id }) => domains.get(id, params.id)),
      verify: ({ params }) => CurrentProject.use(({ id }) => domains.verify(id, params.id)),
      remove: ({ params }) => CurrentProject.use(({ id }) => domains.remove(id, params.id))
    })
  })
)
