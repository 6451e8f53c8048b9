/**
 * `/privacy`: the page behind the link of a mail about a recipient's data. GET and HEAD never change anything: scanners
 * open links.
 */
import { PersonalData } from "@posthorn/contract/audience/contacts/ContactExport"
import { Effect, type Layer, Option, Schema } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { BodyReaders } from "../../platform/http/BodyReaders.ts"
import { inContext } from "../../platform/http/Routes.ts"
import { LinkHostRequest } from "../../platform/links/LinkHostRequest.ts"
import { type LinkTarget, RequestLinks } from "../../platform/links/RequestLinks.ts"
import { nothing } from "../../platform/web/PageHtml.ts"
import {
  form,
  headers,
  makePageLimit,
  place,
  policy,
  respondNotFound,
  respondPage
} from "../../platform/web/PageRequest.ts"
import { privacyPage } from "./PrivacyPageHtml.ts"
import * as PrivacyRequests from "./PrivacyRequests.ts"

const path = "/privacy/:token"
const encode = Schema.encodeEffect(PersonalData)

const makeRoutes = Effect.gen(function* () {
  const links = yield* RequestLinks
  const readers = yield* BodyReaders
  const requests = yield* PrivacyRequests.make
  const here = yield* inContext
  const limited = makePageLimit()

  const asked = Effect.gen(function* () {
    const { token = "" } = yield* HttpRouter.params
    const onHost = yield* LinkHostRequest
    const found = yield* links.read("privacy", token)
    return Option.filter(found, ({ project }) => onHost === undefined || onHost.projects.has(project))
  })

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

  const answer = (app: (link: LinkTarget) => ReturnType<typeof act>) =>
    Effect.flatMap(asked, (link) => (Option.isNone(link) ? respondNotFound : app(link.value))).pipe(limited)

  return [
    HttpRouter.route("GET", path, here(answer((link) => Effect.flatMap(requests.look(link), shown)))),
    HttpRouter.route("POST", path, here(answer(act)))
  ]
})

export const layer: Layer.Layer<
  never,
  never,
  BodyReaders | HttpRouter.HttpRouter | PrivacyRequests.Needs | RequestLinks
> = HttpRouter.addAll(makeRoutes)
