/**
 * Treats a request with two keys as a request without a key. Node.js would use the first key, while other hosts join
 * them.
 */
import { IncomingMessage } from "node:http"
import { Effect, type Layer } from "effect"
import { Headers, HttpRouter, HttpServerRequest } from "effect/http"

const isCredential = (name: string, index: number) => index % 2 === 0 && name.toLowerCase() === "authorization"

const together = (request: HttpServerRequest.HttpServerRequest) => {
  const { source } = request
  if (!(source instanceof IncomingMessage) || source.rawHeaders.filter(isCredential).length < 2) return request
  const all = (source.headersDistinct["authorization"] ?? []).join(", ")
  return request.modify({ headers: Headers.set(request.headers, "authorization", all) })
}

export const layer: Layer.Layer<never, never, HttpRouter.HttpRouter> = HttpRouter.middleware(
  (app) => Effect.updateService(app, HttpServerRequest.HttpServerRequest, together),
  { global: true }
)
