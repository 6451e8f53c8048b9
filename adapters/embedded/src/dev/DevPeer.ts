/**
 * The peer that requests a page under /dev, as far as an embedded Posthorn can know it.
 *
 * `node` sees the connection; `fetch` sees only a request. For a request, the address in X-Forwarded-For counts, which
 * servers such as that of Next.js set, and otherwise the requested host name. A client can forge both, so they are only
 * used to refuse a request: neither makes another machine count as this one.
 */
import { isLoopback, isThisMachine } from "@posthorn/platform-node/mailbox/DevOnly"
import { Option } from "effect"
import { Headers, type HttpServerRequest } from "effect/http"

const foreignIn = (forwarded: string | undefined): string | undefined =>
  forwarded
    ?.split(",")
    .map((address) => address.trim())
    .find((address) => !isThisMachine(address))

/**
 * The same request in the form that the guard of these pages expects: with a Host, and with the address of a peer on
 * another machine.
 */
export const withPeer = (
  request: HttpServerRequest.HttpServerRequest,
  address: string | undefined
): HttpServerRequest.HttpServerRequest => {
  const { headers, source } = request
  // A request that the application makes itself has a URL and no Host.
  const host = headers["host"] ?? (source instanceof Request ? new URL(source.url).host : "")
  const unnamed = address === undefined && !isLoopback(URL.parse(`http://${host}`)?.hostname ?? "") ? host : undefined
  const from = foreignIn(headers["x-forwarded-for"]) ?? address ?? unnamed
  return request.modify({
    headers: Headers.set(headers, "host", host),
    ...(from !== undefined && { remoteAddress: Option.some(from) })
  })
}
