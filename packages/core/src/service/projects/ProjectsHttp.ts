/** Handlers of ProjectsApi. */
import { Api } from "@posthorn/contract/Api"
import type { CurrentProjectInfo } from "@posthorn/contract/accounts/projects/Project"
import { Actor, type ActorOf, CurrentProject, type ProjectAccess } from "@posthorn/contract/platform/Auth"
import type { Validation } from "@posthorn/contract/platform/Request"
import { Effect, type Layer } from "effect"
import type { HttpApiGroup } from "effect/http-api"
import { Projects } from "../../accounts/projects/Projects.ts"
import * as SenderReputation from "../../mail/reputation/SenderReputation.ts"
import { group } from "../../platform/http/RequestContext.ts"
import * as OwnProjects from "./OwnProjects.ts"

const credentialOf = (actor: ActorOf): CurrentProjectInfo["key"] => {
  if (actor.kind !== "key") return null
  if (actor.apiKey === undefined) return { kind: "secret", mode: "LIVE", scopes: ["*"] }
  return { kind: "api", mode: actor.apiKey.mode, scopes: actor.apiKey.scopes }
}

const inEnvelope = <A, E, R>(data: Effect.Effect<A, E, R>) =>
  Effect.map(data, (data) => ({ success: true as const, data }))

export const layer: Layer.Layer<
  HttpApiGroup.Service<"posthorn", "projects">,
  never,
  OwnProjects.Needs | ProjectAccess | Projects | SenderReputation.Needs | Validation
> = group(
  Api,
  "projects",
  Effect.fnUntraced(function* (handlers) {
    const reputation = yield* SenderReputation.make
    const projects = yield* OwnProjects.make

    const all = yield* Projects

    const current = Effect.fnUntraced(function* () {
      const { id, name, publicKey, disabled } = yield* all.get((yield* CurrentProject).id)
      const key = credentialOf(yield* Actor)
      return { id, name, publicKey, disabled: disabled !== null, key }
    })

    return handlers.handleAll({
      current,
      audit: ({ query }) => CurrentProject.use(({ id }) => projects.audit(id, query)),
      setupState: () => CurrentProject.use(({ id }) => inEnvelope(projects.setupState(id))),
      security: () => CurrentProject.use(({ id }) => inEnvelope(reputation.get(id)))
    })
  })
)
