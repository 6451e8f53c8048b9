/** Queries of lists that people save under a name. */
import {
  type CreateView,
  maxViews,
  maxViewsOfMember,
  type UpdateView,
  type View,
  type ViewQuery
} from "@posthorn/contract/insight/views/View"
import { type AccountId, Actor, Forbidden, type ProjectId } from "@posthorn/contract/platform/Auth"
import { ResourceNotFound, ValidationError } from "@posthorn/contract/platform/Errors"
import { isAtLeast } from "@posthorn/contract/platform/Roles"
import { DateTime, Effect, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { Transaction } from "../../platform/Transaction.ts"
import * as ViewStore from "./ViewStore.ts"

export interface Views {
  /** Own and shared views, by name. */
  readonly list: (project: ProjectId, query: ViewQuery) => Effect.Effect<ReadonlyArray<View>>
  readonly create: (project: ProjectId, input: CreateView) => Effect.Effect<View, Forbidden | ValidationError>
  readonly update: (
    project: ProjectId,
    id: string,
    input: UpdateView
  ) => Effect.Effect<View, Forbidden | ResourceNotFound | ValidationError>
  readonly remove: (project: ProjectId, id: string) => Effect.Effect<void, Forbidden | ResourceNotFound>
  /** Deletes views whose name or query contains the address. Joins the caller's transaction. */
  readonly forget: (project: ProjectId, email: string) => Effect.Effect<void>
}

interface Caller {
  /** Null for a caller with the secret key, and for a user of the application that embeds the service. */
  readonly user: AccountId | null
  /** Whether shared views of others may be changed. */
  readonly isAdmin: boolean
}

const caller = Effect.map(
  Actor,
  (actor): Caller => ({
    user: actor.kind === "member" ? actor.user : null,
    isAdmin: actor.kind === "key" || isAtLeast(actor.role, "ADMIN")
  })
)

const byKeyIsShared = ValidationError.one("shared", "custom", "A view of the secret key is shared, as it has no maker.")

/** The text without the escapes of a URL. They may be nested, because a query can hold a URL or JSON. */
const unescaped = (text: string): string => {
  let plain = text
  for (let depth = 0; depth < 3; depth++) {
    plain = plain.replace(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
  }
  return plain.toLowerCase()
}

/** Stored addresses are ASCII in lower case. */
const holds = (text: string, email: string): boolean => unescaped(text).includes(email)

export type Needs = SecureRandom.SecureRandom | SqlClient.SqlClient | Transaction

export const make: Effect.Effect<Views, never, Needs> = Effect.gen(function* () {
  const store = ViewStore.make(yield* SqlClient.SqlClient)
  const random = yield* SecureRandom.SecureRandom
  const transaction = yield* Transaction

  const list = Effect.fn("Views.list")(function* (project: ProjectId, { page }: ViewQuery) {
    const { user } = yield* caller
    return yield* store.list(project, user, page)
  })

  const create = Effect.fn("Views.create")(function* (project: ProjectId, { page, name, query, shared }: CreateView) {
    const { user } = yield* caller
    if (user === null && shared === false) return yield* byKeyIsShared
    yield* store.lock(project)
    const { all, own } = yield* store.count(project, user)
    if (all >= maxViews || (user !== null && own >= maxViewsOfMember)) {
      const [most, whose] = all >= maxViews ? [maxViews, "project"] : [maxViewsOfMember, "member"]
      return yield* ValidationError.one("name", "too_big", `A ${whose} has at most ${most} views.`)
    }
    const id = yield* random.uuidV7()
    const view = { id, page, name, query, shared: user === null || shared === true, user }
    const made = yield* store.insert(project, view, yield* DateTime.now)
    if (Option.isSome(made)) return made.value
    // The member was removed while the request was under way.
    return yield* new Forbidden({ reason: "role" })
  }, transaction.run)

  /** A view that the caller sees and may change. Nobody else changes it until the transaction ends. */
  const changeable = Effect.fnUntraced(function* (project: ProjectId, id: string) {
    const { user, isAdmin } = yield* caller
    const found = Option.getOrUndefined(yield* store.find(project, id))
    const isOwn = found !== undefined && user !== null && found.createdBy?.id === user
    if (found === undefined || !(isOwn || found.shared)) return yield* new ResourceNotFound({ resource: "view", id })
    if (!isOwn && !isAdmin) return yield* new Forbidden({ reason: "role" })
    return found
  })

  const update = Effect.fn("Views.update")(function* (project: ProjectId, id: string, input: UpdateView) {
    const view = yield* changeable(project, id)
    if (view.createdBy === null && input.shared === false) return yield* byKeyIsShared
    const changed = { ...view, ...input }
    yield* store.update(project, id, changed)
    return changed
  }, transaction.run)

  const remove = Effect.fn("Views.remove")(function* (project: ProjectId, id: string) {
    yield* changeable(project, id)
    yield* store.remove(project, [id])
  }, transaction.run)

  const forget = Effect.fn("Views.forget")(function* (project: ProjectId, email: string) {
    // No view is saved meanwhile, so none with the address is left.
    yield* store.lock(project)
    const views = yield* store.all(project)
    const gone = views.filter(({ name, query }) => holds(name, email) || holds(query, email))
    if (gone.length > 0) {
      yield* store.remove(
        project,
        gone.map(({ id }) => id)
      )
    }
  })

  return { list, create, update, remove, forget } satisfies Views
})
