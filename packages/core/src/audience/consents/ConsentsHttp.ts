/** Handlers of ConsentsApi. */
import { Api } from "@posthorn/contract/Api"
import { CurrentProject, type ProjectAccess } from "@posthorn/contract/platform/Auth"
import type { JsonBody, Validation } from "@posthorn/contract/platform/Request"
import { Effect, type Layer } from "effect"
import type { HttpApiGroup } from "effect/http-api"
import { download } from "../../platform/http/Download.ts"
import { group } from "../../platform/http/RequestContext.ts"
import * as Consents from "./Consents.ts"

export const layer: Layer.Layer<
  HttpApiGroup.Service<"posthorn", "consents">,
  never,
  Consents.Needs | JsonBody | ProjectAccess | Validation
> = group(
  Api,
  "consents",
  Effect.fnUntraced(function* (handlers) {
    const consents = yield* Consents.make
    return handlers.handleAll({
      list: ({ query }) => CurrentProject.use(({ id }) => consents.list(id, query)),
      export: ({ query }) =>
        CurrentProject.use(({ id }) =>
          Effect.map(consents.export(id, query), (text) => download(text, "consents", query.format ?? "csv"))
        )
    })
  })
)
