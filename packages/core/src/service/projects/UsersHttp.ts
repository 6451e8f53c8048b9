/** Handlers of UsersApi and OwnProjectsApi. */

import { Api } from "@posthorn/contract/Api"
import { done } from "@posthorn/contract/accounts/people/Account"
import {
  Actor,
  CurrentProject,
  CurrentUser,
  Forbidden,
  type OwnProject,
  type Session,
  TwoFactorRequired
} from "@posthorn/contract/platform/Auth"
import type { JsonBody, Validation } from "@posthorn/contract/platform/Request"
import { Effect, Layer } from "effect"
import type { HttpApiGroup } from "effect/http-api"
import { withRetryAfter } from "../../accounts/people/AuthHttp.ts"
import * as SessionCookie from "../../accounts/people/SessionCookie.ts"
import { SignIn } from "../../accounts/people/SignIn.ts"
import * as SenderReputation from "../../mail/reputation/SenderReputation.ts"
import * as ClientLimit from "../../platform/http/ClientLimit.ts"
import { group } from "../../platform/http/RequestContext.ts"
import * as OwnProjects from "./OwnProjects.ts"

const users = group(
  Api,
  "users",
  Effect.fnUntraced(function* (handlers) {
    const signIn = yield* SignIn
    const projects = yield* OwnProjects.make
    return handlers.handleAll({
      me: () => CurrentUser.use(({ id }) => signIn.get(id)),
      remove: Effect.fnUntraced(function* () {
        const { id } = yield* CurrentUser
        yield* signIn.removeAccount(id)
        yield* SessionCookie.clear
      }),
      changePassword: Effect.fnUntraced(function* ({ payload }) {
        const token = yield* withRetryAfter(
          signIn.changePassword(yield* CurrentUser, payload, yield* ClientLimit.client)
        )
        yield* SessionCookie.set(token)
        return done
      }),
      projects: () => CurrentUser.use(({ id }) => projects.list(id)),
      createProject: ({ payload }) => CurrentUser.use((user) => projects.create(user, payload.name))
    })
  })
)

/** The middleware has found the project and the user's role in it. */
const role = Effect.map(Actor, (actor) => (actor.kind === "key" ? ("ADMIN" as const) : actor.role))

/** Only the OWNER may change it. To enable it, the OWNER must have two factors, to not lose access. */
const mayRequireTwoFactor = Effect.fnUntraced(function* (wanted: boolean) {
  if ((yield* role) !== "OWNER") return yield* new Forbidden({ reason: "role" })
  if (wanted && !(yield* CurrentUser).hasTwoFactors) return yield* new TwoFactorRequired()
})

const ownProjects = group(
  Api,
  "ownProjects",
  Effect.fnUntraced(function* (handlers) {
    const projects = yield* OwnProjects.make
    const reputation = yield* SenderReputation.make
    return handlers.handleAll({
      update: Effect.fnUntraced(function* ({ payload }) {
        const { id } = yield* CurrentProject
        if (payload.requireTwoFactor !== undefined) yield* mayRequireTwoFactor(payload.requireTwoFactor)
        return yield* projects.update(id, yield* role, payload)
      }),
      regenerateKeys: Effect.fnUntraced(function* () {
        const { id } = yield* CurrentProject
        return yield* projects.regenerateKeys(id, yield* role)
      }),
      reset: Effect.fnUntraced(function* () {
        const { id } = yield* CurrentProject
        return (yield* projects.reset(id))
          ? { success: true as const, message: "Project data deleted.", data: { state: "completed" as const } }
          : { success: true as const, message: "Project data is being deleted.", data: { state: "running" as const } }
      }),
      remove: () => CurrentProject.use(({ id }) => projects.remove(id)),
      security: () => CurrentProject.use(({ id }) => reputation.get(id))
    })
  })
)

export const layer: Layer.Layer<
  HttpApiGroup.Service<"posthorn", "ownProjects"> | HttpApiGroup.Service<"posthorn", "users">,
  never,
  JsonBody | OwnProject | OwnProjects.Needs | Session | SignIn | SenderReputation.Needs | Validation
> = Layer.mergeAll(users, ownProjects)
