/** The other end of the connection of a request, which may be a proxy. */
import { Context, Effect, Option } from "effect"
import { HttpServerRequest } from "effect/http"

/** Whether the host trusts the peer as this machine or as a proxy. Undefined where the host does not say. */
export const TrustedPeer = Context.Reference<boolean | undefined>(
  "@posthorn/core/platform/http/DirectPeer/TrustedPeer",
  {
    defaultValue: () => undefined
  }
)

const loopback = /^(?:::ffff:)?127\.|^::1$/

export const isLoopback = (address: string): boolean => loopback.test(address)

export const isTrustedPeer: Effect.Effect<boolean, never, HttpServerRequest.HttpServerRequest> = Effect.gen(
  function* () {
    const trusted = yield* TrustedPeer
    if (trusted !== undefined) return trusted
    const { remoteAddress } = yield* HttpServerRequest.HttpServerRequest
    return Option.exists(remoteAddress, isLoopback)
  }
)
