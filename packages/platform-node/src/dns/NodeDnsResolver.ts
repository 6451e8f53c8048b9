/** `DnsResolver` on the c-ares resolver of Node. */

import { Resolver } from "node:dns/promises"
import { timeouts, VerificationDns } from "@posthorn/core/audience/verification/VerificationDns"
import {
  bothFamilies,
  type DnsAnswer,
  DnsResolver,
  type DnsTrouble,
  DnsUnavailable,
  type RecordType
} from "@posthorn/core/platform/dns/DnsResolver"
import { Duration, Effect, Layer } from "effect"

export interface Options {
  /**
   * `address` or `address:port`, with brackets around IPv6; queried in this order. Default: the servers of the system.
   */
  readonly servers?: ReadonlyArray<string>
  /** Time limit of each attempt; default 5 seconds. */
  readonly timeout?: Duration.Input
  /** Attempts in total for each server; default 2. */
  readonly tries?: number
}

const make = Effect.fnUntraced(function* ({ servers = [], timeout = "5 seconds", tries = 2 }: Options) {
  const millis = Duration.toMillis(timeout)
  const resolver = yield* Effect.acquireRelease(
    // Without a maximum, c-ares doubles the timeout with each attempt.
    Effect.sync(() => new Resolver({ timeout: millis, maxTimeout: millis, tries })),
    (resolver) => Effect.sync(() => resolver.cancel())
  )
  if (servers.length > 0) resolver.setServers(servers)

  const ask = <A>(type: RecordType, name: string, query: (name: string) => Promise<ReadonlyArray<A>>) =>
    Effect.tryPromise({ try: () => query(name), catch: codeOf }).pipe(
      Effect.matchEffect({
        onSuccess: (values) => Effect.succeed({ nameExists: true, values }),
        onFailure: (code) => answerOrTrouble<A>(type, name, code)
      })
    )

  const txt = Effect.fn("NodeDnsResolver.txt")(function* (name: string) {
    const { nameExists, values } = yield* ask("TXT", name, (name) => resolver.resolveTxt(name))
    return { nameExists, values: values.map((strings) => fromLatin1(strings.join(""))) }
  })

  const mx = Effect.fn("NodeDnsResolver.mx")(function* (name: string) {
    const { nameExists, values } = yield* ask("MX", name, (name) => resolver.resolveMx(name))
    return { nameExists, values: values.map(({ priority, exchange }) => ({ priority, exchange })) }
  })

  const cname = Effect.fn("NodeDnsResolver.cname")((name: string) =>
    ask("CNAME", name, (name) => resolver.resolveCname(name))
  )

  const ptr = Effect.fn("NodeDnsResolver.ptr")((name: string) => ask("PTR", name, (name) => resolver.resolvePtr(name)))

  const address = Effect.fn("NodeDnsResolver.address")((name: string) =>
    bothFamilies(
      ask("A", name, (name) => resolver.resolve4(name)),
      ask("AAAA", name, (name) => resolver.resolve6(name))
    )
  )

  return DnsResolver.of({ txt, mx, cname, ptr, address })
})

/** Caches nothing. An invalid server address is a defect. */
export const layer = (options: Options = {}): Layer.Layer<DnsResolver> => Layer.effect(DnsResolver, make(options))

/** With shorter timeouts, for requests while a person waits. */
export const layerVerification = ({ servers = [] }: Pick<Options, "servers"> = {}): Layer.Layer<VerificationDns> =>
  Layer.effect(VerificationDns, make({ servers, ...timeouts }))

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : ""

/** A name that cannot be queried, such as one above 255 octets, counts as a name that does not exist. */
const answerOrTrouble = <A>(
  type: RecordType,
  name: string,
  code: string
): Effect.Effect<DnsAnswer<A>, DnsUnavailable> =>
  code === "ENODATA" || code === "ENOTFOUND" || code === "EBADNAME"
    ? Effect.succeed({ nameExists: code === "ENODATA", values: [] })
    : Effect.fail(new DnsUnavailable({ type, name, reason: troubles[code] ?? "other" }))

const troubles: { readonly [code: string]: DnsTrouble } = {
  ETIMEOUT: "timeout",
  ESERVFAIL: "server_failure",
  EREFUSED: "refused",
  ECONNREFUSED: "unreachable"
}

/** Node returns each octet of a TXT string as one character. */
const fromLatin1 = (octets: string): string => Buffer.from(octets, "latin1").toString("utf8")
