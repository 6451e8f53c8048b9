/** The part of the DNS message format that a test server needs (RFC 1035 4; RFC 6891 for the size of an answer). */
import type { MailExchange, RecordType } from "@posthorn/core/platform/dns/DnsResolver"

const types = { A: 1, CNAME: 5, PTR: 12, MX: 15, TXT: 16, AAAA: 28 } as const
const askable: ReadonlyArray<RecordType> = ["A", "MX", "TXT", "AAAA", "CNAME", "PTR"]

export const codes = { NOERROR: 0, SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 } as const

export interface Query {
  readonly id: number
  /** Without the final dot, in the case it was sent. */
  readonly name: string
  /** `undefined` for a type that this server has no records of. */
  readonly type: RecordType | undefined
  /** Octets that the client accepts in one datagram. */
  readonly maxSize: number
  /** The question as it was sent; the response repeats it. */
  readonly question: Buffer
}

export interface ResourceRecord {
  readonly name: string
  readonly type: keyof typeof types
  readonly data: Buffer
}

const headerLength = 12
const optType = 41

/** Reads a query with one question, with or without EDNS. */
export const readQuery = (message: Buffer): Query => {
  const labels: Array<string> = []
  let at = headerLength
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString("latin1", at + 1, at + 1 + length))
    at += 1 + length
  }
  const type = message.readUInt16BE(at + 1)
  const end = at + 5
  const hasOpt = message.readUInt16BE(10) > 0 && message.readUInt16BE(end + 1) === optType
  return {
    id: message.readUInt16BE(0),
    name: labels.join("."),
    type: askable.find((name) => types[name] === type),
    maxSize: Math.max(512, hasOpt ? message.readUInt16BE(end + 3) : 0),
    question: message.subarray(headerLength, end)
  }
}

/** A response from a server with recursion. A truncated one has no answers, so that the client tries again over TCP. */
export const writeResponse = (
  { id, question }: Query,
  code: number,
  answers: ReadonlyArray<ResourceRecord>,
  truncated = false
): Buffer => {
  const header = Buffer.alloc(headerLength)
  header.writeUInt16BE(id, 0)
  header.writeUInt16BE(0x8180 | (truncated ? 0x0200 : 0) | code, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(truncated ? 0 : answers.length, 6)
  return Buffer.concat([header, question, ...(truncated ? [] : answers.map(recordBytes))])
}

const recordBytes = ({ name, type, data }: ResourceRecord): Buffer => {
  const fixed = Buffer.alloc(10)
  fixed.writeUInt16BE(types[type], 0)
  fixed.writeUInt16BE(1, 2)
  fixed.writeUInt32BE(60, 4)
  fixed.writeUInt16BE(data.length, 8)
  return Buffer.concat([nameData(name), fixed, data])
}

/** The empty name is the root. */
export const nameData = (name: string): Buffer =>
  Buffer.concat([
    ...name
      .split(".")
      .filter((label) => label !== "")
      .map(lengthAndText),
    Buffer.of(0)
  ])

/** Text above 255 octets is split into several strings. */
export const txtData = (text: string): Buffer => {
  const octets = Buffer.from(text)
  const strings = Array.from({ length: Math.max(1, Math.ceil(octets.length / 255)) }, (_, i) =>
    octets.subarray(i * 255, (i + 1) * 255)
  )
  return Buffer.concat(strings.map(lengthAndText))
}

export const mxData = ({ priority, exchange }: MailExchange): Buffer => {
  const preference = Buffer.alloc(2)
  preference.writeUInt16BE(priority)
  return Buffer.concat([preference, nameData(exchange)])
}

export const ipv4Data = (address: string): Buffer => Buffer.from(address.split(".").map(Number))

export const ipv6Data = (address: string): Buffer => {
  const groups = (side: string) => (side === "" ? [] : side.split(":").map((group) => Number.parseInt(group, 16)))
  const [head = "", tail = ""] = address.split("::")
  const [before, after] = [groups(head), groups(tail)]
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => 0)
  return Buffer.from([...before, ...zeros, ...after].flatMap((group) => [group >> 8, group & 0xff]))
}

const lengthAndText = (text: string | Buffer): Buffer => {
  const octets = Buffer.from(text)
  return Buffer.concat([Buffer.of(octets.length), octets])
}
