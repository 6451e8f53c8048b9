/** An authenticator in software: ES256, attestation "none" (W3C Web Authentication, 6.1 and 8.7). For tests. */
import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto"

const sha256 = (data: Uint8Array | string) => createHash("sha256").update(data).digest()
const base64url = (data: Uint8Array | string) => Buffer.from(data).toString("base64url")

export interface Options {
  readonly challenge: string
  readonly origin?: string
  readonly rpId?: string
  /** Whether the authenticator has verified its user. */
  readonly verified?: boolean
  /** The counter that it reports. Default: one more than last time. */
  readonly counter?: number
}

const flags = { present: 0x01, verified: 0x04, attested: 0x40 }

export const makeAuthenticator = () => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const { x = "", y = "" } = publicKey.export({ format: "jwk" })
  const credentialId = randomBytes(32)
  let last = 0

  const cose = Buffer.concat([
    Buffer.from("a5010203262001215820", "hex"),
    Buffer.from(x, "base64url"),
    Buffer.from("225820", "hex"),
    Buffer.from(y, "base64url")
  ])

  const authenticatorData = ({ rpId = "posthorn.example", verified = true, counter }: Options, attested: boolean) => {
    last = counter ?? last + 1
    const count = Buffer.alloc(4)
    count.writeUInt32BE(last)
    const length = Buffer.alloc(2)
    length.writeUInt16BE(credentialId.length)
    const bits = flags.present | (verified ? flags.verified : 0) | (attested ? flags.attested : 0)
    const head = Buffer.concat([sha256(rpId), Buffer.from([bits]), count])
    return attested ? Buffer.concat([head, Buffer.alloc(16), length, credentialId, cose]) : head
  }

  const clientData = (type: string, { challenge, origin = "https://posthorn.example" }: Options) =>
    JSON.stringify({ type, challenge, origin, crossOrigin: false })

  const id = base64url(credentialId)
  const common = { id, rawId: id, type: "public-key", clientExtensionResults: {} }

  return {
    id,
    create: (options: Options) => {
      const data = authenticatorData(options, true)
      const length = Buffer.alloc(2)
      length.writeUInt16BE(data.length)
      // {"fmt": "none", "attStmt": {}, "authData": data} in CBOR
      const attestation = Buffer.concat([
        Buffer.from("a363666d74646e6f6e656761747453746d74a068617574684461746159", "hex"),
        length,
        data
      ])
      return {
        ...common,
        response: {
          clientDataJSON: base64url(clientData("webauthn.create", options)),
          attestationObject: base64url(attestation),
          transports: ["internal"]
        }
      }
    },
    get: (options: Options) => {
      const data = authenticatorData(options, false)
      const client = clientData("webauthn.get", options)
      const signature = sign("sha256", Buffer.concat([data, sha256(client)]), privateKey)
      return {
        ...common,
        response: {
          clientDataJSON: base64url(client),
          authenticatorData: base64url(data),
          signature: base64url(signature)
        }
      }
    }
  }
}
