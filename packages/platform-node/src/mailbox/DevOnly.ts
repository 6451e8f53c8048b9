/**
 * Keeps other machines and websites away from the pages under /dev, which need no key.
 *
 * The other end of the connection must be this machine, unless dev mode was started with --open. The Host must be a
 * name of this machine, so that foreign names that resolve to it do not work (DNS rebinding). An Origin, which browsers
 * send with every request that changes something, must be the server itself.
 */

import { isIP } from "node:net"
import { Forbidden } from "@posthorn/contract/platform/Auth"
import { envelope } from "@posthorn/contract/platform/Errors"
import { respond } from "@posthorn/core/platform/http/Respond"
import { Effect, type Layer, Option, Schema } from "effect"
import { HttpRouter, HttpServerRequest, type HttpServerResponse } from "effect/http"

export interface DevPages {
  readonly publicUrl: string
  /** Other machines may also request pages, by the IP address of this machine. */
  readonly open: boolean
}

/** Guards one handler. Loopback names are `localhost`, 127.0.0.0/8 and `[::1]`, at any port. */
export const refuseForeign = ({ publicUrl, open }: DevPages) => {
  const ours = URL.parse(publicUrl)
  // A foreign name can resolve to this machine; an IP address cannot.
  const isName = (hostname: string) =>
    isLoopback(hostname) || hostname === ours?.hostname || (open && isIP(hostname.replace(/^\[|\]$/g, "")) !== 0)

  const isOurs = ({ host, origin }: Readonly<Record<string, string | undefined>>): boolean => {
    const asked = host !== undefined && /^[\w.:[\]-]+$/.test(host) ? URL.parse(`http://${host}`) : null
    if (asked === null || !isName(asked.hostname)) return false
    return origin === undefined || origin === ours?.origin || URL.parse(origin)?.host === asked.host
  }

  return <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers, remoteAddress }) =>
      (open || Option.match(remoteAddress, { onNone: () => true, onSome: isThisMachine })) && isOurs(headers)
        ? app
        : refusal
    )
}

/** The same for all routes that the layer is provided to. */
export const devOnly = (pages: DevPages): Layer.Layer<never> => HttpRouter.middleware(refuseForeign(pages)).layer

/** A dual-stack socket shows 127.0.0.1 as `::ffff:127.0.0.1`. A request without a socket comes from this process. */
export const isThisMachine = (address: string): boolean => /^(?:::1|(?:::ffff:)?127(?:\.\d+){3})$/i.test(address)

/** The hostname of a URL. */
export const isLoopback = (hostname: string): boolean => /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)

const refusal = Schema.encodeEffect(envelope(Forbidden))(new Forbidden({ reason: "origin" })).pipe(
  Effect.orDie,
  Effect.map(respond)
)
