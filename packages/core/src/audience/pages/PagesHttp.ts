/**
 * `/unsubscribe`, `/subscribe`, `/manage`: the pages behind the links in mails.
 *
 * They need no key, cookie or script. GET and HEAD never change anything, because mail scanners open links.
 */
import { Effect, type Layer, Option } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { BodyReaders } from "../../platform/http/BodyReaders.ts"
import { inContext } from "../../platform/http/Routes.ts"
import { LinkHostRequest } from "../../platform/links/LinkHostRequest.ts"
import { type Bearer, PublicLinks, type Purpose, purposes } from "../../platform/links/PublicLinks.ts"
import { nothing } from "../../platform/web/PageHtml.ts"
import { form, headers, makePageLimit, place, respondNotFound, respondPage } from "../../platform/web/PageRequest.ts"
import { pageStyle } from "../../platform/web/PageStyle.ts"
import * as PageHtml from "./PageHtml.ts"
import { Pages } from "./Pages.ts"

interface Wish {
  readonly subscribed: boolean
  readonly reason: "page" | "one_click"
}

/** What a submitted form requests on this page. Undefined if nothing valid. */
const wishOf = (purpose: Purpose, fields: ReadonlyMap<string, string>): Wish | undefined => {
  const said = (name: string) => fields.get(name)?.trim()
  const isConfirmed = said("confirm") === "1"
  switch (purpose) {
    case "unsubscribe":
      if (said("List-Unsubscribe") === "One-Click") return { subscribed: false, reason: "one_click" }
      return isConfirmed ? { subscribed: false, reason: "page" } : undefined
    case "subscribe":
      return isConfirmed ? { subscribed: true, reason: "page" } : undefined
    case "manage": {
      const subscribed = said("subscribed")
      return subscribed === "true" || subscribed === "false"
        ? { subscribed: subscribed === "true", reason: "page" }
        : undefined
    }
  }
}

const unsubscribed = HttpServerResponse.text("Unsubscribed", { contentType: "text/plain; charset=utf-8", headers })

const style = HttpServerResponse.text(pageStyle, {
  contentType: "text/css; charset=utf-8",
  headers: { "cache-control": "public, max-age=300" }
})

const makeRoutes = Effect.gen(function* () {
  const links = yield* PublicLinks
  const readers = yield* BodyReaders
  const pages = yield* Pages
  const here = yield* inContext
  const limited = makePageLimit()

  const bearerOf = (purpose: Purpose) =>
    Effect.gen(function* () {
      const { token = "" } = yield* HttpRouter.params
      const onHost = yield* LinkHostRequest
      const bearer = yield* links.read(purpose, token)
      return Option.filter(bearer, ({ project }) => onHost === undefined || onHost.projects.has(project))
    })

  const ask = Effect.fnUntraced(function* (purpose: Purpose, bearer: Bearer) {
    const standing = yield* pages.look(bearer)
    if (Option.isNone(standing)) return respondPage(nothing(yield* place()))
    return respondPage(PageHtml.question(yield* place(standing.value), purpose, standing.value))
  })

  const act = Effect.fnUntraced(function* (purpose: Purpose, bearer: Bearer, { subscribed, reason }: Wish) {
    const standing = yield* pages.subscribe(bearer, subscribed, reason)
    if (reason === "one_click") return unsubscribed
    if (Option.isNone(standing)) return respondPage(nothing(yield* place()))
    const where = yield* place(standing.value)
    const opposite = subscribed ? "unsubscribe" : "subscribe"
    const undo = purpose === "manage" ? undefined : `${where.base}/${opposite}/${yield* links.token(opposite, bearer)}`
    return respondPage(PageHtml.result(where, standing.value, undo))
  })

  const get = (purpose: Purpose) =>
    Effect.gen(function* () {
      const bearer = yield* bearerOf(purpose)
      return yield* Option.isNone(bearer) ? respondNotFound : ask(purpose, bearer.value)
    }).pipe(limited)

  const post = (purpose: Purpose) =>
    Effect.gen(function* () {
      const bearer = yield* bearerOf(purpose)
      if (Option.isNone(bearer)) return yield* respondNotFound
      const wish = wishOf(purpose, yield* form(readers))
      return yield* wish === undefined ? ask(purpose, bearer.value) : act(purpose, bearer.value, wish)
    }).pipe(limited)

  return [
    HttpRouter.route("GET", "/pages.css", style),
    ...purposes.flatMap((purpose) => [
      HttpRouter.route("GET", `/${purpose}/:token`, here(get(purpose))),
      HttpRouter.route("POST", `/${purpose}/:token`, here(post(purpose)))
    ])
  ]
})

export const layer: Layer.Layer<never, never, BodyReaders | HttpRouter.HttpRouter | Pages | PublicLinks> =
  HttpRouter.addAll(makeRoutes)
