/**
 * `/unsubscribe`, `/subscribe`, `/manage`: the pages behind the links in mails.
 *
 * They need no key, cookie or script. GET and HEAD never change anything, because mail scanners open links.
 */
import type { PrivacyRequestType } from "@posthorn/contract/audience/privacy/PrivacyRequest"
import { DateTime, Effect, type Layer, Option } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { BodyReaders } from "../../platform/http/BodyReaders.ts"
import { inContext } from "../../platform/http/Routes.ts"
import { LinkHostRequest } from "../../platform/links/LinkHostRequest.ts"
import { type Bearer, PublicLinks, type Purpose, preferencesLink, purposes } from "../../platform/links/PublicLinks.ts"
import type { Html } from "../../platform/web/Html.ts"
import { accentStyle } from "../../platform/web/PageBrand.ts"
import { nothing } from "../../platform/web/PageHtml.ts"
import {
  type FormValues,
  formValues,
  headers,
  makePageLimit,
  place,
  policy,
  respondNotFound,
  respondPage
} from "../../platform/web/PageRequest.ts"
import { pageStyle } from "../../platform/web/PageStyle.ts"
import * as PrivacyRequests from "../privacy/PrivacyRequests.ts"
import { pageClient } from "./PageClient.ts"
import * as PageHtml from "./PageHtml.ts"
import * as Pages from "./Pages.ts"
import { isOneClick, type PageFault, readForm, requestIn } from "./PageWish.ts"
import * as PreferencesHttp from "./PreferencesHttp.ts"

const unsubscribed = HttpServerResponse.text("Unsubscribed", { contentType: "text/plain; charset=utf-8", headers })

/** A fault of the form changes nothing. The page shows it. */
interface Outcome {
  readonly opened: Option.Option<Pages.OpenedLink>
  readonly wish: Pages.Wish | undefined
  readonly fault: PageFault | undefined
}

/** The accent colour of a project is part of the address, so that a page needs no style of its own. */
const style = Effect.map(HttpServerRequest.ParsedSearchParams, ({ accent }) =>
  HttpServerResponse.text(
    typeof accent === "string" && /^[0-9a-f]{6}$/.test(accent) ? pageStyle + accentStyle(accent) : pageStyle,
    { contentType: "text/css; charset=utf-8", headers: { "cache-control": "public, max-age=300" } }
  )
)

const makeRoutes = Effect.gen(function* () {
  const links = yield* PublicLinks
  const readers = yield* BodyReaders
  const pages = yield* Pages.make
  const requests = yield* PrivacyRequests.make
  const here = yield* inContext
  const limited = makePageLimit()

  const bearerOf = (purpose: Purpose) =>
    Effect.gen(function* () {
      const { token = "" } = yield* HttpRouter.params
      const onHost = yield* LinkHostRequest
      const bearer = yield* links.read(purpose, token)
      return Option.filter(bearer, ({ project }) => onHost === undefined || onHost.projects.has(project))
    })

  /** Only the page of preferences may be framed. */
  const respond = (purpose: Purpose, { settings: { pages } }: Pages.PageState, page: Html, status = 200) =>
    respondPage(page, status, {
      "content-security-policy": policy({
        logoUrl: pages.logoUrl,
        ...(purpose === "manage" && { embedOrigins: pages.embedOrigins })
      })
    })

  /** The page of the project's own has the same token. */
  const preferencesOf = Effect.fnUntraced(function* (
    { project, contact, email }: Bearer,
    state: Pages.PageState,
    base: string
  ) {
    const hosted = `${base}/manage/${yield* links.token("manage", { project, contact, email })}`
    return preferencesLink(state.settings.pages.preferencesUrl, hosted)
  })

  const shownFor = Effect.fnUntraced(function* (purpose: Purpose, { holder, state }: Pages.OpenedLink) {
    const where = { ...(yield* place(state)), brand: state.settings.pages }
    const preferences = purpose === "manage" ? null : yield* preferencesOf(holder, state, where.base)
    return { place: where, state, now: yield* DateTime.now, preferences }
  })

  const ask = Effect.fnUntraced(function* (purpose: Purpose, bearer: Bearer) {
    const opened = yield* pages.look(bearer)
    if (Option.isNone(opened)) return respondPage(nothing(yield* place()))
    return respond(purpose, opened.value.state, PageHtml.first(yield* shownFor(purpose, opened.value), purpose))
  })

  const act = Effect.fnUntraced(function* (purpose: Purpose, bearer: Bearer, values: FormValues) {
    const now = yield* DateTime.now
    let wish: Pages.Wish | undefined
    let fault: PageFault | undefined
    const wishOf = Effect.fnUntraced(function* (state: Pages.PageState) {
      const read = readForm(purpose, values, state, now)
      fault = read._tag === "Faulty" ? read.field : undefined
      wish = read._tag === "Wish" ? read.wish : undefined
      if (wish === undefined) return undefined
      // A mailbox provider sends its request without reading a page.
      const { language } = yield* place(state)
      const wording = isOneClick(purpose, values)
        ? undefined
        : { text: PageHtml.wording(purpose, state, language), language }
      return { wish, proof: { ...(yield* pageClient), wording } }
    })
    const opened = yield* pages.act(bearer, wishOf, isOneClick(purpose, values) ? "one_click" : "page")
    return { opened, wish, fault } satisfies Outcome
  })

  const answer = Effect.fnUntraced(function* (purpose: Purpose, { opened, wish, fault }: Outcome) {
    if (Option.isNone(opened)) return respondPage(nothing(yield* place()))
    const { holder, state } = opened.value
    const shown = yield* shownFor(purpose, opened.value)
    if (purpose === "manage") {
      const change = wish?.subscribed === true ? ("subscribed" as const) : ("unsubscribed" as const)
      const done = wish === undefined ? undefined : wish.topics === undefined ? change : ("saved" as const)
      return respond(purpose, state, PageHtml.preferences(shown, { done, fault }), fault === undefined ? 200 : 422)
    }
    if (wish === undefined) return respond(purpose, state, PageHtml.question(shown, purpose))
    const opposite = purpose === "subscribe" ? "unsubscribe" : "subscribe"
    const ofTopic = wish.topics !== undefined
    const { topic: _, ...all } = holder
    const undo = `${shown.place.base}/${opposite}/${yield* links.token(opposite, ofTopic ? holder : all)}`
    return respond(purpose, state, PageHtml.result(shown, purpose, { undo, ofTopic }))
  })

  /** A button that the page does not offer, or of a test mail, shows the page again. */
  const askAboutData = Effect.fnUntraced(function* (bearer: Bearer, type: PrivacyRequestType) {
    const opened = yield* pages.look(bearer)
    if (Option.isNone(opened)) return respondPage(nothing(yield* place()))
    const { holder, state } = opened.value
    const shown = yield* shownFor("manage", opened.value)
    if (state.mail?.test || !PrivacyRequests.offers(state.settings, type)) {
      return respond("manage", state, PageHtml.preferences(shown))
    }
    yield* requests.ask(holder, state, type)
    return respond("manage", state, PageHtml.preferences(shown, { done: "asked" }))
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
      const values = yield* formValues(readers)
      const type = purpose === "manage" ? requestIn(values) : undefined
      if (type !== undefined) return yield* askAboutData(bearer.value, type)
      const outcome = yield* act(purpose, bearer.value, values)
      return isOneClick(purpose, values) ? unsubscribed : yield* answer(purpose, outcome)
    }).pipe(limited)

  const preferences = yield* PreferencesHttp.make

  return [
    HttpRouter.route("GET", "/pages.css", here(style)),
    HttpRouter.route("GET", "/public/preferences/:token", here(limited(preferences.get, PreferencesHttp.overLimit))),
    HttpRouter.route(
      "PATCH",
      "/public/preferences/:token",
      here(limited(preferences.patch, PreferencesHttp.overLimit))
    ),
    HttpRouter.route(
      "POST",
      "/public/preferences/:token/requests",
      here(limited(preferences.ask, PreferencesHttp.overLimit))
    ),
    ...purposes.flatMap((purpose) => [
      HttpRouter.route("GET", `/${purpose}/:token`, here(get(purpose))),
      HttpRouter.route("POST", `/${purpose}/:token`, here(post(purpose)))
    ])
  ]
})

export const layer: Layer.Layer<
  never,
  never,
  BodyReaders | HttpRouter.HttpRouter | Pages.Needs | PrivacyRequests.Needs | PublicLinks
> = HttpRouter.addAll(makeRoutes)
