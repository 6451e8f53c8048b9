/** Handlers of DeliverabilityApi. */
import { Api } from "@posthorn/contract/Api"
import { CurrentProject, type ProjectAccess } from "@posthorn/contract/platform/Auth"
import type { JsonBody, Validation } from "@posthorn/contract/platform/Request"
import { Effect, type Layer } from "effect"
import type { HttpApiGroup } from "effect/http-api"
import { group } from "../../platform/http/RequestContext.ts"
import * as Deliverability from "./Deliverability.ts"

export const layer: Layer.Layer<
  HttpApiGroup.Service<"posthorn", "deliverability">,
  never,
  Deliverability.Needs | JsonBody | ProjectAccess | Validation
> = group(
  Api,
  "deliverability",
  Effect.fnUntraced(function* (handlers) {
    const { providers } = yield* Deliverability.make
    return handlers.handleAll({ providers: () => CurrentProject.use(({ id }) => providers(id)) })
  })
)
