/** Projects and their keys, for hosts and operators. */
import { type DisabledReason, ProjectId } from "@posthorn/contract/platform/Auth"
import { ResourceNotFound } from "@posthorn/contract/platform/Errors"
import { Context, DateTime, Effect, Layer, Option, Redacted } from "effect"
import { type Digest, SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import * as ShortCache from "../../platform/ShortCache.ts"
import * as ApiKeyCache from "./ApiKeyCache.ts"
import type { ApiKeyStore } from "./ApiKeyStore.ts"
import type { StoredProject } from "./Project.ts"
import { type ProjectSettings, ProjectStore } from "./ProjectStore.ts"

/** Both keys of a project in full. The secret key is not stored, so it cannot be read later. */
export interface Keys {
  readonly publicKey: string
  readonly secretKey: Redacted.Redacted<string>
}

/** A service: hosts, HTTP handlers and most areas call it, and a process has one cache of keys. */
export class Projects extends Context.Service<
  Projects,
  Pick<ApiKeyCache.ApiKeyCache, "authenticate" | "refused"> & {
    readonly create: (name: string) => Effect.Effect<{ readonly project: StoredProject; readonly keys: Keys }>
    readonly list: Effect.Effect<ReadonlyArray<StoredProject>>
    readonly get: (project: ProjectId) => Effect.Effect<StoredProject, ResourceNotFound>
    /** As `get`, from a cache of at most one second. Every request needs it. */
    readonly getCached: (project: ProjectId) => Effect.Effect<StoredProject, ResourceNotFound>
    readonly update: (project: ProjectId, settings: ProjectSettings) => Effect.Effect<StoredProject, ResourceNotFound>
    /** Waits until no process has an older state of any project in its cache. */
    readonly invalidate: Effect.Effect<void>
    /** Replaces both keys. When it returns, no process accepts the old ones. */
    readonly rotateKeys: (project: ProjectId) => Effect.Effect<Keys, ResourceNotFound>
    /** Stops writes and sending; reads still work. When it returns, this applies in every process. */
    readonly disable: (project: ProjectId, reason: DisabledReason) => Effect.Effect<void, ResourceNotFound>
    readonly enable: (project: ProjectId) => Effect.Effect<void, ResourceNotFound>
    /**
     * Ends keys, members, invitations and domains, and deletes the data in the background. False when the project does
     * not exist. Joins the caller's transaction; after its commit, wait for `invalidate`.
     */
    readonly end: (project: ProjectId) => Effect.Effect<boolean>
  }
>()("@posthorn/core/accounts/projects/Projects") {}

const notFound = (id: string) => new ResourceNotFound({ resource: "project", id })

export const layer: Layer.Layer<
  Projects,
  never,
  ApiKeyStore | Digest.Digest | ProjectStore | SecureRandom.SecureRandom
> = Layer.effect(
  Projects,
  Effect.gen(function* () {
    const store = yield* ProjectStore
    const ring = yield* ApiKeyCache.make
    const random = yield* SecureRandom.SecureRandom
    const digest = yield* Effect.context<Digest.Digest>()

    const key = (prefix: "pk_" | "sk_") =>
      Effect.map(random.randomBytes(32), (bytes) => prefix + Base64Url.encode(bytes))

    const makeKeys = Effect.gen(function* () {
      const publicKey = yield* key("pk_")
      const secretKey = yield* key("sk_")
      const secretHash = yield* Effect.provideContext(ApiKeyCache.hashKey(secretKey), digest)
      return {
        keys: { publicKey, secretKey: Redacted.make(secretKey) },
        stored: { publicKey, secretHash, secretHint: secretKey.slice(-4) }
      }
    })

    const create = Effect.fn("Projects.create")(function* (name: string) {
      const id = ProjectId.make(yield* random.uuidV7())
      const { keys, stored } = yield* makeKeys
      const project = yield* store.insert({ id, name, ...stored }, yield* DateTime.now)
      return { project, keys }
    })

    const get = Effect.fn("Projects.get")(function* (id: ProjectId) {
      const found = yield* store.find(id)
      if (Option.isNone(found)) return yield* notFound(id)
      return found.value
    })

    const cache = ShortCache.make(get)

    /** When it returns, no process has the older state in its cache. */
    const settle = Effect.andThen(cache.clear, ring.settle)

    const update = Effect.fn("Projects.update")(function* (id: ProjectId, settings: ProjectSettings) {
      const changed = yield* store.update(id, settings, yield* DateTime.now)
      if (Option.isNone(changed)) return yield* notFound(id)
      // Accepting mail reads `tracking`, and using the public key reads its policy. After the response no process may
      // use the old values.
      yield* settings.tracking === undefined && settings.publicKeyPolicy === undefined ? cache.clear : settle
      return changed.value
    })

    const rotateKeys = Effect.fn("Projects.rotateKeys")(function* (id: ProjectId) {
      const { keys, stored } = yield* makeKeys
      const replaced = yield* store.replaceKeys(id, stored, yield* DateTime.now)
      if (!replaced) return yield* notFound(id)
      yield* settle
      return keys
    })

    const setDisabled = Effect.fn("Projects.setDisabled")(function* (id: ProjectId, reason: DisabledReason | null) {
      const changed = yield* store.disable(id, reason, yield* DateTime.now)
      if (!changed) yield* get(id)
      yield* settle
    })

    return Projects.of({
      authenticate: ring.authenticate,
      refused: ring.refused,
      create,
      list: store.list,
      get,
      getCached: cache.get,
      update,
      invalidate: settle,
      rotateKeys,
      disable: setDisabled,
      enable: (id) => setDisabled(id, null),
      end: (id) => Effect.flatMap(DateTime.now, (now) => store.markDeleted(id, now))
    })
  })
)
