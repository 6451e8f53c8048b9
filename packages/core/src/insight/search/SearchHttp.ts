/** Handler of SearchApi. */
import { Api } from "@posthorn/contract/Api"
import { CurrentProject, type ProjectAccess } from "@posthorn/contract/platform/Auth"
import type { Validation } from "@posthorn/contract/platform/Request"
import { Effect, type Layer } from "effect"
import type { HttpApiGroup } from "effect/http-api"
import { group } from "../../platform/http/RequestContext.ts"
import * as Search from "./Search.ts"

export const layer: Layer.Layer<
  HttpApiGroup.Service<"posthorn", "search">,
  never,
  ProjectAccess | Search.Needs | Validation
> = group(
  Api,
  "search",
  Effect.fnUntraced(function* (handlers) {
    const search = yield* Search.make
    return handlers.handleAll({
      find: ({ query }) => CurrentProject.use(({ id }) => search.find(id, query))
    })
  })
)
