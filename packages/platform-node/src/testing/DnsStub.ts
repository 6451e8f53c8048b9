/** A recursive DNS server for tests, on UDP and TCP of one port of 127.0.0.1. Its zone may change while it runs. */

import { createSocket } from "node:dgram"
import { once } from "node:events"
import { createServer, type Socket } from "node:net"
import { aliasOf, entryOf, troubleOf, type Zone, type ZoneName } from "@posthorn/core/mail/domains/DnsResolverMemory"
import type { RecordType } from "@posthorn/core/platform/dns/DnsResolver"
import { Effect, type Scope } from "effect"
import {
  codes,
  ipv4Data,
  ipv6Data,
  mxData,
  nameData,
  type Query,
  type ResourceRecord,
  readQuery,
  txtData,
  writeResponse
} from "./DnsMessage.ts"

export interface DnsStub {
  /** `127.0.0.1:port`, as `POSTHORN_DNS_SERVERS` takes it. */
  readonly address: string
  readonly zone: Zone
  /** Every query so far, including unanswered ones, as `TXT name over udp`. */
  readonly queries: Array<string>
  readonly close: () => Promise<void>
}

/** Starts the server. It does not answer a name with `timeout` in the zone. A long answer uses TCP. */
const startDnsStub = async (zone: Zone = new Map()): Promise<DnsStub> => {
  const queries: Array<string> = []
  const respond = (message: Buffer, transport: "udp" | "tcp"): Buffer | undefined => {
    const query = readQuery(message)
    queries.push(`${query.type} ${query.name} over ${transport}`)
    return answer(zone, query, transport)
  }

  const connections = new Set<Socket>()
  const tcp = createServer((connection) => {
    connections.add(connection.on("close", () => connections.delete(connection)).on("error", () => {}))
    let received = Buffer.alloc(0)
    connection.on("data", (chunk: Buffer) => {
      received = Buffer.concat([received, chunk])
      while (received.length >= 2 && received.length >= 2 + received.readUInt16BE(0)) {
        const end = 2 + received.readUInt16BE(0)
        const response = respond(received.subarray(2, end), "tcp")
        received = received.subarray(end)
        if (response)
          connection.write(Buffer.concat([Buffer.of(response.length >> 8, response.length & 0xff), response]))
      }
    })
  })
  const udp = createSocket("udp4", (message, { address, port }) => {
    const response = respond(message, "udp")
    if (response) udp.send(response, port, address)
  })
  const close = async () => {
    for (const connection of connections) connection.destroy()
    await Promise.all([new Promise((done) => tcp.close(done)), new Promise<void>((done) => udp.close(done))])
  }

  /** A port that is free for TCP may be in use for UDP. */
  const listen = async (): Promise<number> => {
    await once(tcp.listen(0, "127.0.0.1"), "listening")
    const bound = tcp.address()
    const port = bound !== null && typeof bound === "object" ? bound.port : 0
    const isFree = await once(udp.bind(port, "127.0.0.1"), "listening").then(
      () => true,
      () => false
    )
    if (isFree) return port
    await new Promise((done) => tcp.close(done))
    return listen()
  }
  return { address: `127.0.0.1:${await listen()}`, zone, queries, close }
}

/** Runs the server for as long as the scope is open. */
export const dnsStub = (zone?: Zone): Effect.Effect<DnsStub, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(() => startDnsStub(zone)),
    (stub) => Effect.promise(stub.close)
  )

const answer = (zone: Zone, query: Query, transport: "udp" | "tcp"): Buffer | undefined => {
  const entry = entryOf(zone, query.name)
  const isAlias = query.type === "CNAME" && aliasOf(zone, query.name) !== undefined
  const code = entry || isAlias ? codes.NOERROR : codes.NXDOMAIN
  if (query.type === undefined) return writeResponse(query, code, [])

  const trouble = troubleOf(entry, query.type)
  if (trouble === "timeout") return
  if (trouble) return writeResponse(query, trouble === "refused" ? codes.REFUSED : codes.SERVFAIL, [])

  const records = recordsOf(zone, query.name, query.type, entry)
  const whole = writeResponse(query, code, records)
  return transport === "tcp" || whole.length <= query.maxSize ? whole : writeResponse(query, code, records, true)
}

/** The CNAMEs from the name to its entry, and the entry's records of the type. The CNAMEs must not form a loop. */
const recordsOf = (zone: Zone, name: string, type: RecordType, entry: ZoneName = {}): ReadonlyArray<ResourceRecord> => {
  const target = aliasOf(zone, name)
  if (target !== undefined && type === "CNAME") return [{ name, type, data: nameData(target) }]
  if (target === undefined) return dataOf(entry, type).map((data) => ({ name, type, data }))
  return [{ name, type: "CNAME", data: nameData(target) }, ...recordsOf(zone, target, type, entry)]
}

const dataOf = (
  { txt = [], mx = [], a = [], aaaa = [], ptr = [] }: ZoneName,
  type: RecordType
): ReadonlyArray<Buffer> => {
  switch (type) {
    case "TXT":
      return txt.map(txtData)
    case "MX":
      return mx.map(mxData)
    case "A":
      return a.map(ipv4Data)
    case "AAAA":
      return aaaa.map(ipv6Data)
    case "PTR":
      return ptr.map(nameData)
    case "CNAME":
      return []
  }
}
