/**
 * `/archive/{projectId}`: the public archive of a project as a list, as a feed, and each campaign as a page. They need no
 * key, cookie or script.
 */
import { CampaignId } from "@posthorn/contract/automation/campaigns/Campaign"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Id } from "@posthorn/contract/platform/Primitives"
import { Duration, Effect, type Layer, Option, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { inContext } from "../../../platform/http/Routes.ts"
import { LinkHostRequest } from "../../../platform/links/LinkHostRequest.ts"
import { Settings } from "../../../platform/Settings.ts"
import { languageOf } from "../../../platform/web/Languages.ts"
import { makePageLimit, place, policy, respondNotFound, respondPage } from "../../../platform/web/PageRequest.ts"
import * as Archive from "./Archive.ts"
import { archiveFeed, archivePage } from "./ArchiveHtml.ts"

const cached = {
  "cache-control": `public, max-age=${Duration.toSeconds(Archive.lifetime)}`,
  "x-content-type-options": "nosniff"
}

/** The HTML of a project has no origin here, so it can read no page and no session of the service. */
const sandbox = "sandbox; default-src 'none'; img-src https: data:; style-src 'unsafe-inline'"

const isId = Schema.decodeUnknownOption(Id)

/** Pages of the list that are shown. */
const maxPages = 1_000

const pageNumber = Effect.map(HttpServerRequest.ParsedSearchParams, ({ page }) => {
  const number = typeof page === "string" && /^\d{1,4}$/.test(page) ? Number(page) : 1
  return number >= 1 && number <= maxPages ? number : 1
})

const makeRoutes = Effect.gen(function* () {
  const archive = yield* Archive.make
  const { publicUrl } = yield* Settings
  const here = yield* inContext
  const limited = makePageLimit()

  const projectOf = Effect.gen(function* () {
    const { project = "" } = yield* HttpRouter.params
    const onHost = yield* LinkHostRequest
    const id = Option.map(isId(project), (text) => ProjectId.make(text))
    if (Option.isNone(id) || (onHost !== undefined && !onHost.projects.has(id.value))) return Option.none()
    return yield* archive.project(id.value)
  })

  const list = Effect.gen(function* () {
    const project = yield* projectOf
    if (Option.isNone(project)) return yield* respondNotFound
    const { language, pages } = project.value
    const number = yield* pageNumber
    const found = yield* archive.list(project.value, number)
    const where = { ...(yield* place({ locale: null, language })), brand: pages }
    return respondPage(archivePage(where, { project: project.value, found, number }), 200, {
      ...cached,
      "content-security-policy": policy({ logoUrl: pages.logoUrl })
    })
  })

  const feed = Effect.gen(function* () {
    const project = yield* projectOf
    if (Option.isNone(project)) return yield* respondNotFound
    const found = yield* archive.list(project.value, 1)
    const language = languageOf(project.value.language)
    return HttpServerResponse.text(archiveFeed(publicUrl, language, project.value, found), {
      contentType: "application/rss+xml; charset=utf-8",
      headers: cached
    })
  })

  const campaign = Effect.gen(function* () {
    const project = yield* projectOf
    const { campaign = "" } = yield* HttpRouter.params
    const id = Option.map(isId(campaign), (text) => CampaignId.make(text))
    if (Option.isNone(project) || Option.isNone(id)) return yield* respondNotFound
    const html = yield* archive.html(project.value, id.value)
    if (Option.isNone(html)) return yield* respondNotFound
    return HttpServerResponse.text(html.value, {
      contentType: "text/html; charset=utf-8",
      headers: { ...cached, "content-security-policy": sandbox, "referrer-policy": "no-referrer" }
    })
  })

  return [
    HttpRouter.route("GET", "/archive/:project", here(limited(list))),
    HttpRouter.route("GET", "/archive/:project/feed.xml", here(limited(feed))),
    HttpRouter.route("GET", "/archive/:project/:campaign", here(limited(campaign)))
  ]
})

export const layer: Layer.Layer<never, never, Archive.Needs | HttpRouter.HttpRouter> = HttpRouter.addAll(makeRoutes)
