/** Private keys, each parsed once: RSA signing with a key from PEM runs at half the rate. */

import { createPrivateKey, type KeyObject } from "node:crypto"
import { CannotCompose, type DkimKey } from "@posthorn/core/platform/Mailer"
import { Effect, Redacted } from "effect"

/** RFC 8301 section 3.2: a shorter key must not sign. */
const shortestRsaKey = 1024

const fault = (algorithm: DkimKey["algorithm"], key: KeyObject): string | undefined => {
  const wanted = algorithm === "rsa-sha256" ? "rsa" : "ed25519"
  if (key.asymmetricKeyType !== wanted) return `is not an ${wanted} key`
  const bits = key.asymmetricKeyDetails?.modulusLength
  return bits !== undefined && bits < shortestRsaKey
    ? `has ${bits} bits; at least ${shortestRsaKey} are required`
    : undefined
}

/**
 * The parsed key, or the reason why it cannot sign. In that case every message of its domain fails, so that none is
 * sent unsigned. At most `capacity` keys are kept; the oldest is dropped first.
 */
export const makeCache = (capacity: number) => {
  const parsed = new Map<string, KeyObject>()

  const parse = (pem: string): KeyObject => {
    const known = parsed.get(pem)
    if (known !== undefined) return known
    const key = createPrivateKey(pem)
    const [oldest] = parsed.keys()
    if (parsed.size >= capacity && oldest !== undefined) parsed.delete(oldest)
    parsed.set(pem, key)
    return key
  }

  return Effect.fnUntraced(function* ({ algorithm, domain, privateKey, selector }: DkimKey) {
    const refuse = (reason: string) =>
      new CannotCompose({ message: `The DKIM key ${selector}._domainkey.${domain} ${reason}` })
    const key = yield* Effect.try({
      try: () => parse(Redacted.value(privateKey)),
      catch: () => refuse("is not a private key in PEM format")
    })
    const reason = fault(algorithm, key)
    if (reason !== undefined) return yield* refuse(reason)
    return key
  })
}
