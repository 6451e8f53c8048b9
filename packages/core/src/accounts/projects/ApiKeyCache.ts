/**
 * Finds the project of a key: secret, public or API key. A process has one, in `Projects`.
 *
 * A process caches a key that it found for one second of its monotonic clock, counted from before the lookup. A call
 * that changes a key or disables a project waits that long after the commit before it returns. So no process accepts an
 * old key after the change was answered, and a busy key costs one query a second.
 */
import { InvalidApiKey } from "@posthorn/contract/platform/Auth"
import { DateTime, Duration, Effect, Option } from "effect"
import { Digest } from "effect/crypto"
import * as ClientLimit from "../../platform/http/ClientLimit.ts"
import { Settings } from "../../platform/Settings.ts"
import * as ShortCache from "../../platform/ShortCache.ts"
import { ApiKeyStore, type HeldKey, type Via } from "./ApiKeyStore.ts"
import { type ProjectStanding, ProjectStore } from "./ProjectStore.ts"

/** Wrong keys from one client in any 60 seconds. A correct key is still accepted after them. */
export const mostRefused = 60

export type KeyKind = "secret" | "public"

const publicPrefix = "pk_"
const apiKeyPrefix = "ph_"
const form = /^(?:[sp]k_|ph_(?:live|test)_)[\w-]{43}$/

/** The use of an API key is recorded at most once in this time. */
const useRecorded = Duration.minutes(1)
/** Most API keys whose last record of use is in memory. Beyond it, all are removed. */
const maxUsed = 10_000

/** The project of a key. `apiKey` is undefined for the secret key and the public key. */
export type KeyCredential = ProjectStanding & { readonly apiKey?: HeldKey | undefined }

/** SHA-256, hexadecimal. Only this hash of a secret key or an API key is stored. */
export const hashKey = (key: string): Effect.Effect<string, never, Digest.Digest> =>
  Digest.Digest.use((digest) => Effect.orDie(digest.digestHex(Digest.sha256, new TextEncoder().encode(key))))

export interface ApiKeyCache {
  /**
   * Where the secret key is accepted, an API key is too. The caller checks its scopes and addresses (`KeyRules.ts`).
   */
  readonly authenticate: (kind: KeyKind, key: string, via?: Via) => Effect.Effect<KeyCredential, InvalidApiKey>
  /**
   * Counts a 401 response against a client, in this process. Returns the seconds to wait when the client had too many
   * in a minute. Always none where requests are not limited.
   */
  readonly refused: (client: string) => Effect.Effect<Option.Option<number>>
  /** Waits until no process has an older state of a project in its cache. */
  readonly settle: Effect.Effect<void>
}

export const make: Effect.Effect<ApiKeyCache, never, ApiKeyStore | ProjectStore | Digest.Digest> = Effect.gen(
  function* () {
    const store = yield* ProjectStore
    const apiKeys = yield* ApiKeyStore
    const digest = yield* Effect.context<Digest.Digest>()
    const { rateLimitPerMinute } = yield* Settings
    const refusals = ClientLimit.make(mostRefused)
    const refused = (client: string) => (rateLimitPerMinute === 0 ? Effect.succeedNone : refusals.take(client))

    const find = Effect.fnUntraced(function* (key: string): Effect.fn.Return<Option.Option<KeyCredential>> {
      if (key.startsWith(publicPrefix)) return yield* store.findByPublicKey(key)
      const hash = yield* Effect.provideContext(hashKey(key), digest)
      return yield* key.startsWith(apiKeyPrefix) ? apiKeys.findByHash(hash) : store.findBySecretHash(hash)
    })

    const lookUp = Effect.fnUntraced(function* (key: string) {
      const found = yield* find(key)
      return Option.isSome(found) ? found.value : yield* new InvalidApiKey({ reason: "unknown" })
    })

    /** The last recorded use of each API key, as this process knows it. */
    const used = new Map<string, number>()

    const recordUse = Effect.fnUntraced(function* ({ id: project, apiKey }: Required<KeyCredential>, via: Via) {
      if (apiKey === undefined) return
      const now = yield* DateTime.now
      const { id, lastUsedAt } = apiKey
      const known = Math.max(used.get(id) ?? 0, lastUsedAt === null ? 0 : DateTime.toEpochMillis(lastUsedAt))
      if (DateTime.toEpochMillis(now) - known < Duration.toMillis(useRecorded)) return
      if (used.size >= maxUsed) used.clear()
      used.set(id, DateTime.toEpochMillis(now))
      yield* Effect.catchDefect(
        apiKeys.used(project, id, via, DateTime.subtractDuration(now, useRecorded), now),
        (defect) => Effect.logWarning("Last use of an API key not recorded", defect)
      )
    })

    /** Refuses a key that has ended, although it is still stored or in the cache. */
    const refuseEnded = Effect.fnUntraced(function* ({ expiresAt, replacedUntil }: HeldKey) {
      const now = yield* DateTime.now
      const isOver = (time: DateTime.Utc | null) => time !== null && !DateTime.isGreaterThan(time, now)
      if (isOver(replacedUntil)) return yield* new InvalidApiKey({ reason: "unknown" })
      if (isOver(expiresAt)) return yield* new InvalidApiKey({ reason: "expired" })
    })

    const ring = ShortCache.make(lookUp)

    const authenticate = Effect.fnUntraced(function* (kind: KeyKind, key: string, via: Via = "HTTP") {
      if (key === "") return yield* new InvalidApiKey({ reason: "missing" })
      if (!form.test(key)) return yield* new InvalidApiKey({ reason: "malformed" })
      if (key.startsWith(publicPrefix) !== (kind === "public")) {
        return yield* new InvalidApiKey({ reason: kind === "secret" ? "public" : "secret" })
      }
      const found = yield* ring.get(key)
      const { apiKey } = found
      if (apiKey !== undefined) {
        yield* refuseEnded(apiKey)
        yield* recordUse({ ...found, apiKey }, via)
      }
      return found
    })

    const settle = Effect.andThen(ring.clear, ShortCache.expired)

    return { authenticate, refused, settle }
  }
)
