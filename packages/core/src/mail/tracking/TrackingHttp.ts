/**
 * The routes `/t/o` and `/t/c`: the pixel and the links of tracked mail. They need no key and do not count toward the rate
 * limit of a project.
 *
 * A link always redirects, even if the click cannot be recorded: the response does not wait for slow storage.
 */
import { DateTime, Duration, Effect, type Layer, Option } from "effect"
import { Base64 } from "effect/encoding"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { inContext } from "../../platform/http/Routes.ts"
import { LinkHostRequest } from "../../platform/links/LinkHostRequest.ts"
import { respondNotFound } from "../../platform/web/PageRequest.ts"
import { isMachineRequest } from "./BotDetection.ts"
import { Engagement, type Hit } from "./Engagement.ts"
import { type TrackedMail, TrackingLinks } from "./TrackingLinks.ts"

/** How long a response waits until the hit is stored. */
const patience = Duration.seconds(1)

const headers = { "cache-control": "no-store, private", "x-robots-tag": "noindex", "referrer-policy": "no-referrer" }

/** A transparent image of one pixel. */
const gif = Base64.decode("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7")

const makeRoutes = Effect.gen(function* () {
  const hits = yield* Engagement
  const links = yield* TrackingLinks
  const here = yield* inContext
  const pixel = HttpServerResponse.uint8Array(yield* Effect.orDie(Effect.fromResult(gif)), {
    contentType: "image/gif",
    headers
  })

  const record = Effect.fnUntraced(function* (
    request: HttpServerRequest.HttpServerRequest,
    hit: Omit<Hit, "at" | "isMachine">
  ) {
    const isMachine = isMachineRequest({ method: request.method, userAgent: request.headers["user-agent"] })
    const recorded = yield* Effect.timeoutOption(hits.record({ ...hit, at: yield* DateTime.now, isMachine }), patience)
    if (Option.isNone(recorded)) yield* Effect.logWarning("An open or click is not stored yet")
  })

  /** A link host accepts only tokens of its own projects. */
  const takenHere = <A extends TrackedMail>(mail: Option.Option<A>) =>
    Effect.map(LinkHostRequest, (onHost) =>
      Option.filter(mail, ({ project }) => onHost === undefined || onHost.projects.has(project))
    )

  const open = Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const { file = "" } = yield* HttpRouter.params
    const mail = file.endsWith(".gif")
      ? yield* Effect.flatMap(links.readPixel(file.slice(0, -".gif".length)), takenHere)
      : Option.none()
    if (Option.isSome(mail)) yield* record(request, { ...mail.value, kind: "open", link: null, url: null })
    return pixel
  })

  const click = Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const { token = "" } = yield* HttpRouter.params
    const { u } = yield* HttpServerRequest.ParsedSearchParams
    const destination = typeof u === "string" ? u : ""
    const link = yield* Effect.flatMap(links.readClick(token, destination), takenHere)
    if (Option.isNone(link)) return yield* respondNotFound
    const { number, ...mail } = link.value
    yield* record(request, { ...mail, kind: "click", link: number, url: destination })
    return HttpServerResponse.empty({ status: 302, headers: { ...headers, location: destination } })
  })

  return [HttpRouter.route("GET", "/t/o/:file", here(open)), HttpRouter.route("GET", "/t/c/:token", here(click))]
})

export const layer: Layer.Layer<never, never, Engagement | HttpRouter.HttpRouter | TrackingLinks> =
  HttpRouter.addAll(makeRoutes)
