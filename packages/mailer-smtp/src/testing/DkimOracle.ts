/**
 * Keys with their DNS records, and an independent verifier (mailauth) that reads these records instead of the network.
 */

import { generateKeyPairSync } from "node:crypto"
import type { DkimKey } from "@posthorn/core/platform/Mailer"
import { Redacted } from "effect"
import { dkimVerify } from "mailauth/lib/dkim/verify.js"

export interface PublishedKey {
  readonly key: DkimKey
  /** Name and value of the TXT record. */
  readonly name: string
  readonly record: string
}

/** A new key pair; RSA has 2048 bits. The record follows RFC 6376 section 3.6.1 and RFC 8463 section 4. */
export const publishKey = (domain: string, selector: string, algorithm: DkimKey["algorithm"]): PublishedKey => {
  const isRsa = algorithm === "rsa-sha256"
  const { privateKey, publicKey } = isRsa
    ? generateKeyPairSync("rsa", { modulusLength: 2048 })
    : generateKeyPairSync("ed25519")
  const spki = publicKey.export({ type: "spki", format: "der" })
  const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString()
  return {
    key: { domain, selector, algorithm, privateKey: Redacted.make(pem) },
    name: `${selector}._domainkey.${domain}`,
    record: `v=DKIM1; k=${isRsa ? "rsa" : "ed25519"}; p=${(isRsa ? spki : spki.subarray(-32)).toString("base64")}`
  }
}

export interface Verdict {
  readonly domain: string
  readonly selector: string
  readonly algorithm: string
  /** RFC 8601: `pass`, `fail`, `neutral`, ... */
  readonly result: string
}

/** Looks up the TXT records of a name, each as its strings. Rejects with a code of `node:dns` if there are none. */
export type TxtLookup = (name: string) => Promise<Array<Array<string>>>

/** The results of a strict receiver for each signature, from top to bottom, with keys from the lookup. */
export const verifyDkimBy = async (message: Uint8Array, lookup: TxtLookup): Promise<ReadonlyArray<Verdict>> => {
  const options = { resolver: lookup, strict: true, minBitLength: 2048 }
  const { results } = await dkimVerify(Buffer.from(message), options)
  return results.map(({ algo = "", selector = "", signingDomain = "", status }) => ({
    domain: signingDomain,
    selector,
    algorithm: algo,
    result: status.result
  }))
}

/** The same, with these keys. */
export const verifyDkim = (
  message: Uint8Array,
  published: ReadonlyArray<PublishedKey>
): Promise<ReadonlyArray<Verdict>> =>
  verifyDkimBy(message, async (name) => {
    const found = published.find((candidate) => candidate.name === name)
    if (found === undefined) throw Object.assign(new Error(`${name} does not exist`), { code: "ENOTFOUND" })
    return [[found.record]]
  })
