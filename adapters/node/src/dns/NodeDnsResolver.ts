/** `DnsResolver` on the c-ares resolver of Node. */

import { Resolver } from "node:dns/promises"
import {
  type Answer,
  bothFamilies,
  DnsResolver,
  type DnsTrouble,
  DnsUnavailable,
  type RecordType
} from "@posthorn/core/dns/DnsResolver"
import { patience, VerificationDns } from "@posthorn/core/verification/VerificationDns"
import { Duration, Effect, Layer } from "effect"

export interface Options {
  /** `address` or `address:port`, IPv6 in brackets; asked in this order. Default: those of the system. */
  readonly servers?: ReadonlyArray<string>
  /** Of each try; default 5 seconds. */
  readonly timeout?: Duration.Input
  /** Tries in all of each server; default 2. */
  readonly tries?: number
}

const make = Effect.fnUntraced(function* ({ servers = [], timeout = "5 seconds", tries = 2 }: Options) {
  const millis = Duration.toMillis(timeout)
  const resolver = yield* Effect.acquireRelease(
    // Without a maximum, c-ares doubles the time of each further try.
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

  const address = Effect.fn("NodeDnsResolver.address")((name: string) =>
    bothFamilies(
      ask("A", name, (name) => resolver.resolve4(name)),
      ask("AAAA", name, (name) => resolver.resolve6(name))
    )
  )

  return DnsResolver.of({ txt, mx, address })
})

/** Nothing is cached. A server that is no address is a defect of the configuration. */
export const layer = (options: Options = {}): Layer.Layer<DnsResolver> => Layer.effect(DnsResolver, make(options))

/** For somebody who waits. */
export const layerVerification = ({ servers = [] }: Pick<Options, "servers"> = {}): Layer.Layer<VerificationDns> =>
  Layer.effect(VerificationDns, make({ servers, ...patience }))

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : ""

/** A name that no server can be asked for, such as one above 255 octets, is a name that does not exist. */
const answerOrTrouble = <A>(type: RecordType, name: string, code: string): Effect.Effect<Answer<A>, DnsUnavailable> =>
  code === "ENODATA" || code === "ENOTFOUND" || code === "EBADNAME"
    ? Effect.succeed({ nameExists: code === "ENODATA", values: [] })
    : Effect.fail(new DnsUnavailable({ type, name, reason: troubles[code] ?? "other" }))

const troubles: { readonly [code: string]: DnsTrouble } = {
  ETIMEOUT: "timeout",
  ESERVFAIL: "server_failure",
  EREFUSED: "refused",
  ECONNREFUSED: "unreachable"
}

/** Node gives each octet of a TXT string as one character. */
const fromLatin1 = (octets: string): string => Buffer.from(octets, "latin1").toString("utf8")
