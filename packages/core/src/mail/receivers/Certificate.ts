/** Reads the public key and the validity of an X.509 certificate (RFC 5280 section 4.1). Pure. Parses only what it needs of DER. */
import { DateTime, Option, Result } from "effect"
import { Base64 } from "effect/encoding"

export interface Certificate {
  /** SubjectPublicKeyInfo, DER. */
  readonly publicKey: Uint8Array
  readonly notBefore: DateTime.Utc
  readonly notAfter: DateTime.Utc
}

interface Element {
  readonly tag: number
  readonly content: Uint8Array
  /** With tag and length. */
  readonly whole: Uint8Array
  readonly rest: Uint8Array
}

/** The element at the begin, of at most 64 KB. */
const element = (bytes: Uint8Array): Element | undefined => {
  const [tag, short] = bytes
  if (tag === undefined || short === undefined) return undefined
  const lengthBytes = short < 0x80 ? 0 : short & 0x7f
  if (lengthBytes > 2) return undefined
  const length =
    lengthBytes === 0 ? short : bytes.subarray(2, 2 + lengthBytes).reduce((sum, byte) => sum * 256 + byte, 0)
  const start = 2 + lengthBytes
  const end = start + length
  if (end > bytes.length) return undefined
  return { tag, content: bytes.subarray(start, end), whole: bytes.subarray(0, end), rest: bytes.subarray(end) }
}

const elements = (bytes: Uint8Array): ReadonlyArray<Element> => {
  const found: Array<Element> = []
  for (let next = element(bytes); next !== undefined; next = element(next.rest)) found.push(next)
  return found
}

const sequence = 0x30
const utcTime = 0x17
const generalizedTime = 0x18
const explicitVersion = 0xa0

/** `YYMMDDHHMMSSZ`, of 1950 to 2049, or with four digits for the year. */
const time = ({ tag, content }: Element): Option.Option<DateTime.Utc> => {
  const text = new TextDecoder().decode(content)
  const full = tag === utcTime ? `${Number(text.slice(0, 2)) < 50 ? "20" : "19"}${text}` : text
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(full)
  if (parts === null || (tag !== utcTime && tag !== generalizedTime)) return Option.none()
  const [, year, month, day, hour, minute, second] = parts
  return Option.map(DateTime.make(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`), DateTime.toUtc)
}

/** Parses PEM. Undefined if it is not a certificate. */
export const parseCertificate = (pem: string): Certificate | undefined => {
  const base64 = /-----BEGIN CERTIFICATE-----([\sA-Za-z0-9+/=]+)-----END CERTIFICATE-----/.exec(pem)?.[1]
  if (base64 === undefined) return undefined
  const der = Base64.decode(base64.replace(/\s+/g, ""))
  const outer = Result.isSuccess(der) ? element(der.success) : undefined
  const inner = outer && element(outer.content)
  if (inner?.tag !== sequence) return undefined
  const fields = elements(inner.content)
  // serialNumber, signature, issuer, validity, subject, subjectPublicKeyInfo
  const [, , , validity, , publicKey] = fields[0]?.tag === explicitVersion ? fields.slice(1) : fields
  const [notBefore, notAfter] = (validity ? elements(validity.content) : []).map(time)
  if (publicKey?.tag !== sequence || !notBefore || !notAfter) return undefined
  if (Option.isNone(notBefore) || Option.isNone(notAfter)) return undefined
  return { publicKey: publicKey.whole, notBefore: notBefore.value, notAfter: notAfter.value }
}
