/** Port of the parser of X.509 certificates. */
import { Context, type DateTime } from "effect"

export interface Certificate {
  /** SubjectPublicKeyInfo, DER. */
  readonly publicKey: Uint8Array
  readonly notBefore: DateTime.Utc
  readonly notAfter: DateTime.Utc
}

/** Parses PEM. Undefined if it is not a certificate. A host without a parser refuses every message of Amazon SNS. */
export const CertificateParser = Context.Reference<(pem: string) => Certificate | undefined>(
  "@posthorn/core/mail/receivers/CertificateParser",
  { defaultValue: () => () => undefined }
)
