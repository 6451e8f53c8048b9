/** Handlers of ProjectsApi. */
import { Api } from "@posthorn/contract/Api"
import { CurrentProject, type ProjectAccess } from "@posthorn/contract/Auth"
import type { Validation } from "@posthorn/contract/Request"
import { Effect, type Layer } from "effect"
import type { HttpApiGroup } from "effect/http-api"
import { group } from "../http/RequestContext.ts"
import { OwnProjects } from "../projects/OwnProjects.ts"
import { Standing } from "./Standing.ts"

const inEnvelope = <A, E, R>(data: Effect.Effect<A, E, R>) =>
  Effect.map(data, (data) => ({ success: true as const, data }))

export const layer: Layer.Layer<
  HttpApiGroup.Service<"posthorn", "projects">,
  never,
  OwnProjects | ProjectAccess | Standing | Validation
> = group(
  Api,
  "projects",
  Effect.fnUntraced(function* (handlers) {
    const standing = yield* Standing
    const projects = yield* OwnProjects

    return handlers.handleAll({
      setupState: () => CurrentProject.use(({ id }) => inEnvelope(projects.setupState(id))),
      security: () => CurrentProject.use(({ id }) => inEnvelope(standing.get(id)))
    })
  })
)
