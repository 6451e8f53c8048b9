/** IP addresses as numbers. Pure. */

export interface IpAddress {
  readonly version: 4 | 6
  readonly bits: bigint
}

const octet = /^(?:0|[1-9]\d{0,2})$/

export const parse4 = (text: string): bigint | undefined => {
  const parts = text.split(".")
  if (parts.length !== 4 || !parts.every((part) => octet.test(part) && Number(part) < 256)) return undefined
  return parts.reduce((bits, part) => (bits << 8n) | BigInt(part), 0n)
}

/** RFC 4291 2.2, with or without an IPv4 address at the end, and without a zone. */
const parse6 = (text: string): bigint | undefined => {
  const mixed = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text)
  const last = mixed && parse4(mixed[2] ?? "")
  if (last === undefined) return undefined
  const plain =
    last === null ? text : `${mixed?.[1] ?? ""}${(last >> 16n).toString(16)}:${(last & 0xffffn).toString(16)}`
  const halves = plain.split("::")
  if (halves.length > 2) return undefined
  const [head = [], tail = []] = halves.map((half) => (half === "" ? [] : half.split(":")))
  const missing = 8 - head.length - tail.length
  if (halves.length === 1 ? missing !== 0 : missing < 1) return undefined
  const groups = [...head, ...Array.from({ length: missing }, () => "0"), ...tail]
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return undefined
  return groups.reduce((bits, group) => (bits << 16n) | BigInt(`0x${group}`), 0n)
}

export const parse = (text: string): IpAddress | undefined => {
  const bits4 = parse4(text)
  if (bits4 !== undefined) return { version: 4, bits: bits4 }
  const bits6 = parse6(text)
  return bits6 === undefined ? undefined : { version: 6, bits: bits6 }
}

/** The last 32 bits as an IPv4 address. */
export const dotted = (bits: bigint): string =>
  [24n, 16n, 8n, 0n].map((shift) => String((bits >> shift) & 255n)).join(".")
