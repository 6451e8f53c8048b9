/**
 * Requests to link hosts. They reach the links of mail and nothing else of the service. Also answers proxies that issue
 * certificates on demand.
 */
import { envelope, ResourceNotFound } from "@posthorn/contract/platform/Errors"
import { Effect, Layer, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { isTrustedPeer } from "../../platform/http/DirectPeer.ts"
import { respond, routeNotFound } from "../../platform/http/Respond.ts"
import { inContext } from "../../platform/http/Routes.ts"
import { LinkHostRequest } from "../../platform/links/LinkHostRequest.ts"
import { Settings } from "../../platform/Settings.ts"
import { LinkHosts, proofPath } from "./LinkHosts.ts"

/** The name in a Host header. Undefined for addresses and for names that no customer can have. */
const nameIn = (header: string | undefined): string | undefined =>
  /^([a-z0-9.-]+\.[a-z][a-z0-9-]*)\.?(?::\d+)?$/i.exec(header ?? "")?.[1]?.toLowerCase()

/** The links of mail, and the style of their pages. */
const served = /^\/(?:(?:t|unsubscribe|subscribe|manage)\/.+|pages\.css)$/

const noLinkHost = (id: string) =>
  Effect.map(
    Effect.orDie(Schema.encodeEffect(envelope(ResourceNotFound))(new ResourceNotFound({ resource: "link_host", id }))),
    respond
  )

const certificates = Effect.gen(function* () {
  const hosts = yield* LinkHosts
  const here = yield* inContext
  const allow = Effect.gen(function* () {
    if (!(yield* isTrustedPeer)) return yield* routeNotFound
    const { domain } = yield* HttpServerRequest.ParsedSearchParams
    const name = typeof domain === "string" ? domain.slice(0, 300) : ""
    return (yield* hosts.mayHaveCertificate(name)) ? HttpServerResponse.text("ok") : yield* noLinkHost(name)
  })
  return [HttpRouter.route("GET", "/tls/allow", here(allow))]
})

const guard = HttpRouter.middleware(
  Effect.map(Effect.all([LinkHosts, Settings]), ([hosts, { publicUrl }]) => {
    const own = new URL(publicUrl).hostname
    /** Without storage a request is treated as one to the public URL. */
    const projectsOf = (host: string) =>
      Effect.catchDefect(hosts.projectsOf(host), (defect) =>
        Effect.as(Effect.logDebug("A host cannot be looked up", defect), undefined)
      )
    return (app) =>
      Effect.gen(function* () {
        const { headers, method, url } = yield* HttpServerRequest.HttpServerRequest
        const host = nameIn(headers["host"])
        if (host === undefined || host === own) return yield* app
        const projects = yield* projectsOf(host)
        if (projects === undefined) return yield* app
        const path = url.split("?", 1)[0] ?? ""
        if (path === proofPath && (method === "GET" || method === "HEAD")) {
          return HttpServerResponse.text(yield* hosts.proof(host), { headers: { "cache-control": "no-store" } })
        }
        if (!served.test(path)) return yield* routeNotFound
        return yield* Effect.provideService(app, LinkHostRequest, { projects })
      })
  }),
  { global: true }
)

export const layer: Layer.Layer<never, never, HttpRouter.HttpRouter | LinkHosts> = Layer.merge(
  HttpRouter.addAll(certificates),
  guard
)
