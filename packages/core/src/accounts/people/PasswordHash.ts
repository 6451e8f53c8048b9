/** Port of the password hash. */
import { Context, type Effect, type Redacted } from "effect"

/**
 * A port. Argon2id (RFC 9106) in PHC format, of the password in NFC: at least 19 MiB, 2 passes, 1 lane. Does not run on
 * the event loop.
 */
export class PasswordHash extends Context.Service<
  PasswordHash,
  {
    readonly hash: (password: Redacted.Redacted<string>) => Effect.Effect<string>
    /** False also for a text that is not a hash. */
    readonly verify: (hash: string, password: Redacted.Redacted<string>) => Effect.Effect<boolean>
    /** Whether the hash was made with weaker parameters than a new one. */
    readonly isOutdated: (hash: string) => boolean
  }
>()("@posthorn/core/accounts/people/PasswordHash") {}
