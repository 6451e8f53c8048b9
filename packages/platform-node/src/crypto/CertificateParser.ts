/** `CertificateParser` with the parser of OpenSSL. */
import { X509Certificate } from "node:crypto"
import { type Certificate, CertificateParser } from "@posthorn/core/mail/receivers/Certificate"
import { DateTime, Layer } from "effect"

export const parse = (pem: string): Certificate | undefined => {
  try {
    const { publicKey, validFromDate, validToDate } = new X509Certificate(pem)
    return {
      publicKey: publicKey.export({ type: "spki", format: "der" }),
      notBefore: DateTime.makeUnsafe(validFromDate),
      notAfter: DateTime.makeUnsafe(validToDate)
    }
  } catch {
    return undefined
  }
}

export const layer = Layer.succeed(CertificateParser, parse)
