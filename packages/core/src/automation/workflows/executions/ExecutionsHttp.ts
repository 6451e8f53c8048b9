/** Handlers of ExecutionsApi. */
import { Api } from "@posthorn/contract/Api"
import { CurrentProject, type ProjectAccess } from "@posthorn/contract/platform/Auth"
import type { JsonBody, Validation } from "@posthorn/contract/platform/Request"
import { Effect, type Layer } from "effect"
import type { HttpApiGroup } from "effect/http-api"
import { group } from "../../../platform/http/RequestContext.ts"
import * as Executions from "./Executions.ts"

export const layer: Layer.Layer<
  HttpApiGroup.Service<"posthorn", "executions">,
  never,
  Executions.Needs | JsonBody | ProjectAccess | Validation
> = group(
  Api,
  "executions",
  Effect.fnUntraced(function* (handlers) {
    const executions = yield* Executions.make
    return handlers.handleAll({
      start: ({ params, payload }) => CurrentProject.use(({ id }) => executions.start(id, params.id, payload)),
      list: ({ params, query }) => CurrentProject.use(({ id }) => executions.list(id, params.id, query)),
      ofContact: ({ params, query }) => CurrentProject.use(({ id }) => executions.ofContact(id, params.id, query)),
      get: ({ params }) => CurrentProject.use(({ id }) => executions.get(id, params.id, params.executionId)),
      cancel: ({ params }) => CurrentProject.use(({ id }) => executions.cancel(id, params.id, params.executionId)),
      cancelAll: ({ params }) =>
        CurrentProject.use(({ id }) => Effect.map(executions.cancelAll(id, params.id), (cancelled) => ({ cancelled }))),
      retry: ({ params }) => CurrentProject.use(({ id }) => executions.retry(id, params.id, params.executionId))
    })
  })
)
