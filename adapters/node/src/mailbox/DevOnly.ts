/**
 * What keeps other web sites away from the pages under /dev, which ask for no key (contract-2 17).
 *
 * The Host must be this machine by name, so that a foreign name which resolves to it (DNS rebinding) gets nothing; an
 * Origin, which browsers send with every request that changes something, must be the server itself.
 */
import { Forbidden } from "@posthorn/contract/Auth"
import { envelope } from "@posthorn/contract/Errors"
import { respond } from "@posthorn/core/http/Respond"
import { Effect, type Layer, Schema } from "effect"
import { HttpRouter, HttpServerRequest, type HttpServerResponse } from "effect/http"

/** A guard around one handler; loopback names are `localhost`, 127.0.0.0/8 and `[::1]`, at any port. */
export const refuseForeign = (publicUrl: string) => {
  const ours = URL.parse(publicUrl)

  const isOurs = ({ host, origin }: Readonly<Record<string, string | undefined>>): boolean => {
    const asked = host !== undefined && /^[\w.:[\]-]+$/.test(host) ? URL.parse(`http://${host}`) : null
    if (asked === null || !(isLoopback(asked.hostname) || asked.hostname === ours?.hostname)) return false
    return origin === undefined || origin === ours?.origin || URL.parse(origin)?.host === asked.host
  }

  return <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) => (isOurs(headers) ? app : refusal))
}

/** The same for all routes that it is provided to. */
export const devOnly = (publicUrl: string): Layer.Layer<never> => HttpRouter.middleware(refuseForeign(publicUrl)).layer

const isLoopback = (hostname: string): boolean => /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)

const refusal = Schema.encodeEffect(envelope(Forbidden))(new Forbidden({ reason: "origin" })).pipe(
  Effect.orDie,
  Effect.map(respond)
)
