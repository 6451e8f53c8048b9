/**
 * Finds the project of an API key. `Projects` makes it, once in a process.
 *
 * A process caches a key that it found for one second of its monotonic clock, counted from before the lookup. A call
 * that changes a key or disables a project waits that long after the commit before it returns. So no process accepts an
 * old key after the change was answered, and a busy key costs one query a second.
 */
import { InvalidApiKey } from "@posthorn/contract/platform/Auth"
import { Clock, Duration, Effect, Option } from "effect"
import { Digest } from "effect/crypto"
import * as ClientLimit from "../../platform/http/ClientLimit.ts"
import { Settings } from "../../platform/Settings.ts"
import { type ProjectStanding, ProjectStore } from "./ProjectStore.ts"

const lifetime = Duration.seconds(1)
/** How long a process may cache what it has read of a project. */
export const lifetimeNanos = Duration.toNanosUnsafe(lifetime)
/** More than a process sees in a second. Beyond it the cache is emptied. */
const maxRemembered = 10_000

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
   * Counts an answer 401 against a client, in this process. Returns the seconds to wait when the client had too many
   * in a minute. Always none where requests are not limited.
   */
  readonly refused: (client: string) => Effect.Effect<Option.Option<number>>
  /** Waits until no process has an older state of a project in its cache. */
  readonly settle: Effect.Effect<void>
}

interface Remembered {
  readonly project: ProjectStanding
  readonly until: bigint
}

export const make: Effect.Effect<ApiKeyCache, never, ProjectStore | Digest.Digest> = Effect.gen(function* () {
  const store = yield* ProjectStore
  const digest = yield* Effect.context<Digest.Digest>()
  const ring = new Map<string, Remembered>()
  const { rateLimitPerMinute } = yield* Settings
  const refusals = ClientLimit.make(mostRefused)
  const refused = (client: string) => (rateLimitPerMinute === 0 ? Effect.succeedNone : refusals.take(client))

  const lookUp = (kind: KeyKind, key: string) =>
    kind === "public"
      ? store.findByPublicKey(key)
      : Effect.flatMap(Effect.provideContext(hashKey(key), digest), store.findBySecretHash)

  const authenticate = Effect.fnUntraced(function* (kind: KeyKind, key: string) {
    const before = yield* Clock.monotonicTimeNanos
    const remembered = ring.get(key)
    if (remembered !== undefined && before < remembered.until && key.startsWith(prefixes[kind])) {
      return remembered.project
    }
    ring.delete(key)
    if (key === "") return yield* new InvalidApiKey({ reason: "missing" })
    if (!form.test(key)) return yield* new InvalidApiKey({ reason: "malformed" })
    if (!key.startsWith(prefixes[kind])) {
      return yield* new InvalidApiKey({ reason: kind === "secret" ? "public" : "secret" })
    }
    const project = yield* lookUp(kind, key)
    if (Option.isNone(project)) return yield* new InvalidApiKey({ reason: "unknown" })
    if (ring.size >= maxRemembered) ring.clear()
    ring.set(key, { project: project.value, until: before + lifetimeNanos })
    return project.value
  })

  const settle = Effect.andThen(
    Effect.sync(() => ring.clear()),
    Effect.sleep(Duration.sum(lifetime, Duration.millis(100)))
  )

  return { authenticate, refused, settle }
})
