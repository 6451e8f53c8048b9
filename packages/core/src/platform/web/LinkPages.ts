/** Pages behind a link of `RequestLinks`. GET and HEAD never change anything: scanners open links. */
import { Effect, Option } from "effect"
import { HttpRouter, type HttpServerResponse } from "effect/http"
import { inContext } from "../http/Routes.ts"
import { LinkHostRequest } from "../links/LinkHostRequest.ts"
import { type LinkTarget, RequestLinks } from "../links/RequestLinks.ts"
import { makePageLimit, type Request, respondNotFound } from "./PageRequest.ts"

type Page = (link: LinkTarget) => Effect.Effect<HttpServerResponse.HttpServerResponse, never, Request>

/** The routes of the links of this kind, with a limit for each client. A link of another kind or project is not found. */
export const linkPages = Effect.fnUntraced(function* (kind: "confirm" | "privacy", look: Page, act: Page) {
  const links = yield* RequestLinks
  const here = yield* inContext
  const limited = makePageLimit()

  const asked = Effect.gen(function* () {
    const { token = "" } = yield* HttpRouter.params
    const onHost = yield* LinkHostRequest
    const found = yield* links.read(kind, token)
    return Option.filter(found, ({ project }) => onHost === undefined || onHost.projects.has(project))
  })

  const answer = (page: Page) =>
    Effect.flatMap(asked, (link) => (Option.isNone(link) ? respondNotFound : page(link.value))).pipe(limited, here)

  const path = `/${kind}/:token` as const
  return [HttpRouter.route("GET", path, answer(look)), HttpRouter.route("POST", path, answer(act))]
})
