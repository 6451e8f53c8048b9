/**
 * Posthorn inside an application: several doors over one set of services.
 *
 * It reads no environment, installs no signal handler, writes to no stream, patches nothing, and keeps nothing alive
 * after `close()`.
 */
import { Posthorn as Client } from "@posthorn/client"
import { ProjectId } from "@posthorn/contract/Auth"
import * as Http from "@posthorn/core/Http"
import { TrustedCaller } from "@posthorn/core/projects/TrustedCaller"
import { type Effect, Layer, ManagedRuntime } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import * as Doors from "./Doors.ts"
import type { PosthornOptions } from "./Options.ts"

export interface Posthorn {
  /** The HTTP API, for any server that speaks `Request` and `Response`. Takes keys, as over the network. */
  readonly fetch: (request: Request) => Promise<Response>
  /** The client of one project, in the process: no network, and no key. */
  readonly client: (projectId: string) => Client
  /** The services themselves, for applications written in Effect. */
  readonly run: <A, E>(effect: Effect.Effect<A, E, Doors.Services>) => Promise<A>
  /** Stops the loops, lets mails on the wire finish, and closes the database. */
  readonly close: () => Promise<void>
}

/** Keys of the in-process client: they say what they are, and no project has them. */
const inProcess = { secretKey: "sk_in_process", publicKey: "pk_in_process", baseUrl: "http://posthorn.invalid" }

/** Opens the database, brings its schema up to date and starts the loops; rejects with the reason where it cannot. */
export const createPosthorn = async (options: PosthornOptions): Promise<Posthorn> => {
  // Two builders of the same layers: one memo map makes it one database behind both.
  const memoMap = Layer.makeMemoMapUnsafe()
  const services = Doors.layer(options)
  const runtime = ManagedRuntime.make(services, { memoMap })
  await runtime.context()

  const callers = new WeakMap<object, ProjectId>()
  const http = Http.layer.pipe(
    Layer.provide(Layer.succeed(TrustedCaller, (request) => callers.get(request))),
    Layer.provide([services, HttpServer.layerServices])
  )
  const web = HttpRouter.toWebHandler(http, { memoMap, routerConfig: Http.routerConfig, disableLogger: true })

  return {
    fetch: (request) => web.handler(request),
    client: (projectId) => {
      const project = ProjectId.make(projectId.toLowerCase())
      return new Client({
        ...inProcess,
        fetch: (url, init) => {
          const request = new Request(url, init)
          callers.set(request, project)
          return web.handler(request)
        }
      })
    },
    run: (effect) => runtime.runPromise(effect),
    close: async () => {
      await web.dispose()
      await runtime.dispose()
    }
  }
}
