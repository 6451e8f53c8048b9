/**
 * `SafeFetch` with Node's HTTP client. It resolves the name once, checks every address, and connects only to these
 * addresses.
 */
import { lookup as systemLookup } from "node:dns/promises"
import * as Http from "node:http"
import * as Https from "node:https"
import { isIP, type LookupFunction } from "node:net"
import {
  type Allowed,
  isAllowedAddress,
  nothingAllowed,
  outboundUrl
} from "@posthorn/core/platform/outbound/PublicAddress"
import {
  maxResponseBytes,
  OutboundError,
  type OutboundRequest,
  type OutboundResponse,
  SafeFetch
} from "@posthorn/core/platform/outbound/SafeFetch"
import { Effect, Layer } from "effect"

interface Address {
  readonly address: string
  readonly family: number
}

export interface Options {
  /** What is allowed in addition to public addresses. */
  readonly allowed?: Allowed | undefined
  /** Default: the system's resolver, including its hosts file. */
  readonly lookup?: ((host: string) => Promise<ReadonlyArray<Address>>) | undefined
  /** The resolver for requests that choose it. Default: the same. */
  readonly lookupByDnsServers?: ((host: string) => Effect.Effect<ReadonlyArray<string>, unknown>) | undefined
}

const failed = new OutboundError({ reason: "connection_failed" })
const notAllowed = new OutboundError({ reason: "url_not_allowed" })

const lookupAll = (host: string): Promise<ReadonlyArray<Address>> => systemLookup(host, { all: true })

/** A lookup that always returns the checked addresses. */
const pinned =
  (addresses: ReadonlyArray<Address>): LookupFunction =>
  (_host, options, answer) => {
    const [first] = addresses
    if (first === undefined) return answer(new Error("no address"), "", 0)
    // Node requests all addresses if it may try several.
    return options.all ? answer(null, [...addresses]) : answer(null, first.address, first.family)
  }

const headersOf = (response: Http.IncomingMessage) =>
  Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(", ") : (value ?? "")
    ])
  )

/** Node sends a header as octets, so text beyond ASCII is encoded as UTF-8. */
const octets = (headers: OutboundRequest["headers"] = {}) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Buffer.from(value).toString("latin1")]))

const exchange = (url: URL, { method, headers, body }: OutboundRequest, addresses: ReadonlyArray<Address>) =>
  Effect.callback<OutboundResponse, OutboundError>((resume) => {
    const fail = () => resume(Effect.fail(failed))
    const hostname = url.hostname.replace(/^\[|\]$/g, "")
    let request: Http.ClientRequest | undefined
    const end = () => request?.destroy()
    try {
      request = (url.protocol === "https:" ? Https : Http).request({
        method,
        hostname,
        port: url.port === "" ? undefined : Number(url.port),
        path: `${url.pathname}${url.search}`,
        headers: { ...octets(headers), ...(body && { "content-length": body.length }) },
        // Uses a new connection, because a pooled one could lead to an address that was checked for another name.
        agent: false,
        lookup: pinned(addresses)
      })
      request.on("error", fail)
      request.on("response", (response) => {
        const chunks: Array<Buffer> = []
        let size = 0
        const succeed = () =>
          resume(
            Effect.succeed({
              status: response.statusCode ?? 0,
              headers: headersOf(response),
              body: new Uint8Array(Buffer.concat(chunks).subarray(0, maxResponseBytes))
            })
          )
        response.on("data", (chunk: Buffer) => {
          chunks.push(chunk)
          size += chunk.length
          if (size < maxResponseBytes) return
          succeed()
          end()
        })
        response.on("end", succeed)
        response.on("error", fail)
      })
      request.end(body)
    } catch {
      // Node refuses to send the request, for example if a header contradicts its body.
      end()
      fail()
    }
    return Effect.sync(end)
  })

export const layer = ({
  allowed = nothingAllowed,
  lookup = lookupAll,
  lookupByDnsServers
}: Options = {}): Layer.Layer<SafeFetch> =>
  Layer.succeed(
    SafeFetch,
    SafeFetch.of({
      allows: (url) => outboundUrl(url, allowed) !== undefined,
      request: Effect.fn("SafeFetch.request")(function* (request) {
        const target = outboundUrl(request.url, allowed)
        if (target === undefined) return yield* notAllowed
        const { url, literal, isOpened } = target
        const go = Effect.gen(function* () {
          if (literal !== undefined) return yield* exchange(url, request, [])
          const addresses = yield* request.byDnsServers === true && lookupByDnsServers !== undefined
            ? Effect.mapBoth(lookupByDnsServers(url.hostname), {
                onSuccess: (found) => found.map((address) => ({ address, family: isIP(address) })),
                onFailure: () => failed
              })
            : Effect.tryPromise({ try: () => lookup(url.hostname), catch: () => failed })
          if (addresses.length === 0) return yield* failed
          if (!isOpened && !addresses.every(({ address }) => isAllowedAddress(address, allowed)))
            return yield* notAllowed
          return yield* exchange(url, request, addresses)
        })
        return yield* Effect.timeoutOrElse(go, {
          duration: request.timeout,
          orElse: () => Effect.fail(new OutboundError({ reason: "timeout" }))
        })
      })
    })
  )
