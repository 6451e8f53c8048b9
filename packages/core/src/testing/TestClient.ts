/** Calls the API over HTTP without types. For tests. */
import { Context, Effect, Layer, Option } from "effect"
import { HttpRouter, HttpServer, HttpServerRequest } from "effect/http"
import * as Http from "../Http.ts"
import { key, services, type TestServices } from "./Services.ts"

export class Wire extends Context.Service<Wire, (request: Request) => Promise<Response>>()(
  "@posthorn/core/testing/TestClient"
) {}

/** Request header of a test: the address of its client. Without it the request did not arrive over a network. */
export const clientHeader = "x-test-client"

const addressed = HttpRouter.middleware(
  (app) =>
    Effect.updateService(app, HttpServerRequest.HttpServerRequest, (request) =>
      request.modify({ remoteAddress: Option.fromUndefinedOr(request.headers[clientHeader]) })
    ),
  { global: true }
)

/** A handler for web requests over these services, which the test can use too. */
export const wireOver = <E>(everything: Layer.Layer<TestServices, E>): Layer.Layer<Wire | TestServices, E> =>
  Layer.effect(
    Wire,
    Effect.gen(function* () {
      const context = yield* Effect.context<TestServices | Layer.Success<typeof HttpServer.layerServices>>()
      const http = Layer.provide(Layer.provideMerge(addressed, Http.layer), Layer.succeedContext(context))
      const web = yield* Effect.acquireRelease(
        Effect.sync(() => HttpRouter.toWebHandler(http, { disableLogger: true, routerConfig: Http.routerConfig })),
        ({ dispose }) => Effect.promise(dispose)
      )
      return web.handler
    })
  ).pipe(Layer.provide(HttpServer.layerServices), Layer.provideMerge(everything))

export const wire = wireOver(services)

interface Answer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what the test is about
  readonly body: any
}

/** One request with the test project's secret key. A body that is not text is sent as JSON. */
export const send = Effect.fnUntraced(function* (
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {}
): Effect.fn.Return<Answer, never, Wire> {
  const handler = yield* Wire
  const response = yield* Effect.promise(() =>
    handler(
      new Request(`http://posthorn${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
        ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) })
      })
    )
  )
  const isEvents = response.headers.get("content-type") === "text/event-stream"
  // Such a stream does not end.
  if (isEvents) yield* Effect.promise(async () => response.body?.cancel())
  const text = isEvents ? "" : yield* Effect.promise(() => response.text())
  const isJson = text !== "" && /^application\/json\b/.test(response.headers.get("content-type") ?? "")
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text || undefined }
})

/** Status and code, as one line. */
export const outcome = (...request: Parameters<typeof send>): Effect.Effect<string, never, Wire> =>
  Effect.map(send(...request), ({ status, body }) => `${status} ${body?.error?.code ?? body?.error ?? "ok"}`)
