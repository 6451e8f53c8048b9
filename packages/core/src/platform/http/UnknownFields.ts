/**
 * Fields of a body that its endpoint does not know. They are ignored and listed in the response. With `Prefer:
 * handling=strict` (RFC 7240 section 4.4) the request is refused instead.
 */
import { CurrentProject, CurrentUser } from "@posthorn/contract/platform/Auth"
import { ValidationError } from "@posthorn/contract/platform/Errors"
import { type Known, knownOf, type Open, unknownIn, type Warning } from "@posthorn/contract/platform/KnownFields"
import { Context, Effect, Option, Schema } from "effect"
import { HttpEffect, type HttpServerRequest, HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"

const trees = new WeakMap<HttpApiEndpoint.Top, Known | Open>()

/** Read from the schema of an endpoint once. */
const treeOf = (endpoint: HttpApiEndpoint.Top): Known | Open => {
  const known = trees.get(endpoint)
  if (known !== undefined) return known
  const schemas = [...endpoint.payload.values()].flatMap(({ schemas }) => schemas)
  const tree = schemas.length === 0 ? "open" : knownOf(Schema.Union(schemas))
  trees.set(endpoint, tree)
  return tree
}

const parse = Option.liftThrowable((text: string): unknown => JSON.parse(text))

const isStrict = ({ headers }: HttpServerRequest.HttpServerRequest): boolean =>
  (headers["prefer"]?.split(",") ?? []).some((preference) =>
    /^handling\s*=\s*"?strict"?$/i.test((preference.split(";")[0] ?? "").trim())
  )

/** Bytes of the header. Fields that do not fit are left out. */
const maxHeader = 2_048

/** JSON text in ASCII, since headers take nothing else. */
const ascii = (value: unknown): string =>
  JSON.stringify(value).replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)

const headerOf = (warnings: ReadonlyArray<Warning>): string => {
  let text = "["
  for (const warning of warnings) {
    const next = `${text === "[" ? "" : ","}${ascii(warning)}`
    if (text.length + next.length + 1 > maxHeader) break
    text += next
  }
  return `${text}]`
}

const isEnvelope = (content: Option.Option<unknown>): content is Option.Some<object> =>
  Option.isSome(content) && typeof content.value === "object" && content.value !== null && "success" in content.value

/**
 * Adds warnings to the envelope of the response, or to a header if it has none. A 422 has them too: a caller who writes
 * `html` instead of `body` sees that, and not only that `body` is missing.
 */
const withWarnings = (response: HttpServerResponse.HttpServerResponse, warnings: ReadonlyArray<Warning>) => {
  if (response.status >= 300 && response.status !== 422) return response
  const isJson = response.body._tag === "Uint8Array" && /\bjson\b/.test(response.body.contentType)
  const content =
    isJson && response.body._tag === "Uint8Array" ? parse(new TextDecoder().decode(response.body.body)) : Option.none()
  return isEnvelope(content)
    ? HttpServerResponse.setHeaders(
        HttpServerResponse.jsonUnsafe({ ...content.value, warnings }, { status: response.status }),
        omitted(response.headers)
      )
    : HttpServerResponse.setHeader(response, "posthorn-warnings", headerOf(warnings))
}

/** Without the content length, which changes. */
const omitted = ({ "content-length": _, ...headers }: HttpServerResponse.HttpServerResponse["headers"]) => headers

const applied = HttpEffect.appendPreResponseHandler((_request, response) =>
  Effect.succeed(HttpServerResponse.setHeader(response, "preference-applied", "handling=strict"))
)

/** Only authenticated callers get warnings. */
const isKnown = Effect.contextWith((context: Context.Context<never>) =>
  Effect.succeed(
    Option.isSome(Context.getOption(context, CurrentProject)) || Option.isSome(Context.getOption(context, CurrentUser))
  )
)

/** Runs a request with this body text, and reports its unknown fields. */
export const noticed = Effect.fnUntraced(function* <E, R>(
  app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
  request: HttpServerRequest.HttpServerRequest,
  endpoint: HttpApiEndpoint.Top,
  text: string
) {
  const tree = treeOf(endpoint)
  if (!(yield* isKnown)) return yield* app
  const strict = isStrict(request)
  if (strict) yield* applied
  const body = tree === "open" ? Option.none() : parse(text)
  // The decoder refuses text that does not parse.
  const warnings = Option.isNone(body) ? [] : unknownIn(body.value, tree)
  if (warnings.length === 0) return yield* app
  if (strict) {
    return yield* new ValidationError({
      errors: warnings.map(({ field, message }) => ({ field, message, code: "unknown_field" }))
    })
  }
  yield* HttpEffect.appendPreResponseHandler((_request, response) => Effect.succeed(withWarnings(response, warnings)))
  return yield* app
})
