/** Port for DNS queries. */
import { Context, Data, Effect, Layer, Option, Result, Semaphore } from "effect"
import { NetAddress } from "effect/net"

/** The answer of the DNS. It may have no values: NXDOMAIN when the name does not exist, "no data" when it exists. */
export interface DnsAnswer<A> {
  readonly nameExists: boolean
  readonly values: ReadonlyArray<A>
}

/** RFC 1035 3.3.9. The empty exchange is the null MX (RFC 7505): the domain accepts no mail. */
export interface MailExchange {
  readonly priority: number
  readonly exchange: string
}

export type RecordType = "TXT" | "MX" | "A" | "AAAA" | "CNAME" | "PTR"

/** Why there is no answer. Users see the sentence. */
const troubles = {
  timeout: "no answer in time",
  server_failure: "the name server failed (SERVFAIL)",
  refused: "the name server refused (REFUSED)",
  unreachable: "no name server could be reached",
  other: "the answer made no sense"
} as const
export type DnsTrouble = keyof typeof troubles

/** The DNS gave no answer. It is unknown whether the name has such records. */
export class DnsUnavailable extends Data.TaggedError("DnsUnavailable")<{
  readonly type: RecordType
  readonly name: string
  readonly reason: DnsTrouble
}> {
  override get message() {
    return `The DNS query for ${this.type} ${this.name} failed: ${troubles[this.reason]}.`
  }
}

/**
 * A port. Names are in ASCII, in any case, with or without the final dot, and need not be host names. CNAMEs are
 * followed. The resolver sets timeouts and tries. No answer is cached longer than its TTL.
 */
export class DnsResolver extends Context.Service<
  DnsResolver,
  {
    /** One value for each record: its strings joined and read as UTF-8. */
    readonly txt: (name: string) => Effect.Effect<DnsAnswer<string>, DnsUnavailable>
    readonly mx: (name: string) => Effect.Effect<DnsAnswer<MailExchange>, DnsUnavailable>
    /** The alias of the name itself, not followed further. */
    readonly cname: (name: string) => Effect.Effect<DnsAnswer<string>, DnsUnavailable>
    /** The host names of an address, which `reverseName` writes as a name. */
    readonly ptr: (name: string) => Effect.Effect<DnsAnswer<string>, DnsUnavailable>
    /** Addresses of both families. Fails when neither family gives an address and one of them did not answer. */
    readonly address: (name: string) => Effect.Effect<DnsAnswer<string>, DnsUnavailable>
  }
>()("@posthorn/core/platform/dns/DnsResolver") {}

/** The same resolver with at most this many lookups at once. The others wait. */
export const atMost = (lookups: number): Layer.Layer<DnsResolver, never, DnsResolver> =>
  Layer.effect(
    DnsResolver,
    Effect.gen(function* () {
      const resolver = yield* DnsResolver
      const { withPermit } = yield* Semaphore.make(lookups)
      return DnsResolver.of({
        txt: (name) => withPermit(resolver.txt(name)),
        mx: (name) => withPermit(resolver.mx(name)),
        cname: (name) => withPermit(resolver.cname(name)),
        ptr: (name) => withPermit(resolver.ptr(name)),
        address: (name) => withPermit(resolver.address(name))
      })
    })
  )

/** Joins the lookups of A and AAAA into one answer. Addresses of one family are sufficient. */
export const bothFamilies = Effect.fnUntraced(function* (
  v4: Effect.Effect<DnsAnswer<string>, DnsUnavailable>,
  v6: Effect.Effect<DnsAnswer<string>, DnsUnavailable>
): Effect.fn.Return<DnsAnswer<string>, DnsUnavailable> {
  const families = yield* Effect.all([Effect.result(v4), Effect.result(v6)], { concurrency: 2 })
  const values = families.flatMap((family) => (Result.isSuccess(family) ? family.success.values : []))
  if (values.length > 0) return { nameExists: true, values }
  const answers = yield* Effect.all(families.map(Effect.fromResult))
  return { nameExists: answers.some(({ nameExists }) => nameExists), values }
})

/** The name of an address for its PTR records (RFC 1035 3.5, RFC 3596 2.5). Undefined if it is not an address. */
export const reverseName = (address: string): string | undefined => {
  const found = Option.getOrUndefined(Result.getSuccess(NetAddress.ipFromString(address)))
  if (found === undefined) return undefined
  if (NetAddress.isIpv4Address(found)) {
    return `${[...NetAddress.ipv4ToOctets(found)].reverse().join(".")}.in-addr.arpa`
  }
  const digits = NetAddress.ipv6ToSegments(found).map((segment) => segment.toString(16).padStart(4, "0"))
  return `${[...digits.join("")].reverse().join(".")}.ip6.arpa`
}
