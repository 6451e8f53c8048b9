/** Handlers of MembersApi, InvitationsApi and InvitedApi. */
import { Api } from "@posthorn/contract/Api"
import { Actor, CurrentProject, CurrentUser, type ProjectAccess, type Session } from "@posthorn/contract/Auth"
import type { JsonBody, Validation } from "@posthorn/contract/Request"
import { Effect, Layer } from "effect"
import type { HttpApiGroup } from "effect/http-api"
import { telling } from "../accounts/AuthHttp.ts"
import { group } from "../http/RequestContext.ts"
import { Members } from "./Members.ts"

const inEnvelope = <A, E, R>(data: Effect.Effect<A, E, R>) =>
  Effect.map(data, (data) => ({ success: true as const, data }))

const members = group(
  Api,
  "members",
  Effect.fnUntraced(function* (handlers) {
    const members = yield* Members
    return handlers.handleAll({
      list: () => CurrentProject.use(({ id }) => inEnvelope(members.list(id))),
      invite: Effect.fnUntraced(function* ({ payload }) {
        const { id } = yield* CurrentProject
        return yield* inEnvelope(telling(members.invite(id, yield* Actor, payload)))
      }),
      update: Effect.fnUntraced(function* ({ params, payload }) {
        const { id } = yield* CurrentProject
        return yield* inEnvelope(members.update(id, yield* Actor, params.userId, payload.role))
      }),
      remove: Effect.fnUntraced(function* ({ params }) {
        const { id } = yield* CurrentProject
        yield* members.remove(id, yield* Actor, params.userId)
      })
    })
  })
)

const invitations = group(
  Api,
  "invitations",
  Effect.fnUntraced(function* (handlers) {
    const members = yield* Members
    return handlers.handleAll({
      list: () => CurrentProject.use(({ id }) => inEnvelope(members.invitations(id))),
      remove: ({ params }) => CurrentProject.use(({ id }) => members.uninvite(id, params.invitationId))
    })
  })
)

const invited = group(
  Api,
  "invited",
  Effect.fnUntraced(function* (handlers) {
    const members = yield* Members
    return handlers.handleAll({
      view: ({ params }) =>
        inEnvelope(
          Effect.map(members.held(params.token), ({ projectName, email, role, expiresAt, hasAccount }) => ({
            projectName,
            email,
            role,
            expiresAt,
            hasAccount
          }))
        ),
      accept: ({ payload }) => CurrentUser.use((user) => inEnvelope(members.accept(user, payload.token)))
    })
  })
)

type Groups = "invitations" | "invited" | "members"

export const layer: Layer.Layer<
  { [G in Groups]: HttpApiGroup.Service<"posthorn", G> }[Groups],
  never,
  JsonBody | Members | ProjectAccess | Session | Validation
> = Layer.mergeAll(members, invitations, invited)
