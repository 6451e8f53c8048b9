/** `CertificateParser` for tests, as a host provides it. */
import { X509Certificate } from "node:crypto"
import { DateTime, Layer, Option } from "effect"
import { CertificateParser } from "../mail/receivers/Certificate.ts"

const certificateIn = Option.liftThrowable((pem: string) => new X509Certificate(pem))

export const parse: typeof CertificateParser.Service = (pem) =>
  Option.getOrUndefined(
    Option.map(certificateIn(pem), ({ publicKey, validFromDate, validToDate }) => ({
      publicKey: publicKey.export({ type: "spki", format: "der" }),
      notBefore: DateTime.makeUnsafe(validFromDate),
      notAfter: DateTime.makeUnsafe(validToDate)
    }))
  )

export const layer = Layer.succeed(CertificateParser, parse)
