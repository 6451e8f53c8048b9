/** The keys that sign a domain's mail: RSA-2048 (RFC 6376, RFC 8301) and Ed25519 (RFC 8463). */
import { Effect, Redacted } from "effect"
import { Digest, KeyFormat, SecureRandom, Signature } from "effect/crypto"
import { Base64 } from "effect/encoding"
import type { DkimKey } from "../../platform/Mailer.ts"
import { type CannotOpen, type Label, SecretBox } from "../../platform/SecretBox.ts"
import { ed25519Selector } from "./DomainRecords.ts"

/** Two key pairs as they are stored: the public halves as `p=` values, the private ones sealed. */
export interface DkimKeyPairs {
  /** `ph` and 6 random `[a-z0-9]`; the Ed25519 key's has `e` appended. */
  readonly selector: string
  readonly rsaPublicKey: string
  readonly rsaPrivateKey: string
  readonly ed25519PublicKey: string
  readonly ed25519PrivateKey: string
}

const rsa2048 = Signature.rsaPkcs1v15({ hash: Digest.sha256, modulusLength: 2048 })
const pkcs8Pem = KeyFormat.pem(KeyFormat.pkcs8)
const selectorCharacters = "abcdefghijklmnopqrstuvwxyz0123456789"

/** Each key is sealed for its domain and algorithm, so keys cannot be swapped. */
const label = (domainId: string, algorithm: "rsa" | "ed25519"): Label => ({
  purpose: "dkim",
  owner: `${domainId}/${algorithm}`
})

/** Makes keys under a new selector, sealed for this domain. This is slow, so call it before a transaction, not in one. */
export const makeKeyPairs = Effect.fn("DkimKeys.makeKeyPairs")(function* (domainId: string) {
  const box = yield* SecretBox
  const random = yield* SecureRandom.SecureRandom
  const { generateKeyPair } = yield* Signature.Signature
  const character = Effect.map(random.intBetween(0, selectorCharacters.length, { halfOpen: true }), (index) =>
    selectorCharacters.charAt(index)
  )
  const rsa = yield* generateKeyPair(rsa2048)
  const ed25519 = yield* generateKeyPair(Signature.ed25519)
  return {
    selector: `ph${(yield* Effect.replicateEffect(character, 6)).join("")}`,
    rsaPublicKey: Base64.encode(yield* KeyFormat.encode(KeyFormat.spki, rsa.publicKey)),
    rsaPrivateKey: yield* box.seal(
      label(domainId, "rsa"),
      Redacted.make(yield* KeyFormat.encode(pkcs8Pem, rsa.privateKey))
    ),
    ed25519PublicKey: Base64.encode(yield* Signature.toBytes(ed25519.publicKey)),
    ed25519PrivateKey: yield* box.seal(
      label(domainId, "ed25519"),
      Redacted.make(yield* KeyFormat.encode(pkcs8Pem, ed25519.privateKey))
    )
  }
}, Effect.orDie)

/** The keys that sign the mail of a domain, RSA first. */
export const openKeys = Effect.fn("DkimKeys.openKeys")(function* ({
  id,
  domain,
  ...keys
}: DkimKeyPairs & { readonly id: string; readonly domain: string }): Effect.fn.Return<
  ReadonlyArray<DkimKey>,
  CannotOpen,
  SecretBox
> {
  const box = yield* SecretBox
  const rsa = yield* box.open(label(id, "rsa"), keys.rsaPrivateKey)
  const ed25519 = yield* box.open(label(id, "ed25519"), keys.ed25519PrivateKey)
  return [
    { domain, selector: keys.selector, algorithm: "rsa-sha256", privateKey: rsa },
    { domain, selector: ed25519Selector(keys.selector), algorithm: "ed25519-sha256", privateKey: ed25519 }
  ]
})
