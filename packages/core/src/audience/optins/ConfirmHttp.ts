/** `/confirm`: the page behind the link of a confirmation mail. */
import { Effect, type Layer, Option } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { BodyReaders } from "../../platform/http/BodyReaders.ts"
import type { LinkTarget, RequestLinks } from "../../platform/links/RequestLinks.ts"
import { linkPages } from "../../platform/web/LinkPages.ts"
import { nothing } from "../../platform/web/PageHtml.ts"
import { form, headers, place, policy, respondPage } from "../../platform/web/PageRequest.ts"
import { pageClient } from "../pages/PageClient.ts"
import { confirmPage } from "./ConfirmPageHtml.ts"
import * as OptIns from "./OptIns.ts"

const makeRoutes = Effect.gen(function* () {
  const readers = yield* BodyReaders
  const optIns = yield* OptIns.make

  const shown = Effect.fnUntraced(function* (standing: Option.Option<OptIns.Standing>) {
    if (Option.isNone(standing)) return respondPage(nothing(yield* place()))
    const { pages, redirectUrl } = standing.value
    const where = { ...(yield* place(standing.value)), brand: pages }
    return respondPage(confirmPage(where, standing.value), 200, {
      "content-security-policy": policy({ logoUrl: pages.logoUrl, formTargets: [redirectUrl] })
    })
  })

  const act = Effect.fnUntraced(function* (link: LinkTarget) {
    const fields = yield* form(readers)
    const says = (name: string) => fields.get(name)?.trim() === "1"
    const client = yield* pageClient
    if (says("decline")) return yield* shown(yield* optIns.decline(link, client))
    if (!says("confirm")) return yield* shown(yield* optIns.look(link))
    const standing = yield* optIns.confirm(link, client)
    if (Option.isSome(standing) && standing.value.isDone && standing.value.redirectUrl !== null) {
      return HttpServerResponse.redirect(standing.value.redirectUrl, { status: 303, headers })
    }
    return yield* shown(standing)
  })

  return yield* linkPages("confirm", (link) => Effect.flatMap(optIns.look(link), shown), act)
})

export const layer: Layer.Layer<never, never, BodyReaders | HttpRouter.HttpRouter | OptIns.Needs | RequestLinks> =
  HttpRouter.addAll(makeRoutes)
