/**
 * `/privacy`: the page behind the link of a mail about a recipient's data.
 */
import { PersonalData } from "@posthorn/contract/audience/contacts/ContactExport"
import { Effect, type Layer, Option, Schema } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { BodyReaders } from "../../platform/http/BodyReaders.ts"
import type { LinkTarget, RequestLinks } from "../../platform/links/RequestLinks.ts"
import { linkPages } from "../../platform/web/LinkPages.ts"
import { nothing } from "../../platform/web/PageHtml.ts"
import { form, headers, place, policy, respondPage } from "../../platform/web/PageRequest.ts"
import { privacyPage } from "./PrivacyPageHtml.ts"
import * as PrivacyRequests from "./PrivacyRequests.ts"

const encode = Schema.encodeEffect(PersonalData)

const makeRoutes = Effect.gen(function* () {
  const readers = yield* BodyReaders
  const requests = yield* PrivacyRequests.make

  const shown = Effect.fnUntraced(function* (standing: Option.Option<PrivacyRequests.RequestStanding>) {
    if (Option.isNone(standing)) return respondPage(nothing(yield* place()))
    const { pages } = standing.value
    const where = { ...(yield* place(standing.value)), brand: pages }
    return respondPage(privacyPage(where, standing.value), 200, {
      "content-security-policy": policy({ logoUrl: pages.logoUrl })
    })
  })

  const file = (data: PersonalData) =>
    Effect.map(Effect.orDie(encode(data)), (encoded) =>
      HttpServerResponse.text(JSON.stringify(encoded, null, 2), {
        contentType: "application/json",
        headers: { ...headers, "content-disposition": 'attachment; filename="data.json"' }
      })
    )

  const act = Effect.fnUntraced(function* (link: LinkTarget) {
    const fields = yield* form(readers)
    if (fields.get("confirm")?.trim() !== "1") return yield* shown(yield* requests.look(link))
    const confirmed = yield* requests.confirm(link)
    if (Option.isNone(confirmed)) return yield* shown(Option.none())
    const { data, standing } = confirmed.value
    return yield* data === undefined ? shown(Option.some(standing)) : file(data)
  })

  return yield* linkPages("privacy", (link) => Effect.flatMap(requests.look(link), shown), act)
})

export const layer: Layer.Layer<
  never,
  never,
  BodyReaders | HttpRouter.HttpRouter | PrivacyRequests.Needs | RequestLinks
> = HttpRouter.addAll(makeRoutes)
