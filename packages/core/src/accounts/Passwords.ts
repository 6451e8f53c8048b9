/** Passwords are hashed and compared here, and nowhere else (contract-2 9.2). */
import { Context, Effect, Layer, Redacted, Semaphore } from "effect"
import { SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { PasswordHash } from "./PasswordHash.ts"

/** Each takes 19 MiB and a thread for a while: logins must not starve everything else. */
const atOnce = 2

/** Nobody's password is longer; hashing a longer text would only take time. In UTF-16 units. */
const longestGiven = 1_000

export class Passwords extends Context.Service<
  Passwords,
  {
    readonly hash: (password: Redacted.Redacted<string>) => Effect.Effect<string>
    /** The same work for an account that is not there or has no password (null): it is wrong then. */
    readonly matches: (hash: string | null, password: Redacted.Redacted<string>) => Effect.Effect<boolean>
    readonly isOutdated: (hash: string) => boolean
  }
>()("@posthorn/core/accounts/Passwords") {}

export const layer: Layer.Layer<Passwords, never, PasswordHash | SecureRandom.SecureRandom> = Layer.effect(
  Passwords,
  Effect.gen(function* () {
    const passwords = yield* PasswordHash
    const random = yield* SecureRandom.SecureRandom
    const { withPermit } = Semaphore.makeUnsafe(atOnce)

    const hash = (password: Redacted.Redacted<string>) => withPermit(passwords.hash(password))

    /** Of a password that nobody knows. */
    const nobodys = yield* Effect.cached(
      Effect.flatMap(random.randomBytes(32), (bytes) => hash(Redacted.make(Base64Url.encode(bytes))))
    )

    const matches = Effect.fn("Passwords.matches")(function* (stored: string | null, given: Redacted.Redacted<string>) {
      const fallback = yield* nobodys
      const usable = stored !== null && Redacted.value(given).length <= longestGiven
      const password = Redacted.value(given).length <= longestGiven ? given : Redacted.make("too long")
      const matched = yield* withPermit(passwords.verify(usable ? stored : fallback, password))
      return usable && matched
    })

    return Passwords.of({ hash, matches, isOutdated: passwords.isOutdated })
  })
)
