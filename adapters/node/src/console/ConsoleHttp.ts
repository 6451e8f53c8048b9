/** The console under `/console`, and the way to it from `/`. */
import { type ConsoleOptions, consoleHandler } from "@posthorn/console"
import { routeNotFound } from "@posthorn/core/platform/http/Respond"
import { Effect, type Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"

const basePath = "/console"

/** Only the method, the path and the headers matter, so the host of the URL may be any. */
const webRequest = ({ method, url, headers }: HttpServerRequest.HttpServerRequest) =>
  new Request(new URL(url, "http://localhost"), { method, headers: { ...headers } })

const wantsHtml = (accept: string | undefined) => accept?.toLowerCase().includes("text/html") === true

export const layer = (options: ConsoleOptions): Layer.Layer<never, never, HttpRouter.HttpRouter> => {
  const handle = consoleHandler({ ...options, basePath })
  const served = Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const response = yield* Effect.promise(() => handle(webRequest(request)))
    return response === undefined ? yield* routeNotFound : HttpServerResponse.fromWeb(response)
  })
  /** People who open the address of the server come to the console; programs get the same 404 as before. */
  const home = Effect.gen(function* () {
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    return wantsHtml(headers["accept"])
      ? HttpServerResponse.redirect(basePath, { status: 302, headers: { vary: "Accept" } })
      : yield* routeNotFound
  })
  return HttpRouter.addAll([HttpRouter.route("GET", `${basePath}/*`, served), HttpRouter.route("GET", "/", home)])
}
