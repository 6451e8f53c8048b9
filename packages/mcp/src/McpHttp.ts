/**
 * `/mcp`: the tools of the Model Context Protocol over streamable HTTP. Each call of a tool becomes a request with the
 * key of the caller through the router of this server, so it has the checks, limits and records of every request.
 */
import { Forbidden, InvalidApiKey } from "@posthorn/contract/platform/Auth"
import { InvalidJson, UnsupportedMediaType, ValidationError } from "@posthorn/contract/platform/Errors"
import { anyKey, type KeyServices } from "@posthorn/core/accounts/projects/ProjectAuthHttp"
import * as BodyMemoryLimit from "@posthorn/core/platform/http/BodyMemoryLimit"
import { BodyReaders } from "@posthorn/core/platform/http/BodyReaders"
import { bodyWithin, jsonIn } from "@posthorn/core/platform/http/BodyWithin"
import { carried } from "@posthorn/core/platform/http/RequestContext"
import { refusals, respondRefusal } from "@posthorn/core/platform/http/Respond"
import { once } from "@posthorn/core/platform/http/Routes"
import { Settings } from "@posthorn/core/platform/Settings"
import * as DocsHttp from "@posthorn/docs/DocsHttp"
import { currentDocument } from "@posthorn/docs/document/CurrentDocument"
import { Context, Effect, Layer, Option, Scope } from "effect"
import { HttpEffect, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Send, Toolbox, Wishes } from "./index.ts"

/** Bytes of a request. */
const bodyLimit = 4 * 1024 * 1024
const most = { nesting: 100, values: 100_000 }

/** Messages of a request, which run at once. */
const mostMessages = 20

/** The host matters to no one: the request does not leave the process. */
const inside = "http://mcp.invalid"

/** The module is loaded with the first request, because a server without such clients does not need it. */
const load = Effect.promise(() => import("./index.ts"))

const keyIn = (authorization: string | undefined): string =>
  /^bearer\s+(\S+)$/i.exec(authorization?.trim() ?? "")?.[1] ?? (authorization?.trim() ? "?" : "")

const readBody = Effect.fnUntraced(function* (readers: BodyReaders["Service"]) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const { headers } = request
  if (!/^application\/json\s*(?:;|$)/i.test(headers["content-type"]?.trim() ?? ""))
    return yield* new UnsupportedMediaType()
  const length = BodyMemoryLimit.declared(headers["content-length"])
  const read = BodyMemoryLimit.read("", length, bodyLimit, bodyWithin(request, bodyLimit))
  const bytes = yield* readers.read(Math.min(length ?? bodyLimit, bodyLimit), read)
  const json = jsonIn(new Uint8Array(bytes), most)
  if (Option.isNone(json)) return yield* new InvalidJson()
  const { value } = json.value
  if (Array.isArray(value) && value.length > mostMessages) {
    return yield* ValidationError.one("", "too_big", `At most ${mostMessages} messages in a request.`)
  }
  return json.value
})

/** `?write=true&groups=contacts,emails` */
const wishesIn = Effect.fnUntraced(function* ({ groups: known }: Toolbox) {
  const { write, groups } = yield* HttpServerRequest.ParsedSearchParams
  const named = typeof groups === "string" && groups !== "" ? groups.split(",") : undefined
  const unknown = named?.find((name) => !known.includes(name))
  if (unknown !== undefined) {
    return yield* ValidationError.one("groups", "invalid_enum", `There are the groups ${known.join(", ")}.`)
  }
  const wishes: Wishes = { write: write === "true", groups: named }
  return wishes
})

const makeRoutes = Effect.gen(function* () {
  const admit = yield* anyKey
  const readers = yield* BodyReaders
  const router = yield* HttpRouter.HttpRouter
  const { publicUrl, dashboardOrigins } = yield* Settings
  // Not the context of the request to /mcp, which its own route has named and identified.
  const own = Context.omit(Scope.Scope)(carried(yield* Effect.context<never>()))
  const origins = new Set([new URL(publicUrl).origin, ...dashboardOrigins])
  const shared = yield* once
  const loaded = yield* shared(
    Effect.map(Effect.provideContext(Effect.all([load, currentDocument]), own), ([mcp, document]) => ({
      ...mcp,
      toolbox: mcp.toolboxOf(document)
    }))
  )

  /** Made at the first call, when every route is in the router. */
  let made: ReturnType<typeof router.asHttpEffect> | undefined
  const routed = Effect.suspend(() => {
    made ??= router.asHttpEffect()
    return made
  })

  /** Requests of a tool come from the same client, with the same key. */
  const sendAs = Effect.fnUntraced(function* (authorization: string) {
    const { headers, remoteAddress } = yield* HttpServerRequest.HttpServerRequest
    const handle = HttpEffect.toWebHandlerWith<never, HttpServerRequest.HttpServerRequest | Scope.Scope>(own)(
      Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
        Effect.provideService(routed, HttpServerRequest.HttpServerRequest, request.modify({ remoteAddress }))
      )
    )
    const send: Send = async ({ method, path, headers: given, body }) => {
      const answer = await handle(
        new Request(inside + path, {
          method,
          headers: { ...given, authorization, "user-agent": headers["user-agent"] ?? "mcp" },
          body: body ?? null
        })
      )
      return { status: answer.status, text: await answer.text() }
    }
    return send
  })

  /** Pages of other sites send their origin. A host name that was bound to this machine is such a site as well. */
  const refuseOrigin = Effect.fnUntraced(function* (origin: string | undefined) {
    if (origin !== undefined && !origins.has(origin)) return yield* new Forbidden({ reason: "origin" })
  })

  const handled = Effect.gen(function* () {
    const { method, url, headers } = yield* HttpServerRequest.HttpServerRequest
    yield* refuseOrigin(headers["origin"])
    const key = keyIn(headers["authorization"])
    if (key.startsWith("pk_")) return yield* new InvalidApiKey({ reason: "unknown" })
    yield* admit(key, "projects.current")
    const body = method === "POST" ? yield* readBody(readers) : undefined
    const { answer, toolbox } = yield* loaded
    const wishes = yield* wishesIn(toolbox)
    const send = yield* sendAs(`Bearer ${key}`)
    const request = new Request(new URL(url, inside), { method, headers: { ...headers }, body: body?.text ?? null })
    return HttpServerResponse.fromWeb(yield* Effect.promise(() => answer(toolbox, wishes, send, request, body?.value)))
  }).pipe(Effect.scoped, Effect.catchTag(refusals, respondRefusal))

  return (["POST", "GET", "DELETE"] as const).map((method) => HttpRouter.route(method, "/mcp", handled))
})

export const layer: Layer.Layer<never, never, BodyReaders | HttpRouter.HttpRouter | KeyServices> =
  HttpRouter.addAll(makeRoutes)

/** The same, with the documentation that the tools read, for a host that serves none. */
export const layerWithDocs: typeof layer = Layer.merge(layer, DocsHttp.markdown)
