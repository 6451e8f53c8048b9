/**
 * Finds the project of an API key. A process has one, in `Projects`.
 *
 * A process caches a key that it found for one second of its monotonic clock, counted from before the lookup. A call
 * that changes a key or disables a project waits that long after the commit before it returns. So no process accepts an
 * old key after the change was answered, and a busy key costs one query a second.
 */
import { InvalidApiKey } from "@posthorn/contract/platform/Auth"
import { Effect, Option } from "effect"
import { Digest } from "effect/crypto"
import * as ClientLimit from "../../platform/http/ClientLimit.ts"
import { Settings } from "../../platform/Settings.ts"
import * as ShortCache from "../../platform/ShortCache.ts"
import { type ProjectStanding, ProjectStore } from "./ProjectStore.ts"

/** Wrong keys from one client in any 60 seconds. A correct key is still accepted after them. */
export const mostRefused = 60

export type KeyKind = "secret" | "public"

const prefixes = { secret: "sk_", public: "pk_" } as const
const form = /^[sp]k_[\w-]{43}$/

/** SHA-256, hexadecimal. Only this hash of a secret key is stored. */
export const hashKey = (key: string): Effect.Effect<string, never, Digest.Digest> =>
  Digest.Digest.use((digest) => Effect.orDie(digest.digestHex(Digest.sha256, new TextEncoder().encode(key))))

export interface ApiKeyCache {
  readonly authenticate: (kind: KeyKind, key: string) => Effect.Effect<ProjectStanding, InvalidApiKey>
  /**
   * Counts a 401 response against a client, in this process. Returns the seconds to wait when the client had too many
   * in a minute. Always none where requests are not limited.
   */
  readonly refused: (client: string) => Effect.Effect<Option.Option<number>>
  /** Waits until no process has an older state of a project in its cache. */
  readonly settle: Effect.Effect<void>
}

export const make: Effect.Effect<ApiKeyCache, never, ProjectStore | Digest.Digest> = Effect.gen(function* () {
  const store = yield* ProjectStore
  const digest = yield* Effect.context<Digest.Digest>()
  const { rateLimitPerMinute } = yield* Settings
  const refusals = ClientLimit.make(mostRefused)
  const refused = (client: string) => (rateLimitPerMinute === 0 ? Effect.succeedNone : refusals.take(client))

  const lookUp = Effect.fnUntraced(function* (key: string) {
    const project = key.startsWith(prefixes.public)
      ? yield* store.findByPublicKey(key)
      : yield* store.findBySecretHash(yield* Effect.provideContext(hashKey(key), digest))
    return Option.isSome(project) ? project.value : yield* new InvalidApiKey({ reason: "unknown" })
  })

  const ring = ShortCache.make(lookUp)

  const authenticate = Effect.fnUntraced(function* (kind: KeyKind, key: string) {
    if (key === "") return yield* new InvalidApiKey({ reason: "missing" })
    if (!form.test(key)) return yield* new InvalidApiKey({ reason: "malformed" })
    if (!key.startsWith(prefixes[kind])) {
      return yield* new InvalidApiKey({ reason: kind === "secret" ? "public" : "secret" })
    }
    return yield* ring.get(key)
  })

  const settle = Effect.andThen(ring.clear, ShortCache.expired)

  return { authenticate, refused, settle }
})
