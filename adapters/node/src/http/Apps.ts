/** The HTTP routes of a process, by its role. */
import { ServiceApi } from "@posthorn/contract/service/ServiceApi"
import * as Http from "@posthorn/core/Http"
import * as Edge from "@posthorn/core/platform/http/BaseMiddleware"
import { carried } from "@posthorn/core/platform/http/RequestContext"
import * as SecurityText from "@posthorn/core/service/SecurityText"
import * as ServiceHttp from "@posthorn/core/service/ServiceHttp"
import * as DocsHttp from "@posthorn/docs/DocsHttp"
import * as McpHttp from "@posthorn/mcp/McpHttp"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import type { Config } from "../Config.ts"
import * as ConsoleHttp from "../console/ConsoleHttp.ts"
import { version } from "../Version.ts"
import * as Credentials from "./Credentials.ts"
import * as Drain from "./Drain.ts"
import { measured, namedRoutes } from "./HttpMetrics.ts"
import * as Metrics from "./Metrics.ts"
import * as Proxies from "./Proxies.ts"

/** The endpoints about the service itself, for a process that runs only a worker. */
const probes = HttpApiBuilder.layer(HttpApi.make("posthorn").add(ServiceApi)).pipe(
  Layer.provide(ServiceHttp.layer),
  Layer.merge(SecurityText.layer),
  Layer.merge(Edge.layer)
)

/** The same server, with request objects that hold only the necessary fields. */
const serving = Layer.effect(
  HttpServer.HttpServer,
  Effect.map(HttpServer.HttpServer, ({ address, serve }) =>
    HttpServer.make({
      address,
      serve: (app, middleware) =>
        Effect.updateContext(middleware === undefined ? serve(app) : serve(app, middleware), carried)
    })
  )
)

/** Middleware added first wraps the rest: the base middleware is outermost. */
const around = <E, R, E2, R2>(api: Layer.Layer<never, E, R>, routes: Layer.Layer<never, E2, R2>, config: Config) =>
  Layer.mergeAll(
    routes,
    Metrics.layer(config),
    Drain.layer,
    Credentials.layer,
    Proxies.layer(config.trustedProxies)
  ).pipe(Layer.provideMerge(api), Layer.provide(namedRoutes), (app) =>
    HttpRouter.serve(app, {
      routerConfig: Http.routerConfig,
      middleware: measured,
      disableLogger: true,
      disableListenLog: true
    }).pipe(Layer.provide(serving))
  )

export const worker = (config: Config) => around(probes, Layer.empty, config)

/** Where browsers get stored images, if that is not this server. */
const imageOrigin = ({ bucket }: Config) =>
  bucket?.publicUrl === undefined ? undefined : new URL(bucket.publicUrl).origin

const consoleOf = (config: Config) =>
  config.settings.hasConsole
    ? ConsoleHttp.layer({ dev: config.mode === "dev", version, imageOrigin: imageOrigin(config) })
    : Layer.empty

const docsOf = ({ settings }: Config) => DocsHttp.layer(settings.hasConsole ? { console: "/console" } : {})

/** The whole API with its documentation and its console, and the routes of the host. */
export const api = <E, R>(
  config: Config,
  routes: Layer.Layer<never, E, R>
): ReturnType<
  typeof around<
    never,
    Layer.Services<typeof Http.layer>,
    E | Layer.Error<ReturnType<typeof docsOf>>,
    R | Layer.Services<ReturnType<typeof docsOf>>
  >
> => around(Http.layer, Layer.mergeAll(docsOf(config), consoleOf(config), McpHttp.layer, routes), config)
