/** The HTTP API over the services of a runtime, with one router for all callers. */
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { envelope, ServiceClosed, ServiceUnavailable } from "@posthorn/contract/platform/Errors"
import { type HostCaller, TrustedCaller } from "@posthorn/core/accounts/projects/TrustedCaller"
import * as Http from "@posthorn/core/Http"
import { carried } from "@posthorn/core/platform/http/RequestContext"
import { load } from "@posthorn/platform-node/OptionalPackage"
import { Context, Effect, Exit, Layer, Option, Schema, Scope } from "effect"
import { HttpEffect, HttpRouter, HttpServer, HttpServerRequest } from "effect/http"
import * as ConsoleCalls from "./console/ConsoleCalls.ts"
import type { DevMode } from "./dev/DevMode.ts"
import type * as Layers from "./Layers.ts"
import type { PosthornOptions } from "./Options.ts"

/** What the host knows about a request, in addition to the request itself. */
export interface Origin {
  /** The project of the request, which then needs no key. */
  readonly project?: ProjectId | undefined
  /** The request is of the console that the application has mounted. */
  readonly console?: ConsoleCalls.ConsoleCall | undefined
  /** The address of the other end of the connection. Login attempts are limited per address. */
  readonly address?: string | undefined
  /** Services of the calling fiber: a transaction that the request joins. */
  readonly context?: Context.Context<never> | undefined
}

export interface FetchHandler {
  readonly answer: (request: Request, origin?: Origin) => Promise<Response>
  readonly close: () => Promise<void>
}

/** The answer to every request after the application has closed. */
const closed = Effect.map(
  Effect.orDie(Schema.encodeEffect(envelope(ServiceUnavailable))(new ServiceClosed())),
  (body) => Response.json(body, { status: body.error.statusCode })
)

/** Removes the path of the public URL, which every link contains. The host may have removed it already. */
const below = (prefix: string, url: string): string => {
  const rest = url.slice(prefix.length)
  return url.startsWith(prefix) && (rest === "" || /^[/?]/.test(rest)) ? `/${rest.replace(/^\//, "")}` : url
}

export const open = async (
  services: ReturnType<typeof Layers.layer>,
  memoMap: Layer.MemoMap,
  { publicUrl, mcp = false }: Pick<PosthornOptions, "mcp" | "publicUrl">,
  devMode: DevMode | undefined
): Promise<FetchHandler> => {
  const origins = new WeakMap<object, Origin>()
  const hostCallers = new WeakMap<object, HostCaller>()
  const prefix = new URL(publicUrl).pathname.replace(/\/+$/, "")
  const calls = ConsoleCalls.layer(
    (request) => origins.get(request)?.console,
    (request, caller) => hostCallers.set(request, caller)
  )
  const tools = mcp
    ? await Effect.runPromise(load("@posthorn/mcp", "mcp: true", () => import("@posthorn/mcp/McpHttp")))
    : undefined
  const added = Layer.merge(devMode?.routes ?? Layer.empty, tools?.layerWithDocs ?? Layer.empty)
  const routes = Layer.provideMerge(added, Http.layer).pipe(
    // After the routes, because their middlewares surround this one.
    (everything) => Layer.provideMerge(calls, everything),
    Layer.provide(Layer.succeed(TrustedCaller, (request) => origins.get(request)?.project ?? hostCallers.get(request))),
    Layer.provideMerge(Layer.provide(HttpRouter.layer, Layer.succeed(HttpRouter.RouterConfig)(Http.routerConfig))),
    Layer.provide(HttpServer.layerServices),
    // Also for the code around the handlers, because the logger is one of the services.
    Layer.provideMerge(services)
  )
  const scope = Scope.makeUnsafe()
  const context = await Effect.runPromise(Layer.buildWithMemoMap(routes, memoMap, scope))
  const router = Context.get(context, HttpRouter.HttpRouter).asHttpEffect()
  const known = Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
    const { address, console } = origins.get(request.source) ?? {}
    const seen = request.modify({
      url: console?.path ?? below(prefix, request.url),
      ...(address !== undefined && { remoteAddress: Option.some(address) })
    })
    const asked = devMode?.withPeer(seen, address) ?? seen
    return Effect.provideService(router, HttpServerRequest.HttpServerRequest, asked)
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
