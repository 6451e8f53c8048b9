/** The HTTP API over a runtime's services: one router, whoever asks. */
import type { ProjectId } from "@posthorn/contract/Auth"
import { envelope, ServiceClosed, ServiceUnavailable } from "@posthorn/contract/Errors"
import * as Http from "@posthorn/core/Http"
import { carried } from "@posthorn/core/http/RequestContext"
import { TrustedCaller } from "@posthorn/core/projects/TrustedCaller"
import { Context, Effect, Exit, Layer, Option, Schema, Scope } from "effect"
import { HttpEffect, HttpRouter, HttpServer, HttpServerRequest } from "effect/http"
import type * as Doors from "./Doors.ts"

/** What a host knows of a request beside the request itself. */
export interface Origin {
  /** The project it acts for: it then needs no key. */
  readonly project?: ProjectId | undefined
  /** The other end of the connection; guesses at passwords are counted by it. */
  readonly address?: string | undefined
  /** Services of the fiber that asks: a transaction that the request takes part in. */
  readonly context?: Context.Context<never> | undefined
}

export interface HttpDoor {
  readonly answer: (request: Request, origin?: Origin) => Promise<Response>
  readonly close: () => Promise<void>
}

/** What every request gets once the application has closed. */
const closed = Effect.map(
  Effect.orDie(Schema.encodeEffect(envelope(ServiceUnavailable))(new ServiceClosed())),
  (body) => Response.json(body, { status: body.error.statusCode })
)

/** The path of the public URL stands in front of every link, and a host may or may not have taken it off. */
const below = (prefix: string, url: string): string => {
  const rest = url.slice(prefix.length)
  return url.startsWith(prefix) && (rest === "" || /^[/?]/.test(rest)) ? `/${rest.replace(/^\//, "")}` : url
}

export const open = async (
  services: ReturnType<typeof Doors.layer>,
  memoMap: Layer.MemoMap,
  publicUrl: string
): Promise<HttpDoor> => {
  const origins = new WeakMap<object, Origin>()
  const prefix = new URL(publicUrl).pathname.replace(/\/+$/, "")
  const routes = Http.layer.pipe(
    Layer.provide(Layer.succeed(TrustedCaller, (request) => origins.get(request)?.project)),
    Layer.provideMerge(Layer.provide(HttpRouter.layer, Layer.succeed(HttpRouter.RouterConfig)(Http.routerConfig))),
    Layer.provide(HttpServer.layerServices),
    // Also for what surrounds the handlers: where logs go is part of the services.
    Layer.provideMerge(services)
  )
  const scope = Scope.makeUnsafe()
  const context = await Effect.runPromise(Layer.buildWithMemoMap(routes, memoMap, scope))
  const router = Context.get(context, HttpRouter.HttpRouter).asHttpEffect()
  const known = Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
    const address = origins.get(request.source)?.address
    const seen = request.modify({
      url: below(prefix, request.url),
      ...(address !== undefined && { remoteAddress: Option.some(address) })
    })
    return Effect.provideService(router, HttpServerRequest.HttpServerRequest, seen)
  })
  const handler = HttpEffect.toWebHandlerWith<HttpRouter.HttpRouter, HttpServerRequest.HttpServerRequest | Scope.Scope>(
    carried(context)
  )(known)
  let isClosed = false
  return {
    answer: (request, origin = {}) => {
      if (isClosed) return Effect.runPromise(closed)
      origins.set(request, origin)
      return handler(request, origin.context)
    },
    close: () => {
      isClosed = true
      return Effect.runPromise(Scope.close(scope, Exit.void))
    }
  }
}
