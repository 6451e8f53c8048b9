/** Handlers of MembersApi, InvitationsApi, InvitedApi and OwnInvitationsApi. */
import { Api } from "@posthorn/contract/Api"
import { done } from "@posthorn/contract/accounts/people/Account"
import { Actor, CurrentProject, CurrentUser, type ProjectAccess, type Session } from "@posthorn/contract/platform/Auth"
import type { JsonBody, Validation } from "@posthorn/contract/platform/Request"
import { Effect, Layer } from "effect"
import type { HttpApiGroup } from "effect/http-api"
import { group } from "../../platform/http/RequestContext.ts"
import { withRetryAfter } from "../people/AuthHttp.ts"
import * as Members from "./Members.ts"

const inEnvelope = <A, E, R>(data: Effect.Effect<A, E, R>) =>
  Effect.map(data, (data) => ({ success: true as const, data }))

const members = group(
  Api,
  "members",
  Effect.fnUntraced(function* (handlers) {
    const members = yield* Members.make
    return handlers.handleAll({
      list: () => CurrentProject.use(({ id }) => inEnvelope(members.list(id))),
      invite: Effect.fnUntraced(function* ({ payload }) {
        const { id } = yield* CurrentProject
        return yield* inEnvelope(withRetryAfter(members.invite(id, yield* Actor, payload)))
      }),
      update: Effect.fnUntraced(function* ({ params, payload }) {
        const { id } = yield* CurrentProject
        return yield* inEnvelope(withRetryAfter(members.update(id, yield* Actor, params.userId, payload.role)))
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
    const members = yield* Members.make
    return handlers.handleAll({
      list: () => CurrentProject.use(({ id }) => inEnvelope(members.invitations(id))),
      remove: Effect.fnUntraced(function* ({ params }) {
        const { id } = yield* CurrentProject
        yield* members.uninvite(id, yield* Actor, params.invitationId)
      })
    })
  })
)

const invited = group(
  Api,
  "invited",
  Effect.fnUntraced(function* (handlers) {
    const members = yield* Members.make
    return handlers.handleAll({
      view: ({ params }) =>
        inEnvelope(
          Effect.map(members.held(params.token), ({ kind, projectName, email, role, expiresAt, hasAccount }) => ({
            kind,
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

const ownInvitations = group(
  Api,
  "ownInvitations",
  Effect.fnUntraced(function* (handlers) {
    const members = yield* Members.make
    return handlers.handleAll({
      list: () => CurrentUser.use(members.received),
      accept: ({ params }) => CurrentUser.use((user) => inEnvelope(members.acceptReceived(user, params.id))),
      decline: ({ params }) => CurrentUser.use((user) => Effect.as(members.declineReceived(user, params.id), done))
    })
  })
)

type Groups = "invitations" | "invited" | "members" | "ownInvitations"

export const layer: Layer.Layer<
  { [G in Groups]: HttpApiGroup.Service<"posthorn", G> }[Groups],
  never,
  JsonBody | Members.Needs | ProjectAccess | Session | Validation
> = Layer.mergeAll(members, invitations, invited, ownInvitations)
