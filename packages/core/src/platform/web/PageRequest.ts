/** Requests for public pages: language, form fields and rate limit. */
import { ByteSize, Effect, Option } from "effect"
import { HttpIncomingMessage, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { BodyReaders } from "../http/BodyReaders.ts"
import * as ClientLimit from "../http/ClientLimit.ts"
import { LinkHostRequest } from "../links/LinkHostRequest.ts"
import { Settings } from "../Settings.ts"
import type { Html } from "./Html.ts"
import { type Language, languageOf } from "./Languages.ts"
import type { PageContext } from "./PageHtml.ts"
import * as PageHtml from "./PageHtml.ts"

/** Characters of Accept-Language that are parsed. */
const longestAccepted = 1_000

/** Sorted by weight. Languages with weight 0 are left out (RFC 9110 12.5.4). */
export const acceptedLanguages = (header: string | undefined): ReadonlyArray<string> =>
  (header ?? "")
    .slice(0, longestAccepted)
    .split(",")
    .map((item) => {
      const [range = "", ...parameters] = item.split(";").map((part) => part.trim())
      const weight = parameters.find((parameter) => /^q=/i.test(parameter))
      return { range, weight: weight === undefined ? 1 : Number(weight.slice(2)) }
    })
    .filter(({ range, weight }) => range !== "" && range !== "*" && weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ range }) => range)

/** The known languages of the recipient. */
export interface RecipientLanguages {
  /** Language of the contact. */
  readonly locale: string | null
  /** Language of the project. */
  readonly language: string
}

/** The language of the query, of the contact, of the project or of the browser, in this order. */
const language = (recipient?: RecipientLanguages): Effect.Effect<Language, never, Request> =>
  Effect.gen(function* () {
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    const { lang } = yield* HttpServerRequest.ParsedSearchParams
    const accepted = acceptedLanguages(headers["accept-language"])
    return languageOf(lang, recipient?.locale, recipient?.language, ...accepted)
  })

export type Request = HttpServerRequest.HttpServerRequest | HttpServerRequest.ParsedSearchParams

/** Path of the installation: empty, or without a trailing slash. */
export const basePath = (publicUrl: string): string => new URL(publicUrl).pathname.replace(/\/$/, "")

export const place = Effect.fnUntraced(function* (
  recipient?: RecipientLanguages
): Effect.fn.Return<PageContext, never, Request> {
  const { publicUrl } = yield* Settings
  const base = (yield* LinkHostRequest) === undefined ? basePath(publicUrl) : ""
  return { language: yield* language(recipient), base, kept: "" }
})

/** Bytes. */
const maxForm = 64 * 1024

/** Each field of a form with its values, in order. */
export type FormValues = ReadonlyMap<string, ReadonlyArray<string>>

/** The values of an urlencoded or multipart form. None for any other body, or one that is too long. */
export const formValues = Effect.fnUntraced(function* (
  readers: BodyReaders["Service"]
): Effect.fn.Return<FormValues, never, HttpServerRequest.HttpServerRequest> {
  const request = yield* HttpServerRequest.HttpServerRequest
  const bytes = Effect.provideService(request.arrayBuffer, HttpIncomingMessage.MaxBodySize, ByteSize.bytes(maxForm))
  const body = yield* Effect.option(readers.read(maxForm, bytes))
  const values = new Map<string, Array<string>>()
  if (Option.isNone(body)) return values
  const contentType = request.headers["content-type"] ?? "application/x-www-form-urlencoded"
  const fields = yield* Effect.option(
    Effect.tryPromise(() => new Response(body.value, { headers: { "content-type": contentType } }).formData())
  )
  for (const [name, value] of Option.isSome(fields) ? fields.value : []) {
    if (typeof value !== "string") continue
    const known = values.get(name)
    if (known === undefined) values.set(name, [value])
    else known.push(value)
  }
  return values
})

/** The fields of a form, each with its last value. */
export const form = (
  readers: BodyReaders["Service"]
): Effect.Effect<ReadonlyMap<string, string>, never, HttpServerRequest.HttpServerRequest> =>
  Effect.map(formValues(readers), (values) => new Map([...values].map(([name, all]) => [name, all.at(-1) ?? ""])))

/** Headers of every response with a public page. */
export const headers = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex",
  "content-security-policy":
    "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
}

/** What a page may load and where its forms may lead, beside the service itself. */
export interface PagePolicy {
  readonly logoUrl?: string | null
  /** Where a form ends by a redirect: browsers check it too. */
  readonly formTargets?: ReadonlyArray<string | null>
  /** Whether the page has a script of the service. */
  readonly hasScript?: boolean
  /** Origins whose pages may frame it. */
  readonly embedOrigins?: ReadonlyArray<string>
}

const originOf = (url: string | null | undefined): ReadonlyArray<string> => {
  const origin = url == null ? undefined : URL.parse(url)?.origin
  return origin === undefined || origin === "null" ? [] : [origin]
}

/** The value of the header `content-security-policy`. */
export const policy = ({ logoUrl, formTargets = [], hasScript = false, embedOrigins = [] }: PagePolicy): string =>
  [
    "default-src 'none'",
    "style-src 'self'",
    ...(hasScript ? ["script-src 'self'", "connect-src 'self'"] : []),
    ...originOf(logoUrl).map((origin) => `img-src ${origin}`),
    ["form-action 'self'", ...formTargets.flatMap(originOf)].join(" "),
    `frame-ancestors ${embedOrigins.length === 0 ? "'none'" : embedOrigins.join(" ")}`,
    "base-uri 'none'"
  ].join("; ")

export const respondPage = (
  page: Html,
  status = 200,
  more: { readonly [name: string]: string } = {}
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(page.toString(), {
    status,
    contentType: "text/html; charset=utf-8",
    headers: { ...headers, ...more }
  })

/** The page for invalid tokens. */
export const respondNotFound: Effect.Effect<HttpServerResponse.HttpServerResponse, never, Request> = Effect.map(
  place(),
  (where) => respondPage(PageHtml.notFound(where), 404)
)

/** Requests of one client in any 60 seconds. */
export const requestsPerMinute = 600

/**
 * Refuses more requests of one client than a person would send. Each call creates a separate limit. Requests without an
 * address come from an application that embeds the service, and the application limits them.
 */
export const makePageLimit = () => {
  const limit = ClientLimit.make(requestsPerMinute)
  /** `refuse` makes the answer at the limit, by default a page. It gets the seconds to wait. */
  return <E, R>(
    app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
    refuse: (wait: number) => Effect.Effect<HttpServerResponse.HttpServerResponse, never, Request> = () =>
      Effect.map(place(), (where) => respondPage(PageHtml.busy(where), 429))
  ): Effect.Effect<HttpServerResponse.HttpServerResponse, E, R | Request> =>
    Effect.gen(function* () {
      const client = yield* ClientLimit.client
      const wait = client === undefined ? Option.none() : yield* limit.take(client)
      if (Option.isNone(wait)) return yield* app
      return HttpServerResponse.setHeader(yield* refuse(wait.value), "retry-after", String(wait.value))
    })
}
