/** Handlers of ProjectsApi. */
import { Api } from "@posthorn/contract/Api"
import { CurrentProject, type ProjectAccess } from "@posthorn/contract/Auth"
import { ResourceNotFound } from "@posthorn/contract/Errors"
import type { Validation } from "@posthorn/contract/Request"
import { Effect, type Layer } from "effect"
import { HttpApiBuilder, type HttpApiGroup } from "effect/http-api"
import { Standing } from "./Standing.ts"

export const layer: Layer.Layer<
  HttpApiGroup.Service<"posthorn", "projects">,
  never,
  ProjectAccess | Standing | Validation
> = HttpApiBuilder.group(
  Api,
  "projects",
  Effect.fnUntraced(function* (handlers) {
    const standing = yield* Standing

    /** The path selects nothing: it must name the project of the credential (contract-2 1). */
    const security = Effect.fnUntraced(function* (named: string) {
      const { id } = yield* CurrentProject
      if (named.toLowerCase() !== id) return yield* new ResourceNotFound({ resource: "project", id: named })
      return { success: true as const, data: yield* standing.get(id) }
    })

    return handlers.handleAll({ security: ({ params }) => security(params.id) })
  })
)
