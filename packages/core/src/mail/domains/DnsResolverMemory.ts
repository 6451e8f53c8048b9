/** A DNS in memory, for tests: the zone may change at any time, and the next question sees it. */
import { Context, Effect, Layer } from "effect"
import { VerificationDns } from "../../audience/verification/VerificationDns.ts"
import {
  bothFamilies,
  type DnsAnswer,
  DnsResolver,
  type DnsTrouble,
  DnsUnavailable,
  type MailExchange,
  type RecordType
} from "../../platform/dns/DnsResolver.ts"
import type { RecordToPublish } from "./DomainRecords.ts"

export interface ZoneName {
  readonly txt?: ReadonlyArray<string>
  readonly mx?: ReadonlyArray<MailExchange>
  readonly a?: ReadonlyArray<string>
  readonly aaaa?: ReadonlyArray<string>
  readonly ptr?: ReadonlyArray<string>
  /** The name is an alias, so other records here have no effect. */
  readonly cname?: string
  /** Questions for the name end like this. */
  readonly trouble?: Exclude<DnsTrouble, "unreachable" | "other">
  /** For these types only; default: for all. */
  readonly troubled?: ReadonlyArray<RecordType>
}

/** By name: lower case, without the final dot. */
export type Zone = Map<string, ZoneName>

/** Does what a domain's owner does: adds the records to the zone, beside those that are there. */
export const publish = (zone: Zone, records: ReadonlyArray<RecordToPublish>): void => {
  for (const { type, name, value } of records) {
    const there = zone.get(name) ?? {}
    const [priority, exchange = ""] = value.split(" ")
    zone.set(
      name,
      type === "CNAME"
        ? { ...there, cname: value }
        : type === "TXT"
          ? { ...there, txt: [...(there.txt ?? []), value] }
          : { ...there, mx: [...(there.mx ?? []), { priority: Number(priority), exchange }] }
    )
  }
}

const keyOf = (name: string): string => name.toLowerCase().replace(/\.$/, "")

/** Where the CNAME of a name points. */
export const aliasOf = (zone: Zone, name: string): string | undefined => zone.get(keyOf(name))?.cname

/** The entry that answers for a name, at the end of its CNAMEs; a loop of them is a failure (RFC 1034 3.6.2). */
export const entryOf = (zone: Zone, name: string, hops = 0): ZoneName | undefined => {
  const target = aliasOf(zone, name)
  if (target !== undefined) return hops < 8 ? entryOf(zone, target, hops + 1) : { trouble: "server_failure" }
  const key = keyOf(name)
  return zone.get(key) ?? ([...zone.keys()].some((below) => below.endsWith(`.${key}`)) ? {} : undefined)
}

/** How a question for a type ends at an entry, unless it is answered. */
export const troubleOf = (entry: ZoneName | undefined, type: RecordType): ZoneName["trouble"] =>
  (entry?.troubled ?? [type]).includes(type) ? entry?.trouble : undefined

export const layerMemory = (zone: Zone): Layer.Layer<DnsResolver | VerificationDns> => {
  const ask =
    <A>(type: RecordType, values: (entry: ZoneName) => ReadonlyArray<A> | undefined) =>
    (name: string): Effect.Effect<DnsAnswer<A>, DnsUnavailable> =>
      Effect.suspend(() => {
        const entry = entryOf(zone, name)
        const reason = troubleOf(entry, type)
        if (reason) return new DnsUnavailable({ type, name, reason })
        return Effect.succeed({ nameExists: entry !== undefined, values: (entry && values(entry)) ?? [] })
      })

  const resolver = DnsResolver.of({
    txt: ask("TXT", (entry) => entry.txt),
    mx: ask("MX", (entry) => entry.mx),
    cname: (name) =>
      Effect.suspend(() => {
        const alias = aliasOf(zone, name)
        if (alias !== undefined) return Effect.succeed({ nameExists: true, values: [alias] })
        return ask<string>("CNAME", () => [])(name)
      }),
    ptr: ask("PTR", (entry) => entry.ptr),
    address: (name) => bothFamilies(ask("A", (entry) => entry.a)(name), ask("AAAA", (entry) => entry.aaaa)(name))
  })
  return Layer.succeedContext(Context.make(DnsResolver, resolver).pipe(Context.add(VerificationDns, resolver)))
}
