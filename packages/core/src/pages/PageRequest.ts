/** What a request for a public page asks for: its language, its form. */
import { ByteSize, Effect, Option } from "effect"
import { HttpIncomingMessage, HttpServerRequest, HttpServerResponse } from "effect/http"
import { type Language, languageOf } from "../rendering/Languages.ts"
import { Settings } from "../Settings.ts"
import type { Html } from "./Html.ts"
import type { Place } from "./PageHtml.ts"
import * as PageHtml from "./PageHtml.ts"
import type { Standing } from "./PageStore.ts"

/** By weight; what is not wanted at all is left out (RFC 9110 12.5.4). */
export const acceptedLanguages = (header: string | undefined): ReadonlyArray<string> =>
  (header ?? "")
    .split(",")
    .map((item) => {
      const [range = "", ...parameters] = item.split(";").map((part) => part.trim())
      const weight = parameters.find((parameter) => /^q=/i.test(parameter))
      return { range, weight: weight === undefined ? 1 : Number(weight.slice(2)) }
    })
    .filter(({ range, weight }) => range !== "" && range !== "*" && weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ range }) => range)

/** Asked for by name, the contact's, the project's, the browser's (contract-2 15.4). */
const language = (standing?: Standing): Effect.Effect<Language, never, Request> =>
  Effect.gen(function* () {
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    const { lang } = yield* HttpServerRequest.ParsedSearchParams
    const accepted = acceptedLanguages(headers["accept-language"])
    return languageOf(lang, standing?.locale, standing?.language, ...accepted)
  })

export type Request = HttpServerRequest.HttpServerRequest | HttpServerRequest.ParsedSearchParams

/** Path of the installation: empty, or without a slash at its end. */
export const basePath = (publicUrl: string): string => new URL(publicUrl).pathname.replace(/\/$/, "")

export const place = Effect.fnUntraced(function* (standing?: Standing): Effect.fn.Return<Place, never, Request> {
  const { publicUrl } = yield* Settings
  return { language: yield* language(standing), base: basePath(publicUrl), kept: "" }
})

const maxForm = ByteSize.bytes(16 * 1024)

/** The fields of a form as they were sent, urlencoded or multipart; none of what is neither, or too long. */
export const form = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  const body = yield* Effect.option(
    Effect.provideService(request.arrayBuffer, HttpIncomingMessage.MaxBodySize, maxForm)
  )
  if (Option.isNone(body)) return new Map<string, string>()
  const contentType = request.headers["content-type"] ?? "application/x-www-form-urlencoded"
  const fields = yield* Effect.option(
    Effect.tryPromise(() => new Response(body.value, { headers: { "content-type": contentType } }).formData())
  )
  const texts = new Map<string, string>()
  for (const [name, value] of Option.isSome(fields) ? fields.value : []) {
    if (typeof value === "string") texts.set(name, value)
  }
  return texts
})

/** Of every answer of these pages (contract-2 15.2). */
export const headers = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex",
  "content-security-policy":
    "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
}

export const respond = (
  page: Html,
  status = 200,
  more: { readonly [name: string]: string } = {}
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(page.toString(), {
    status,
    contentType: "text/html; charset=utf-8",
    headers: { ...headers, ...more }
  })

/** For tokens that were not made here. */
export const notFound: Effect.Effect<HttpServerResponse.HttpServerResponse, never, Request> = Effect.map(
  place(),
  (where) => respond(PageHtml.notFound(where), 404)
)
