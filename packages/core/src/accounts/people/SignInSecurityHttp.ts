/** Handlers of AccountSessionsApi, TwoFactorApi and PasskeysApi. */
import { Api } from "@posthorn/contract/Api"
import { CurrentUser, type Session } from "@posthorn/contract/platform/Auth"
import { ResourceNotFound } from "@posthorn/contract/platform/Errors"
import { Id } from "@posthorn/contract/platform/Primitives"
import type { JsonBody, Validation } from "@posthorn/contract/platform/Request"
import { Effect, Layer, Schema } from "effect"
import type { HttpApiGroup } from "effect/http-api"
import * as ClientLimit from "../../platform/http/ClientLimit.ts"
import { group } from "../../platform/http/RequestContext.ts"
import { withRetryAfter } from "./AuthHttp.ts"
import * as SessionCookie from "./SessionCookie.ts"
import { Sessions } from "./Sessions.ts"
import { SignIn } from "./SignIn.ts"

const isId = Schema.is(Id)

const accountSessions = group(
  Api,
  "accountSessions",
  Effect.fnUntraced(function* (handlers) {
    const sessions = yield* Sessions
    return handlers.handleAll({
      list: Effect.fnUntraced(function* () {
        const { id, session } = yield* CurrentUser
        return (yield* sessions.list(id)).map((open) => ({ ...open, current: open.id === session }))
      }),
      remove: Effect.fnUntraced(function* ({ params }) {
        const user = yield* CurrentUser
        const isGone = isId(params.id) && (yield* sessions.revoke(user.id, params.id))
        if (!isGone) return yield* new ResourceNotFound({ resource: "session", id: params.id })
        if (params.id === user.session) yield* SessionCookie.clear
      }),
      removeOthers: () => CurrentUser.use(({ id, session }) => sessions.revokeOthers(id, session))
    })
  })
)

const twoFactor = group(
  Api,
  "twoFactor",
  Effect.fnUntraced(function* (handlers) {
    const signIn = yield* SignIn
    const factors = signIn.twoFactors
    return handlers.handleAll({
      state: () => CurrentUser.use(({ id }) => factors.state(id)),
      setUp: Effect.fnUntraced(function* ({ payload }) {
        const user = yield* CurrentUser
        yield* withRetryAfter(signIn.confirmPassword(user, payload.password, yield* ClientLimit.client))
        return yield* factors.setUp(user.id, user.email)
      }),
      confirm: Effect.fnUntraced(function* ({ payload }) {
        return { recoveryCodes: yield* withRetryAfter(factors.confirm(yield* CurrentUser, payload.code)) }
      }),
      remove: Effect.fnUntraced(function* ({ payload }) {
        const user = yield* CurrentUser
        yield* withRetryAfter(signIn.confirmPassword(user, payload.password, yield* ClientLimit.client))
        yield* withRetryAfter(factors.remove(user, payload))
      })
    })
  })
)

const passkeys = group(
  Api,
  "passkeys",
  Effect.fnUntraced(function* (handlers) {
    const { passkeys: keys } = yield* SignIn
    return handlers.handleAll({
      options: () => CurrentUser.use((user) => withRetryAfter(keys.creation(user))),
      add: ({ payload }) => CurrentUser.use((user) => keys.add(user, payload)),
      list: () => CurrentUser.use(({ id }) => keys.list(id)),
      remove: ({ params }) => CurrentUser.use((user) => keys.remove(user, params.id))
    })
  })
)

type Groups = "accountSessions" | "passkeys" | "twoFactor"

export const layer: Layer.Layer<
  { readonly [G in Groups]: HttpApiGroup.Service<"posthorn", G> }[Groups],
  never,
  JsonBody | Session | Sessions | SignIn | Validation
> = Layer.mergeAll(accountSessions, twoFactor, passkeys)
