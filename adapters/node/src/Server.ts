/** The HTTP server of this process: its limits, its port and its shutdown. */
import { createServer, type Server } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import type * as NodeServices from "@effect/platform-node/NodeServices"
import { Context, Data, Effect, Layer } from "effect"
import { type Etag, type HttpPlatform, HttpServer, type HttpServerError } from "effect/http"
import { limitSockets } from "./http/SocketLimit.ts"

/**
 * The URL of the server on this machine: `http://127.0.0.1:3000`. Null for a process without a server. A service, because
 * the port is known only after the server listens.
 */
export class LocalUrl extends Context.Service<LocalUrl, string | null>()("@posthorn/node/Server/LocalUrl") {}

export interface ListenAddress {
  readonly host: string
  /** 0 selects a free port. */
  readonly port: number
  /** If the port is in use, use the first free one of the next 20. Default: false. */
  readonly orNext?: boolean | undefined
}

const advice: { readonly [code: string]: string } = {
  EADDRINUSE: "is in use; stop the program that uses it, or choose another port with --port or POSTHORN_PORT",
  EACCES: "is not allowed for this user; choose a port from 1024 on with --port or POSTHORN_PORT",
  EADDRNOTAVAIL: "is not an address of this machine; choose another with POSTHORN_HOST",
  ENOTFOUND: "is not an address of this machine; choose another with POSTHORN_HOST"
}

export class CannotListen extends Data.TaggedError("CannotListen")<{
  readonly host: string
  readonly port: number
  readonly code: string
}> {
  override get message() {
    return `${this.host}:${this.port} ${advice[this.code] ?? `cannot be listened on (${this.code})`}.`
  }
}

const limits = {
  /** Bytes of all headers of a request. */
  maxHeaderSize: 16 * 1024,
  /**
   * Timeouts in milliseconds: until all headers have arrived, until the whole request has arrived, between two requests
   * of a connection.
   */
  headersTimeout: 15_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000
}

/** How long running requests may continue once the shutdown has begun. Then their connections are closed. */
const gracefulShutdownTimeout = "20 seconds"

/** The port is bound before the service is ready. Requests that arrive earlier get a 503 with Retry-After. */
const refuseEarly = (server: Server) => {
  const waiting = server.listenerCount("request") + 1
  return server.on("request", (_, response) => {
    if (server.listenerCount("request") > waiting) return
    response.writeHead(503, { "retry-after": "1", connection: "close" }).end()
  })
}

/** The address at which this machine reaches a socket that listens on all addresses. */
export const reachable = (host: string): string => {
  if (host === "0.0.0.0") return "127.0.0.1"
  if (host === "::") return "[::1]"
  return host.includes(":") ? `[${host}]` : host
}

const codeOf = (cause: unknown): string =>
  typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : String(cause)

type Listening = Layer.Layer<HttpServer.HttpServer | LocalUrl, CannotListen>

const listeningOn = (host: string, port: number): Listening =>
  Layer.unwrap(
    Effect.gen(function* () {
      const log = Effect.runForkWith(yield* Effect.context<never>())
      const server = createServer(limits)
      limitSockets(server)
      // Also emitted for connections that cannot be accepted. Without a listener, such an error would end the process.
      server.on("error", (error) => log(Effect.logDebug("The HTTP server has an error", error)))
      const bound = NodeHttpServer.layerServer(() => refuseEarly(server), { host, port, gracefulShutdownTimeout }).pipe(
        Layer.catchTag("ServeError", ({ cause }: HttpServerError.ServeError) =>
          Layer.effectContext(new CannotListen({ host, port, code: codeOf(cause) }))
        )
      )
      const url = Layer.effect(
        LocalUrl,
        Effect.gen(function* () {
          const { address } = yield* HttpServer.HttpServer
          yield* Effect.addFinalizer(() => Effect.sync(() => server.closeAllConnections()))
          return `http://${reachable(host)}:${"port" in address ? address.port : port}`
        })
      )
      return Layer.provideMerge(url, bound)
    })
  )

const nextPorts = 20

/** If the port is in use, tries the next ones. If all are in use, the failure names the first. */
const listeningFrom = (host: string, first: number): Listening => {
  const from = (port: number): Listening =>
    listeningOn(host, port).pipe(
      Layer.catchTag("CannotListen", (failure) => {
        if (failure.code !== "EADDRINUSE") return Layer.effectContext(failure)
        if (port === first + nextPorts) return Layer.effectContext(new CannotListen({ ...failure, port: first }))
        return from(port + 1)
      })
    )
  return Layer.tap(from(first), (context) => {
    const url = Context.get(context, LocalUrl) ?? ""
    return url.endsWith(`:${first}`)
      ? Effect.void
      : Effect.logWarning(`Port ${first} is in use, so the server listens at ${url}.`)
  })
}

const listening = ({ host, port, orNext = false }: ListenAddress): Listening =>
  orNext ? listeningFrom(host, port) : listeningOn(host, port)

type Provided =
  | Etag.Generator
  | HttpPlatform.HttpPlatform
  | HttpServer.HttpServer
  | LocalUrl
  | NodeServices.NodeServices

/**
 * Listens when the layer is built. On shutdown it accepts no new connections, lets running requests finish, and closes.
 */
export const layer = (place: ListenAddress): Layer.Layer<Provided, CannotListen> =>
  Layer.merge(NodeHttpServer.layerHttpServices, listening(place))
