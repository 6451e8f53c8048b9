/** HMAC with key objects that are created once. To create one for each tag costs eight times as much as the tag. */
import { createHmac, createSecretKey, type KeyObject } from "node:crypto"
import { Layer } from "effect"
import { Mac, SecureRandom } from "effect/crypto"

const algorithms = { MD5: "md5", "SHA-1": "sha1", "SHA-256": "sha256", "SHA-384": "sha384", "SHA-512": "sha512" }

/** Kept as long as something references the bytes of the key. */
const known = new WeakMap<Uint8Array, KeyObject>()

const keyOf = (bytes: Uint8Array): KeyObject => {
  const found = known.get(bytes)
  if (found !== undefined) return found
  const key = createSecretKey(bytes)
  known.set(bytes, key)
  return key
}

export const layer: Layer.Layer<Mac.Mac> = Layer.provide(
  Mac.layerWebCryptoWith({
    hmac: (hash, key, data) => createHmac(algorithms[hash], keyOf(key)).update(data).digest()
  }),
  SecureRandom.layerWebCrypto
)
