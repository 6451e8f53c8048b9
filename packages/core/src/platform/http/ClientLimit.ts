/**
 * Rate limits for callers without a key, counted in the memory of this process. Limits that processes share are counted
 * in the database (`accounts/people/Attempts.ts`).
 */
import { Clock, Effect, Option, Result } from "effect"
import { HttpServerRequest } from "effect/http"
import { NetAddress } from "effect/net"

/** The longest address, without a zone (RFC 4291 2.2). */
const longestAddress = 45

/**
 * The part of an IP address that identifies a client: all of an IPv4 address, the /64 of an IPv6 address. An
 * IPv4-mapped IPv6 address counts as IPv4. A text that is not an address identifies itself.
 */
export const clientOf = (address: string): string => {
  if (!address.includes(":")) return address.slice(0, longestAddress)
  const [plain = ""] = address.slice(0, 2 * longestAddress).split("%", 1)
  return Result.match(NetAddress.ipv6FromString(plain), {
    onFailure: () => plain,
    onSuccess: (found) =>
      Option.match(NetAddress.fromIpv4Mapped(found), {
        onNone: () => `${segmentsOf(found).join(":")}::/64`,
        onSome: NetAddress.formatIp
      })
  })
}

/** The first half of an IPv6 address. */
const segmentsOf = (address: NetAddress.Ipv6Address): ReadonlyArray<string> =>
  NetAddress.ipv6ToSegments(address)
    .slice(0, 4)
    .map((segment) => segment.toString(16))

/** The network of a client, for display: the /24 of an IPv4 address, the /64 of an IPv6 address. */
export const networkOf = (address: string): string => {
  const client = clientOf(address)
  const octets = client.split(".")
  return octets.length === 4 ? `${octets.slice(0, 3).join(".")}.0/24` : client
}

/** The client of a request. Undefined for requests that did not arrive over a network. */
export const client: Effect.Effect<string | undefined, never, HttpServerRequest.HttpServerRequest> = Effect.map(
  HttpServerRequest.HttpServerRequest,
  ({ remoteAddress }) => Option.getOrUndefined(Option.map(remoteAddress, clientOf))
)

export interface ClientLimit {
  /** Counts a request. None when it is allowed; at the limit, the whole seconds until the next one. */
  readonly take: (client: string) => Effect.Effect<Option.Option<number>>
  /** The seconds to wait if the limit is reached. Counts nothing. */
  readonly wait: (client: string) => Effect.Effect<Option.Option<number>>
}

/** Seconds. */
const window = 60
/** Clients in memory. Beyond it, the client that was seen least recently is removed. */
const maxClients = 10_000

interface Seconds {
  /** A ring of counts by second, each with the second that it belongs to. */
  readonly counts: Uint32Array
  readonly seconds: Float64Array
}

/**
 * At most `limit` in any 60 seconds for each client, by the clock of the service. Each call creates a separate counter.
 */
export const make = (limit: number): ClientLimit => {
  const known = new Map<string, Seconds>()

  const secondsOf = (client: string): Seconds => {
    const found = known.get(client) ?? { counts: new Uint32Array(window), seconds: new Float64Array(window) }
    known.delete(client)
    known.set(client, found)
    const [leastRecent] = known.size > maxClients ? known.keys() : []
    if (leastRecent !== undefined) known.delete(leastRecent)
    return found
  }

  const waitIn = ({ counts, seconds }: Seconds, now: number): Option.Option<number> => {
    let taken = 0
    let oldest = now
    for (let cell = 0; cell < window; cell++) {
      const second = seconds[cell] ?? 0
      const count = counts[cell] ?? 0
      if (count === 0 || second <= now - window || second > now) continue
      taken += count
      oldest = Math.min(oldest, second)
    }
    return taken < limit ? Option.none() : Option.some(oldest + window - now)
  }

  const wait = (client: string) =>
    Effect.map(Clock.currentTimeMillis, (millis) => {
      const found = known.get(client)
      return found === undefined ? Option.none() : waitIn(found, Math.floor(millis / 1_000))
    })

  const take = (client: string) =>
    Effect.map(Clock.currentTimeMillis, (millis) => {
      const now = Math.floor(millis / 1_000)
      const found = secondsOf(client)
      const full = waitIn(found, now)
      if (Option.isSome(full)) return full
      const { counts, seconds } = found
      const cell = now % window
      if (seconds[cell] !== now) counts[cell] = 0
      seconds[cell] = now
      counts[cell] = (counts[cell] ?? 0) + 1
      return full
    })

  return { take, wait }
}
