/** Which origins may call from a browser. Pure. */
import { type HttpServerRequest, HttpServerResponse } from "effect/http"

const requestHeaders = "Authorization, Content-Type, Idempotency-Key, Idempotency-Mode, Prefer, X-Request-Id"
const exposed =
  "X-Request-Id, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, Idempotency-Replayed, Posthorn-Warnings, Preference-Applied"

const isIngest = (request: HttpServerRequest.HttpServerRequest) => request.url.startsWith("/ingest/")

/** Preferences of recipients, whose token is in the path. */
const isPreferences = (request: HttpServerRequest.HttpServerRequest) => request.url.startsWith("/public/")

const isPublic = (request: HttpServerRequest.HttpServerRequest) =>
  request.url.startsWith("/v1/") || isIngest(request) || isPreferences(request)

/** Names of headers, as a browser lists them. */
const isList = (names: string) =>
  names.length <= 1_000 && /^[\w!#$%&'*+.^`|~-]+(?:, ?[\w!#$%&'*+.^`|~-]+)*$/.test(names)

/** The libraries that send events have headers of their own. */
const asked = (request: HttpServerRequest.HttpServerRequest) => {
  const names = request.headers["access-control-request-headers"]
  return isIngest(request) && names !== undefined && isList(names) ? names : requestHeaders
}

/** Sign-up forms. Each decides which origins may send it when it is sent; that anyone may ask reveals nothing. */
const isForm = (request: HttpServerRequest.HttpServerRequest) => request.url.startsWith("/f/")

export const isPreflight = (request: HttpServerRequest.HttpServerRequest): boolean =>
  request.method === "OPTIONS" && request.headers["access-control-request-method"] !== undefined

/**
 * Any origin on `/v1/*` and `/ingest/*`, which accept only keys, and on `/public/*`, whose paths have a token. Elsewhere
 * only the origins of the dashboard, with the cookie.
 */
export const corsHeaders = (
  request: HttpServerRequest.HttpServerRequest,
  dashboardOrigins: ReadonlyArray<string>
): Record<string, string> => {
  const origin = request.headers["origin"]
  if (origin === undefined) return {}
  if (isPublic(request)) return { "access-control-allow-origin": "*", "access-control-expose-headers": exposed }
  if (isForm(request)) return isPreflight(request) ? { "access-control-allow-origin": "*" } : {}
  if (!dashboardOrigins.includes(origin)) return { vary: "Origin" }
  return {
    "access-control-allow-origin": origin,
    "access-control-allow-credentials": "true",
    "access-control-expose-headers": exposed,
    vary: "Origin"
  }
}

/** Answered before the key is checked, and not rate-limited. */
export const preflight = (
  request: HttpServerRequest.HttpServerRequest,
  dashboardOrigins: ReadonlyArray<string>
): HttpServerResponse.HttpServerResponse => {
  const isOpen = isPublic(request) || isForm(request)
  const allowed = isOpen || dashboardOrigins.includes(request.headers["origin"] ?? "")
  return HttpServerResponse.empty({
    status: 204,
    headers: {
      "cache-control": "no-store",
      ...(allowed && {
        "access-control-allow-methods": isPreferences(request)
          ? "GET, POST, PATCH, OPTIONS"
          : isOpen
            ? "GET, POST, OPTIONS"
            : "GET, POST, PUT, PATCH, DELETE, OPTIONS",
        "access-control-allow-headers": isOpen ? asked(request) : `${requestHeaders}, X-Project-Id`,
        "access-control-max-age": "600"
      })
    }
  })
}
