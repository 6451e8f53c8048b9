/** API keys of projects: further credentials, each with its own scopes, limits and end. */
import {
  type ApiKey,
  ApiKeyId,
  type ApiKeyWithKey,
  type CreateApiKey,
  type KeyMode,
  maxApiKeys,
  type RotateApiKey,
  type UpdateApiKey
} from "@posthorn/contract/accounts/keys/ApiKey"
import { Actor, type ProjectId } from "@posthorn/contract/platform/Auth"
import { type Fault, ResourceNotFound, ValidationError } from "@posthorn/contract/platform/Errors"
import { isForTests } from "@posthorn/contract/platform/Scopes"
import { DateTime, Effect, Option } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { utcInstant } from "../../platform/DateRange.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { hashKey } from "./ApiKeyCache.ts"
import { ApiKeyStore } from "./ApiKeyStore.ts"
import { Projects } from "./Projects.ts"

/** A service: HTTP handlers and hosts call it. When a change returns, it is in force in every process. */
export interface ApiKeys {
  /** Newest first. */
  readonly list: (project: ProjectId) => Effect.Effect<ReadonlyArray<ApiKey>>
  /** The key itself is shown only here. */
  readonly create: (project: ProjectId, input: CreateApiKey) => Effect.Effect<ApiKeyWithKey, ValidationError>
  readonly get: (project: ProjectId, id: ApiKeyId) => Effect.Effect<ApiKey, ResourceNotFound>
  readonly update: (
    project: ProjectId,
    id: ApiKeyId,
    input: UpdateApiKey
  ) => Effect.Effect<ApiKey, ResourceNotFound | ValidationError>
  /** The old key is accepted for the overlap, 24 hours by default. */
  readonly rotate: (
    project: ProjectId,
    id: ApiKeyId,
    input: RotateApiKey
  ) => Effect.Effect<ApiKeyWithKey, ResourceNotFound>
  readonly remove: (project: ProjectId, id: ApiKeyId) => Effect.Effect<void, ResourceNotFound>
}

const defaultOverlapHours = 24

const notFound = (id: ApiKeyId) => new ResourceNotFound({ resource: "api_key", id })

const found = <A>(id: ApiKeyId, key: Option.Option<A>) =>
  Option.isSome(key) ? Effect.succeed(key.value) : Effect.fail(notFound(id))

const scopeFaults = (mode: KeyMode, scopes: ReadonlyArray<string>): ReadonlyArray<Fault> =>
  mode === "LIVE"
    ? []
    : scopes.flatMap((scope, index) =>
        isForTests(scope)
          ? []
          : [
              {
                field: `scopes.${index}`,
                code: "custom" as const,
                message: "Keys of test mode take `send`, `emails:write` and `:read` scopes only.",
                received: scope
              }
            ]
      )

const expiryOf = (given: string | null | undefined, now: DateTime.Utc) => {
  if (given == null) return { expiresAt: given, faults: [] }
  const at = utcInstant(given)
  const fault = (code: Fault["code"], message: string): Fault => ({
    field: "expiresAt",
    code,
    message,
    received: given
  })
  if (Option.isNone(at)) {
    return { expiresAt: undefined, faults: [fault("invalid_string", "Not a calendar date or date-time.")] }
  }
  if (!DateTime.isGreaterThan(at.value, now)) {
    return { expiresAt: undefined, faults: [fault("custom", "Must be in the future.")] }
  }
  return { expiresAt: at.value, faults: [] }
}

/** Each item once. */
const distinct = (items: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(items)]

export type Needs = ApiKeyStore | Digest.Digest | Projects | SecureRandom.SecureRandom | Transaction

export const make: Effect.Effect<ApiKeys, never, Needs> = Effect.gen(function* () {
  const store = yield* ApiKeyStore
  const projects = yield* Projects
  const random = yield* SecureRandom.SecureRandom
  const digest = yield* Digest.Digest
  const transaction = yield* Transaction

  const makeKey = Effect.fnUntraced(function* (mode: KeyMode) {
    const key = `ph_${mode.toLowerCase()}_${Base64Url.encode(yield* random.randomBytes(32))}`
    const hash = yield* Effect.provideService(hashKey(key), Digest.Digest, digest)
    return { key, stored: { hash, hint: key.slice(-4) } }
  })

  const get = Effect.fn("ApiKeys.get")(function* (project: ProjectId, id: ApiKeyId) {
    return yield* found(id, yield* store.find(project, id))
  })

  const create = Effect.fn("ApiKeys.create")(function* (project: ProjectId, input: CreateApiKey) {
    const now = yield* DateTime.now
    const mode = input.mode ?? "LIVE"
    const { expiresAt, faults } = expiryOf(input.expiresAt, now)
    const errors = [...scopeFaults(mode, input.scopes), ...faults]
    if (errors.length > 0) return yield* new ValidationError({ errors })
    const id = ApiKeyId.make(yield* random.uuidV7())
    const { key, stored } = yield* makeKey(mode)
    const actor = yield* Actor
    const record = yield* transaction.run(
      Effect.gen(function* () {
        if ((yield* store.lockCount(project)) >= maxApiKeys) {
          return yield* ValidationError.one("name", "too_big", `A project has at most ${maxApiKeys} API keys.`)
        }
        const made = {
          id,
          name: input.name,
          mode,
          scopes: distinct(input.scopes),
          senderDomains: distinct(input.senderDomains ?? []),
          ipRanges: distinct(input.ipRanges ?? []),
          rateLimitPerMinute: input.rateLimitPerMinute ?? null,
          expiresAt: expiresAt ?? null,
          createdBy: actor.kind === "member" ? actor.user : null,
          ...stored
        }
        return yield* store.insert(project, made, now)
      })
    )
    return { ...record, key }
  })

  const update = Effect.fn("ApiKeys.update")(function* (project: ProjectId, id: ApiKeyId, input: UpdateApiKey) {
    const now = yield* DateTime.now
    const { mode } = yield* get(project, id)
    const { expiresAt, faults } = expiryOf(input.expiresAt, now)
    const errors = [...scopeFaults(mode, input.scopes ?? []), ...faults]
    if (errors.length > 0) return yield* new ValidationError({ errors })
    const { name, scopes, senderDomains, ipRanges, rateLimitPerMinute } = input
    const change = {
      ...(name && { name }),
      ...(scopes && { scopes: distinct(scopes) }),
      ...(senderDomains && { senderDomains: distinct(senderDomains) }),
      ...(ipRanges && { ipRanges: distinct(ipRanges) }),
      ...(rateLimitPerMinute !== undefined && { rateLimitPerMinute }),
      ...(expiresAt !== undefined && { expiresAt })
    }
    if (Object.keys(change).length === 0) return yield* get(project, id)
    const changed = yield* found(id, yield* store.update(project, id, change, now))
    yield* projects.invalidate
    return changed
  })

  const rotate = Effect.fn("ApiKeys.rotate")(function* (project: ProjectId, id: ApiKeyId, input: RotateApiKey) {
    const now = yield* DateTime.now
    const hours = input.overlapHours ?? defaultOverlapHours
    const { mode } = yield* get(project, id)
    const { key, stored } = yield* makeKey(mode)
    const until = hours === 0 ? null : DateTime.add(now, { hours })
    const record = yield* found(id, yield* store.rotate(project, id, stored, until, now))
    yield* projects.invalidate
    return { ...record, key }
  })

  const remove = Effect.fn("ApiKeys.remove")(function* (project: ProjectId, id: ApiKeyId) {
    if (!(yield* store.delete(project, id))) return yield* notFound(id)
    yield* projects.invalidate
  })

  return { list: store.list, create, get, update, rotate, remove } satisfies ApiKeys
})
