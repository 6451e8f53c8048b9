/** The length of an RSA key in a DKIM record. */
import { Option, Result } from "effect"
import { Base64 } from "effect/encoding"
import { parseTagList } from "../TagList.ts"

interface Value {
  readonly tag: number
  readonly content: Uint8Array
}

/** The values of a DER text, one after the other (X.690 8.1). Stops at a broken one. */
const valuesOf = (bytes: Uint8Array): ReadonlyArray<Value> => {
  const values: Array<Value> = []
  let at = 0
  while (at + 2 <= bytes.length) {
    const tag = bytes[at] ?? 0
    const first = bytes[at + 1] ?? 0
    const more = first < 128 ? 0 : first & 127
    if (more > 3) break
    let length = more === 0 ? first : 0
    for (let n = 0; n < more; n++) length = length * 256 + (bytes[at + 2 + n] ?? 0)
    const from = at + 2 + more
    if (from + length > bytes.length) break
    values.push({ tag, content: bytes.subarray(from, from + length) })
    at = from + length
  }
  return values
}

const [integer, bitString, sequence] = [0x02, 0x03, 0x30]

const inside = (values: ReadonlyArray<Value>, tag: number) => values.find((value) => value.tag === tag)?.content

/** The bits of the modulus. The key is a SubjectPublicKeyInfo, or an RSAPublicKey alone (RFC 6376 3.6.1). */
const bitsOf = (der: Uint8Array): number | undefined => {
  const outer = valuesOf(inside(valuesOf(der), sequence) ?? new Uint8Array())
  const wrapped = inside(outer, bitString)?.subarray(1)
  const key = wrapped === undefined ? outer : valuesOf(inside(valuesOf(wrapped), sequence) ?? new Uint8Array())
  const modulus = inside(key, integer)
  if (modulus === undefined) return undefined
  const start = modulus.findIndex((byte) => byte !== 0)
  if (start < 0) return undefined
  return (modulus.length - start) * 8 - Math.clz32(modulus[start] ?? 0) + 24
}

/** Undefined if the record has no RSA key. */
export const rsaKeyBits = (record: string): number | undefined => {
  const { tags } = parseTagList(record)
  if ((tags.get("k") ?? "rsa") !== "rsa") return undefined
  const der = Option.getOrUndefined(Result.getSuccess(Base64.decode((tags.get("p") ?? "").replace(/[ \t\r\n]/g, ""))))
  return der === undefined ? undefined : bitsOf(der)
}
