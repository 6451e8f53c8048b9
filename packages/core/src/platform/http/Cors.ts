/** Which origins may call from a browser. Pure. */
import { type HttpServerRequest, HttpServerResponse } from "effect/http"

const requestHeaders = "Authorization, Content-Type, Idempotency-Key, Idempotency-Mode, Prefer, X-Request-Id"
const exposed =
  "X-Request-Id, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, Idempotency-Replayed, Posthorn-Warnings, Preference-Applied"

const isPublic = (request: HttpServerRequest.HttpServerRequest) => request.url.startsWith("/v1/")

export const isPreflight = (request: HttpServerRequest.HttpServerRequest): boolean =>
  request.method === "OPTIONS" && request.headers["access-control-request-method"] !== undefined

/** Any origin on `/v1/*`, which accepts only keys. Elsewhere only the origins of the dashboard, with the cookie. */
export const corsHeaders = (
  request: HttpServerRequest.HttpServerRequest,
  dashboardOrigins: ReadonlyArray<string>
): Record<string, string> => {
  const origin = request.headers["origin"]
  if (origin === undefined) return {}
  if (isPublic(request)) return { "access-control-allow-origin": "*", "access-control-expose-headers": exposed }
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
  const allowed = isPublic(request) || dashboardOrigins.includes(request.headers["origin"] ?? "")
  return HttpServerResponse.empty({
    status: 204,
    headers: {
      "cache-control": "no-store",
      ...(allowed && {
        "access-control-allow-methods": isPublic(request)
          ? "GET, POST, OPTIONS"
          : "GET, POST, PUT, PATCH, DELETE, OPTIONS",
        "access-control-allow-headers": isPublic(request) ? requestHeaders : `${requestHeaders}, X-Project-Id`,
        "access-control-max-age": "600"
      })
    }
  })
}
