/**
 * `MailServers` over SMTP. It uses the pool, the breaker and the sessions of the installation's transports, always with
 * TLS and a valid certificate.
 */
import { lookup as systemLookup } from "node:dns/promises"
import { isIPv6 } from "node:net"
import { type MailServer, MailServers, type ServerGreeting } from "@posthorn/core/platform/Mailer"
import { type Allowed, areAllowed, nothingAllowed, outboundHost } from "@posthorn/core/platform/outbound/PublicAddress"
import { Duration, Effect, Layer, Result } from "effect"
import * as Peer from "./Peer.ts"
import { lane } from "./Smtp.ts"
import * as SmtpSession from "./SmtpSession.ts"
import type { SmtpTransport } from "./SmtpUrl.ts"

export interface Options {
  /** What is allowed in addition to public addresses. */
  readonly allowed?: Allowed | undefined
  /** Resolves the addresses of a name. Default: the resolver of the system, including its hosts file. */
  readonly lookup?: ((host: string) => Effect.Effect<ReadonlyArray<string>, unknown>) | undefined
}

/** Time limit of a session, from the lookup of the name to the login. */
const openTime = Duration.seconds(15)
/** The number of addresses of a host that are tried, one after another. */
const maxAddresses = 3

const systemAddresses = (host: string) =>
  Effect.map(
    Effect.tryPromise(() => systemLookup(host, { all: true })),
    (found) => found.map(({ address }) => address)
  )

const transportOf = ({ host, login, pool, port, tls }: MailServer): SmtpTransport => ({
  host,
  port,
  pool,
  tls: tls === "IMPLICIT" ? "implicit" : "required",
  verify: true,
  ...(login === null ? {} : { login })
})

export const layer = ({
  allowed = nothingAllowed,
  lookup = systemAddresses
}: Options = {}): Layer.Layer<MailServers> => {
  const peerOf = (server: MailServer, address?: string) =>
    Peer.make(
      server.name,
      { ...transportOf(server), ...(address === undefined ? {} : { address }) },
      {
        transportId: server.id
      }
    )

  /** IPv4 first: many hosts have no route for IPv6. */
  const addressesOf = Effect.fnUntraced(function* (server: MailServer) {
    const { failure } = peerOf(server)
    const host = outboundHost(server.host, allowed)
    if (host === undefined) return yield* failure("unreachable", "the host is not allowed")
    if (host.literal !== undefined) return [host.literal]
    const found = yield* Effect.mapError(lookup(server.host), () =>
      failure("unreachable", "the host name has no address")
    )
    if (found.length === 0) return yield* failure("unreachable", "the host name has no address")
    if (!areAllowed(host, found, allowed)) return yield* failure("unreachable", "the host is not allowed")
    return found.toSorted((a, b) => Number(isIPv6(a)) - Number(isIPv6(b))).slice(0, maxAddresses)
  })

  const openSession = (server: MailServer) =>
    Effect.gen(function* () {
      const addresses = yield* addressesOf(server)
      const { failure } = peerOf(server)
      let last = failure("unreachable", "the host name has no address")
      for (const address of addresses) {
        const opened = yield* Effect.result(
          Effect.timeoutOrElse(SmtpSession.open(peerOf(server, address)), {
            duration: Duration.millis(Duration.toMillis(openTime) / addresses.length),
            orElse: () => Effect.fail(failure("unreachable", "no session within 15 seconds"))
          })
        )
        if (Result.isSuccess(opened)) return opened.success
        last = opened.failure
        if (last.reason !== "unreachable") break
      }
      return yield* last
    }).pipe(
      Effect.timeoutOrElse({
        duration: openTime,
        orElse: () => Effect.fail(peerOf(server).failure("unreachable", "no session within 15 seconds"))
      })
    )

  const check = Effect.fn("MailServers.check")(function* (server: MailServer) {
    const session = yield* openSession(server)
    yield* session.quit
    const size = session.extensions.map((line) => /^SIZE +(\d{1,15})$/i.exec(line)?.[1]).find((found) => found)
    return {
      tls: session.tls ?? "TLS",
      extensions: session.extensions,
      size: size === undefined || Number(size) === 0 ? null : Number(size)
    } satisfies ServerGreeting
  })

  return Layer.succeed(
    MailServers,
    MailServers.of({
      judge: (host) => {
        const found = outboundHost(host, allowed)
        if (found === undefined) return "refused"
        return found.isOpened ? "opened" : "allowed"
      },
      check,
      open: (server) => lane(peerOf(server), openSession(server))
    })
  )
}
