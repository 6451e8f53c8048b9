/** A new self-signed certificate (RFC 5280), so that the repository contains no private key. */
import { generateKeyPairSync, sign } from "node:crypto"
import { isIPv4 } from "node:net"

export interface Certificate {
  /** PEM. */
  readonly key: string
  /** PEM. It is its own certificate authority. */
  readonly cert: string
}

/** One element in DER. Lengths from 128 need bytes of their own. */
const der = (tag: number, ...content: ReadonlyArray<Uint8Array>): Buffer => {
  const value = Buffer.concat(content)
  if (value.length < 0x80) return Buffer.concat([Buffer.of(tag, value.length), value])
  const length = Buffer.from(value.length.toString(16).padStart(4, "0"), "hex")
  return Buffer.concat([Buffer.of(tag, 0x80 + length.length), length, value])
}

const sequence = (...content: ReadonlyArray<Uint8Array>) => der(0x30, ...content)
const oid = (hex: string) => der(0x06, Buffer.from(hex, "hex"))
const text = (tag: number, value: string) => der(tag, Buffer.from(value, "latin1"))

const ecdsaWithSha256 = sequence(oid("2a8648ce3d040302"))
const version3 = der(0xa0, der(0x02, Buffer.of(2)))
const serialNumber = der(0x02, Buffer.of(1))
const validity = sequence(text(0x17, "250101000000Z"), text(0x17, "491231235959Z"))
const isAuthority = sequence(oid("551d13"), der(0x01, Buffer.of(0xff)), der(0x04, sequence(der(0x01, Buffer.of(0xff)))))

const distinguishedName = (commonName: string) => sequence(der(0x31, sequence(oid("550403"), text(0x0c, commonName))))

const alternativeName = (host: string) =>
  isIPv4(host) ? der(0x87, Buffer.from(host.split(".").map(Number))) : text(0x82, host)

const pem = (bytes: Buffer) =>
  `-----BEGIN CERTIFICATE-----\n${bytes.toString("base64").replace(/.{64}/g, "$&\n")}\n-----END CERTIFICATE-----\n`

/** Valid for these host names and IPv4 addresses, until 2049. */
export const makeCertificate = (...hosts: readonly [string, ...ReadonlyArray<string>]): Certificate => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const name = distinguishedName(hosts[0])
  const alternativeNames = sequence(oid("551d11"), der(0x04, sequence(...hosts.map(alternativeName))))
  const toBeSigned = sequence(
    version3,
    serialNumber,
    ecdsaWithSha256,
    name,
    validity,
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(isAuthority, alternativeNames))
  )
  const signature = der(0x03, Buffer.of(0), sign("sha256", toBeSigned, privateKey))
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: pem(sequence(toBeSigned, ecdsaWithSha256, signature))
  }
}
