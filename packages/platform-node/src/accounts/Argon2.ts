/** `PasswordHash` with argon2id (RFC 9106), on the thread pool of Node. */
import { hash, verify } from "@node-rs/argon2"
import { PasswordHash } from "@posthorn/core/accounts/people/PasswordHash"
import { Effect, Layer, Redacted } from "effect"

/** The library defaults to argon2id, version 19. Memory is in KiB: 19 MiB. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

const nfc = (password: Redacted.Redacted<string>) => Redacted.value(password).normalize("NFC")

/** `$argon2id$v=19$m=19456,t=2,p=1$<salt>$<hash>` */
const form = /^\$argon2id\$v=(\d+)\$m=(\d+),t=(\d+),p=(\d+)\$/

export const layer: Layer.Layer<PasswordHash> = Layer.succeed(PasswordHash, {
  hash: (password) => Effect.promise(() => hash(nfc(password), parameters)),
  verify: (stored, password) => Effect.promise(() => verify(stored, nfc(password)).catch(() => false)),
  isOutdated: (stored) => {
    const [, v = 0, m = 0, t = 0, p = 0] = (form.exec(stored) ?? []).map(Number)
    return v < 19 || m < parameters.memoryCost || t < parameters.timeCost || p < parameters.parallelism
  }
})
