/** Handlers of DomainsApi. */
import { Api } from "@posthorn/contract/Api"
import { CurrentProject, type ProjectAccess } from "@posthorn/contract/platform/Auth"
import type { JsonBody, Validation } from "@posthorn/contract/platform/Request"
import { Effect, type Layer } from "effect"
import type { HttpApiGroup } from "effect/http-api"
import { group } from "../../platform/http/RequestContext.ts"
import * as Warmups from "../warmup/Warmups.ts"
import { Domains } from "./Domains.ts"
import { LinkHosts } from "./LinkHosts.ts"

export const layer: Layer.Layer<
  HttpApiGroup.Service<"posthorn", "domains">,
  never,
  Domains | LinkHosts | JsonBody | ProjectAccess | Validation | Warmups.Needs
> = group(
  Api,
  "domains",
  Effect.fnUntraced(function* (handlers) {
    const domains = yield* Domains
    const linkHosts = yield* LinkHosts
    const warmups = yield* Warmups.make
    return handlers.handleAll({
      list: ({ params }) => CurrentProject.use(({ id }) => domains.list(id, params.projectId)),
      add: ({ payload }) => CurrentProject.use(({ id }) => domains.add(id, payload)),
      get: ({ params }) => CurrentProject.use(({ id }) => domains.get(id, params.id)),
      update: ({ params, payload }) => CurrentProject.use(({ id }) => linkHosts.update(id, params.id, payload)),
      health: ({ params, query }) => CurrentProject.use(({ id }) => domains.health(id, params.id, query)),
      dmarc: ({ params, query }) => CurrentProject.use(({ id }) => domains.dmarc(id, params.id, query)),
      warmup: ({ params, query }) => CurrentProject.use(({ id }) => warmups.get(id, params.id, query)),
      warmups: ({ params }) => CurrentProject.use(({ id }) => warmups.list(id, params.id)),
      setWarmup: ({ params, payload, query }) =>
        CurrentProject.use(({ id }) => warmups.set(id, params.id, query, payload)),
      removeWarmup: ({ params, query }) => CurrentProject.use(({ id }) => warmups.remove(id, params.id, query)),
      pauseWarmup: ({ params, query }) => CurrentProject.use(({ id }) => warmups.pause(id, params.id, query)),
      resumeWarmup: ({ params, query }) => CurrentProject.use(({ id }) => warmups.resume(id, params.id, query)),
      verify: ({ params }) =>
        CurrentProject.use(({ id }) => Effect.andThen(linkHosts.refresh(id, params.id), domains.verify(id, params.id))),
      remove: ({ params }) => CurrentProject.use(({ id }) => domains.remove(id, params.id))
    })
  })
)
