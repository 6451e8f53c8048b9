import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { KeyFormat, Signature } from "effect/crypto"
import { Base64 } from "effect/encoding"
import { CannotOpen } from "../../platform/SecretBox.ts"
import { boxUnder } from "../../testing/Services.ts"
import { makeKeyPairs, openKeys } from "./DkimKeys.ts"

const [old, next] = ["0123456789abcdef0123456789abcdef", "fedcba9876543210fedcba9876543210"]
const domain = { id: "domain-1", domain: "mail.acme.test" }
const message = new TextEncoder().encode("a message")

layer(boxUnder(old))("DkimKeys", (it) => {
  it.effect("creates a selector, an RSA-2048 key as SubjectPublicKeyInfo and an Ed25519 key of 32 bytes", () =>
    Effect.gen(function* () {
      const keys = yield* makeKeyPairs(domain.id)
      assert.match(keys.selector, /^ph[a-z0-9]{6}$/)
      const spki = yield* Effect.fromResult(Base64.decode(keys.rsaPublicKey))
      const rsa = yield* KeyFormat.decodePublic(KeyFormat.spki, Signature.rsaPkcs1v15Sha256, spki)
      assert.strictEqual(rsa.algorithm.modulusLength, 2048)
      assert.lengthOf(yield* Effect.fromResult(Base64.decode(keys.ed25519PublicKey)), 32)
    })
  )

  it.effect("the published keys verify signatures of the private keys", () =>
    Effect.gen(function* () {
      const { sign, verify } = yield* Signature.Signature
      const keys = yield* makeKeyPairs(domain.id)
      const [rsa, ed25519, ...more] = yield* openKeys({ ...domain, ...keys })
      assert.deepStrictEqual(more, [])
      assert.deepInclude(rsa, { domain: "mail.acme.test", selector: keys.selector, algorithm: "rsa-sha256" })
      assert.deepInclude(ed25519, {
        domain: "mail.acme.test",
        selector: `${keys.selector}e`,
        algorithm: "ed25519-sha256"
      })
      if (rsa === undefined || ed25519 === undefined) return

      const pem = KeyFormat.pem(KeyFormat.pkcs8)
      const rsaKey = yield* KeyFormat.decodePrivate(pem, Signature.rsaPkcs1v15Sha256, Redacted.value(rsa.privateKey))
      const spki = yield* Effect.fromResult(Base64.decode(keys.rsaPublicKey))
      const rsaPublic = yield* KeyFormat.decodePublic(KeyFormat.spki, Signature.rsaPkcs1v15Sha256, spki)
      assert.isTrue(yield* verify(rsaPublic, yield* sign(rsaKey, message), message))

      const edKey = yield* KeyFormat.decodePrivate(pem, Signature.ed25519, Redacted.value(ed25519.privateKey))
      const raw = yield* Effect.fromResult(Base64.decode(keys.ed25519PublicKey))
      const edPublic = yield* Signature.publicKey(Signature.ed25519, raw)
      assert.isTrue(yield* verify(edPublic, yield* sign(edKey, message), message))
    })
  )

  it.effect("two domains never get the same keys, and private keys are stored encrypted", () =>
    Effect.gen(function* () {
      const [a, b] = [yield* makeKeyPairs("domain-1"), yield* makeKeyPairs("domain-1")]
      for (const column of [
        "selector",
        "rsaPublicKey",
        "rsaPrivateKey",
        "ed25519PublicKey",
        "ed25519PrivateKey"
      ] as const) {
        assert.notStrictEqual(a[column], b[column])
      }
      assert.notInclude(JSON.stringify(a), "PRIVATE KEY")
    })
  )

  it.effect("keys that are moved to another domain, or exchanged, do not sign", () =>
    Effect.gen(function* () {
      const keys = yield* makeKeyPairs(domain.id)
      const swapped = { ...keys, rsaPrivateKey: keys.ed25519PrivateKey, ed25519PrivateKey: keys.rsaPrivateKey }
      for (const stolen of [
        { ...domain, ...keys, id: "domain-2" },
        { ...domain, ...swapped }
      ]) {
        assert.instanceOf(yield* Effect.flip(openKeys(stolen)), CannotOpen)
      }
    })
  )

  it.effect("keys of a previous secret still sign", () =>
    Effect.gen(function* () {
      const keys = yield* makeKeyPairs(domain.id)
      const signing = yield* openKeys({ ...domain, ...keys }).pipe(
        Effect.provide(boxUnder(next, "a secret between of thirty-two bytes", old), { local: true })
      )
      assert.lengthOf(signing, 2)
    })
  )
})
