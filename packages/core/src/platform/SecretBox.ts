/**
 * Encrypts secrets that are stored. The key derives from the installation's secret, for one purpose and one owner.
 *
 * A sealed text is base64url of: version (1 byte, 1), key id (4), nonce (12), ciphertext and tag of AES-256-GCM. The
 * key and its id come from HKDF-SHA-256 of the secret (RFC 5869), a different pair for each purpose. Random nonces of
 * 12 bytes allow 2^32 seals of one purpose.
 */
import { Context, Data, Effect, Equal, Layer, Option, Redacted } from "effect"
import { Aead, Kdf, SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { Secrets } from "./Secrets.ts"

/**
 * The purpose and owner of a sealed text. They are authenticated but not part of the sealed text: it does not open
 * under another label.
 */
export interface Label {
  /** The purpose of the secret, such as `dkim`. */
  readonly purpose: string
  /** The owner, and which of the owner's secrets it is: `<domain id>/rsa`. */
  readonly owner: string
}

/** The text was changed or cut, has another label, or was sealed with a secret that is not configured. */
export class CannotOpen extends Data.TaggedError("CannotOpen")<{ readonly label: Label }> {
  override readonly message =
    `The ${this.label.purpose} secret of ${this.label.owner} does not open. ` +
    "Was POSTHORN_SECRET changed without POSTHORN_SECRET_PREVIOUS?"
}

/** A service: all areas that store secrets call it. */
export class SecretBox extends Context.Service<
  SecretBox,
  {
    /** Always uses the current secret. */
    readonly seal: (label: Label, plaintext: Redacted.Redacted<string>) => Effect.Effect<string>
    /** Opens texts of the current secret and of previous ones. */
    readonly open: (label: Label, sealed: string) => Effect.Effect<Redacted.Redacted<string>, CannotOpen>
    /**
     * The text sealed with the current secret, if a previous one sealed it. Renew all texts before you remove a
     * previous secret.
     */
    readonly renew: (label: Label, sealed: string) => Effect.Effect<Option.Option<string>, CannotOpen>
    /** The first characters of the sealed texts of a purpose for each secret, the current one first. */
    readonly beginnings: (purpose: string) => Effect.Effect<readonly [current: string, ...previous: Array<string>]>
  }
>()("@posthorn/core/platform/SecretBox") {}

const version = 1
const idLength = 4
const headerLength = 1 + idLength
/** Characters of base64url that only the header determines, 6 bits each. */
const beginningLength = Math.floor((headerLength * 8) / 6)
const { keyLength, nonceLength } = Aead.aes256Gcm
const utf8 = new TextEncoder()
const fromUtf8 = new TextDecoder("utf-8", { ignoreBOM: true })

interface SealingKey {
  readonly key: Aead.Key
  /** Version and key id: the first bytes of every sealed text. */
  readonly header: Uint8Array
}

export const layer: Layer.Layer<SecretBox, never, Aead.Aead | Kdf.Kdf | SecureRandom.SecureRandom | Secrets> =
  Layer.effect(
    SecretBox,
    Effect.gen(function* () {
      const aead = yield* Aead.Aead
      const kdf = yield* Kdf.Kdf
      const random = yield* SecureRandom.SecureRandom
      const { current, previous } = yield* Secrets

      const keyOf = Effect.fnUntraced(function* (secret: Redacted.Redacted<string>, purpose: string) {
        const derived = yield* kdf.derive(Kdf.hkdfSha256, utf8.encode(Redacted.value(secret)), {
          salt: new Uint8Array(),
          info: utf8.encode(`posthorn/sealed/${purpose}`),
          length: keyLength + idLength
        })
        const key = yield* Aead.key(Aead.aes256Gcm, derived.subarray(0, keyLength))
        return { key, header: Uint8Array.of(version, ...derived.subarray(keyLength)) } satisfies SealingKey
      }, Effect.orDie)

      const sealWith = Effect.fnUntraced(function* ({ key, header }: SealingKey, label: Label, plaintext: string) {
        const nonce = yield* random.randomBytes(nonceLength)
        const aad = authenticated(header, label)
        const ciphertext = yield* aead.encrypt(key, utf8.encode(plaintext), { nonce, aad })
        return Base64Url.encode(new Uint8Array([...header, ...nonce, ...ciphertext]))
      }, Effect.orDie)

      const openWith = Effect.fnUntraced(
        function* ({ key, header }: SealingKey, label: Label, sealed: string) {
          const bytes = yield* Effect.fromResult(Base64Url.decode(sealed))
          if (!Equal.equals(bytes.subarray(0, headerLength), header)) return yield* new CannotOpen({ label })
          const nonce = bytes.subarray(headerLength, headerLength + nonceLength)
          const ciphertext = bytes.subarray(headerLength + nonceLength)
          const plaintext = yield* aead.decrypt(key, ciphertext, { nonce, aad: authenticated(header, label) })
          return fromUtf8.decode(plaintext)
        },
        (effect, _key, label) => Effect.mapError(effect, () => new CannotOpen({ label }))
      )

      const openWithPrevious = Effect.fnUntraced(function* (label: Label, sealed: string) {
        for (const secret of previous) {
          const opened = yield* Effect.option(openWith(yield* keyOf(secret, label.purpose), label, sealed))
          if (Option.isSome(opened)) return opened.value
        }
        return yield* new CannotOpen({ label })
      })

      const seal = Effect.fn("SecretBox.seal")(function* (label: Label, plaintext: Redacted.Redacted<string>) {
        return yield* sealWith(yield* keyOf(current, label.purpose), label, Redacted.value(plaintext))
      })

      const open = Effect.fn("SecretBox.open")(function* (label: Label, sealed: string) {
        const key = yield* keyOf(current, label.purpose)
        const plaintext = yield* Effect.catch(openWith(key, label, sealed), () => openWithPrevious(label, sealed))
        return Redacted.make(plaintext)
      })

      const renew = Effect.fn("SecretBox.renew")(function* (label: Label, sealed: string) {
        const key = yield* keyOf(current, label.purpose)
        if (yield* Effect.isSuccess(openWith(key, label, sealed))) return Option.none<string>()
        return Option.some(yield* sealWith(key, label, yield* openWithPrevious(label, sealed)))
      })

      const beginningOf = (secret: Redacted.Redacted<string>, purpose: string) =>
        Effect.map(keyOf(secret, purpose), ({ header }) => Base64Url.encode(header).slice(0, beginningLength))

      const beginnings = Effect.fn("SecretBox.beginnings")(function* (purpose: string) {
        const before = yield* Effect.forEach(previous, (secret) => beginningOf(secret, purpose))
        return [yield* beginningOf(current, purpose), ...before] as const
      })

      return SecretBox.of({ seal, open, renew, beginnings })
    })
  )

/** As JSON, so that different labels give different bytes. */
const authenticated = (header: Uint8Array, { purpose, owner }: Label): Uint8Array =>
  new Uint8Array([...header, ...utf8.encode(JSON.stringify([purpose, owner]))])
