/** Hashes and compares the passwords of logins. Make it once in a process: it limits how many hashes run at once. */
import { Effect, Redacted, Semaphore } from "effect"
import { SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { Overloaded } from "../../platform/http/Overloaded.ts"
import { PasswordHash } from "./PasswordHash.ts"

/** Each hash needs 19 MiB and a thread. The limit leaves threads for other work. */
const atOnce = 2

/**
 * Requests that may be under way with a password, waiting for a hash or for its statements. More than that get 503, so
 * that logins from many networks take few of the places that all requests share.
 */
export const longestLine = 40

/** Longer texts are refused without hashing. In UTF-16 units. */
const longestGiven = 1_000

export interface Passwords {
  /** Runs a request that needs a hash. Dies with `Overloaded`, before anything runs, when `longestLine` others run. */
  readonly inLine: <A, E, R>(request: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  readonly hash: (password: Redacted.Redacted<string>) => Effect.Effect<string>
  /**
   * Takes the same time for an account without a password and for an unknown account (both null), and is then false.
   */
  readonly matches: (hash: string | null, password: Redacted.Redacted<string>) => Effect.Effect<boolean>
  readonly isOutdated: (hash: string) => boolean
}

export const make: Effect.Effect<Passwords, never, PasswordHash | SecureRandom.SecureRandom> = Effect.gen(function* () {
  const passwords = yield* PasswordHash
  const random = yield* SecureRandom.SecureRandom
  const { withPermit } = Semaphore.makeUnsafe(atOnce)

  let line = 0
  const leave = Effect.sync(() => line--)

  const inLine = <A, E, R>(request: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.suspend(() => {
      if (line >= longestLine) return Effect.die(new Overloaded({ what: "requests with a password" }))
      line++
      return Effect.ensuring(request, leave)
    })

  const hash = (password: Redacted.Redacted<string>) => withPermit(passwords.hash(password))

  /** The hash of a random password, to compare with when there is none. */
  const noPassword = yield* Effect.cached(
    Effect.flatMap(random.randomBytes(32), (bytes) => hash(Redacted.make(Base64Url.encode(bytes))))
  )

  const matches = Effect.fn("Passwords.matches")(function* (stored: string | null, given: Redacted.Redacted<string>) {
    const fallback = yield* noPassword
    const usable = stored !== null && Redacted.value(given).length <= longestGiven
    const password = Redacted.value(given).length <= longestGiven ? given : Redacted.make("too long")
    const matched = yield* withPermit(passwords.verify(usable ? stored : fallback, password))
    return usable && matched
  })

  return { inLine, hash, matches, isOutdated: passwords.isOutdated }
})
