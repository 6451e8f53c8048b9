/** Sets the address of the client on requests that come through trusted proxies. */
import { isLoopback, TrustedPeer } from "@posthorn/core/platform/http/DirectPeer"
import { Effect, Layer, Option } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { clientAddress, isTrusted, noProxies, plain, type TrustedProxies } from "./ClientAddress.ts"

const seenThrough = (proxies: TrustedProxies) => (request: HttpServerRequest.HttpServerRequest) =>
  request.modify({
    remoteAddress: Option.map(request.remoteAddress, (peer) =>
      clientAddress(proxies, peer, request.headers["x-forwarded-for"])
    )
  })

export const layer = (proxies: TrustedProxies): Layer.Layer<never, never, HttpRouter.HttpRouter> =>
  proxies === noProxies
    ? Layer.empty
    : HttpRouter.middleware(
        (app) =>
          Effect.gen(function* () {
            const { remoteAddress } = yield* HttpServerRequest.HttpServerRequest
            const trusted = Option.exists(
              remoteAddress,
              (peer) => isLoopback(peer) || isTrusted(proxies, plain(peer), 0)
            )
            return yield* Effect.updateService(app, HttpServerRequest.HttpServerRequest, seenThrough(proxies)).pipe(
              Effect.provideService(TrustedPeer, trusted)
            )
          }),
        { global: true }
      )
