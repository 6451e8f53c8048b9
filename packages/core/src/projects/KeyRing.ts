/**
 * From an API key to its project (contract 2).
 *
 * A key that was found is remembered for one second of the process's own monotonic clock, counted from before the
 * look-up. Whoever changes a key or disables a project waits that long after the commit before answering: so no process
 * ever lets an old key in after the change was answered, and a busy key costs one query a second.
 */
import { InvalidApiKey } from "@posthorn/contract/Auth"
import { Clock, Context, Duration, Effect, Layer, Option } from "effect"
import { Digest } from "effect/crypto"
import { type ProjectStanding, ProjectStore } from "./ProjectStore.ts"

const lifetime = Duration.seconds(1)
/** How long a process may remember what it read of a project. */
export const lifetimeNanos = Duration.toNanosUnsafe(lifetime)
/** More than a process sees in a second; beyond it the ring starts anew. */
const maxRemembered = 10_000

export type KeyKind = "secret" | "public"

const prefixes = { secret: "sk_", public: "pk_" } as const
const form = /^[sp]k_[\w-]{43}$/

/** SHA-256, hexadecimal: all that is ever stored of a secret key. */
export const hashKey = (key: string): Effect.Effect<string, never, Digest.Digest> =>
  Digest.Digest.use((digest) => Effect.orDie(digest.digestHex(Digest.sha256, new TextEncoder().encode(key))))

export class KeyRing extends Context.Service<
  KeyRing,
  {
    readonly authenticate: (kind: KeyKind, key: string) => Effect.Effect<ProjectStanding, InvalidApiKey>
    /** Waits until no process remembers what was true before now. */
    readonly settle: Effect.Effect<void>
  }
>()("@posthorn/core/projects/KeyRing") {}

interface Remembered {
  readonly project: ProjectStanding
  readonly until: bigint
}

export const layer: Layer.Layer<KeyRing, never, ProjectStore | Digest.Digest> = Layer.effect(
  KeyRing,
  Effect.gen(function* () {
    const store = yield* ProjectStore
    const digest = yield* Effect.context<Digest.Digest>()
    const ring = new Map<string, Remembered>()

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

    return KeyRing.of({ authenticate, settle })
  })
)
