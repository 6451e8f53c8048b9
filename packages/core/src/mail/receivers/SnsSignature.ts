/** Verifies the signature of a message of Amazon SNS (signature versions 1 and 2). */
import { Cache, Data, DateTime, Duration, Effect, Result } from "effect"
import { Digest, KeyFormat, Signature } from "effect/crypto"
import { Base64 } from "effect/encoding"
import { SafeFetch } from "../../platform/outbound/SafeFetch.ts"
import { type Certificate, CertificateParser } from "./Certificate.ts"
import { certificateUrl, type SnsMessage, stringToSign } from "./SnsMessage.ts"

export interface SnsSignature {
  /** False if the signature is wrong or the certificate is not from SNS. */
  readonly isRight: (message: SnsMessage) => Effect.Effect<boolean>
}

/** The certificate cannot be fetched or parsed. */
class NoCertificate extends Data.TaggedError("NoCertificate") {}

const hashes = { "1": Digest.sha1, "2": Digest.sha256 } as const
const certificateLifetime = Duration.hours(24)
const timeout = Duration.seconds(10)

const isCurrent = ({ notBefore, notAfter }: Certificate, now: DateTime.Utc): boolean =>
  DateTime.between(now, { minimum: notBefore, maximum: notAfter })

export const make: Effect.Effect<SnsSignature, never, SafeFetch | Signature.Signature> = Effect.gen(function* () {
  const { request } = yield* SafeFetch
  const parseCertificate = yield* CertificateParser
  const signatures = yield* Signature.Signature

  const fetchCertificate = Effect.fn("SnsSignature.certificate")(
    function* (url: string) {
      const { status, body } = yield* request({ method: "GET", url, timeout })
      const certificate = status === 200 ? parseCertificate(new TextDecoder().decode(body)) : undefined
      return certificate === undefined ? yield* new NoCertificate() : certificate
    },
    Effect.tapError((error) => Effect.logWarning("No certificate for a message of SNS", { reason: error._tag }))
  )
  // A failed fetch is not cached: the next message repeats it.
  const certificates = yield* Cache.makeWith(fetchCertificate, {
    capacity: 20,
    timeToLive: (exit) => (exit._tag === "Success" ? certificateLifetime : Duration.zero)
  })

  const isRight = Effect.fn("SnsSignature.isRight")(
    function* (message: SnsMessage) {
      const url = certificateUrl(message.SigningCertURL)
      const signature = Base64.decode(message.Signature)
      if (url === undefined || Result.isFailure(signature)) return false
      const certificate = yield* Cache.get(certificates, url)
      if (!isCurrent(certificate, yield* DateTime.now)) return false
      const algorithm = Signature.rsaPkcs1v15({ hash: hashes[message.SignatureVersion], modulusLength: 2048 })
      const key = yield* KeyFormat.decodePublic(KeyFormat.spki, algorithm, certificate.publicKey)
      return yield* signatures.verify(key, signature.success, new TextEncoder().encode(stringToSign(message)))
    },
    Effect.orElseSucceed(() => false)
  )

  return { isRight }
})
