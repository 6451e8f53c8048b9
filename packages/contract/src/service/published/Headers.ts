/** Headers of requests and responses that middlewares read and write. Endpoints do not declare them. */
import type { OpenApi } from "effect/http-api"

const text = { type: "string" }
const count = { type: "integer", minimum: 0 }

/** Components for the headers of responses. */
export const headers = {
  "X-Request-Id": {
    description: "Id of the request: the id that was sent, otherwise a new one. Equal to `error.requestId`.",
    schema: text
  },
  "RateLimit-Limit": {
    description:
      "Requests the project may make in a minute. Only requests that pass authentication count, and have these headers.",
    schema: count
  },
  "RateLimit-Remaining": { description: "Requests left at this moment.", schema: count },
  "RateLimit-Reset": {
    description: "Whole seconds until the next request may pass; 0 while some are left.",
    schema: count
  },
  "Retry-After": {
    description: "Whole seconds to wait before the request is sent again.",
    schema: { type: "integer", minimum: 1 }
  },
  "Idempotency-Replayed": {
    description: "`true` on the response of an earlier request with the same Idempotency-Key.",
    schema: { type: "string", enum: ["true"] }
  },
  "Posthorn-Warnings": {
    description:
      "Fields of the body that are unknown and were ignored: a JSON array of `Warning` in ASCII, at most 2,048 bytes. Absent without unknown fields, and where the response is an envelope, which contains the warnings.",
    schema: { type: "string", maxLength: 2048 }
  },
  "Preference-Applied": {
    description: "`handling=strict` if the request asked for it.",
    schema: { type: "string", enum: ["handling=strict"] }
  },
  "WWW-Authenticate": { description: "The required scheme.", schema: { type: "string", enum: ["Bearer"] } }
}

type HeaderName = keyof typeof headers

/** Components for the headers of requests. */
export const parameters = {
  "Idempotency-Key": {
    name: "Idempotency-Key",
    in: "header",
    required: false,
    description:
      "Makes the request safe to repeat: 1 to 255 printable ASCII characters, stored for the project for 24 hours. A second request with the key is refused with 409.",
    schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[\\x20-\\x7E]+$" }
  },
  "Idempotency-Mode": {
    name: "Idempotency-Mode",
    in: "header",
    required: false,
    description:
      "The response to a second request with the Idempotency-Key. `refuse`: 409. `replay`: the first response again, if it is the same request.",
    schema: { type: "string", enum: ["refuse", "replay"], default: "refuse" }
  },
  Prefer: {
    name: "Prefer",
    in: "header",
    required: false,
    description:
      "`handling=strict` (RFC 7240) refuses a body with unknown fields: 422 with an `unknown_field` for each. Without it they are ignored and named in the response.",
    schema: { type: "string", maxLength: 1000 }
  },
  "X-Project-Id": {
    name: "X-Project-Id",
    in: "header",
    required: false,
    description: "The project to act for. Needed with the session cookie, ignored with a key.",
    schema: { type: "string", format: "uuid" }
  }
}

/** Whether the endpoint handles an Idempotency-Key: only such an endpoint declares that it refuses one. */
const isIdempotent = ({ responses }: OpenApi.OpenAPISpecOperation): boolean =>
  responses[409]?.description.includes("IDEMPOTENCY_KEY_REUSED") ?? false

/** Whether the endpoint of a project takes a session, and its path does not name the project: then a header must. */
export const takesProject = ({ security, responses }: OpenApi.OpenAPISpecOperation): boolean =>
  security.some((scheme) => "session" in scheme) &&
  (security.some((scheme) => "secretKey" in scheme) ||
    (responses[403]?.description.includes("PROJECT_ACCESS_DENIED") ?? false))

/** Whether responses name unknown fields: they do for JSON bodies of authenticated callers. */
export const warns = ({ security, requestBody }: OpenApi.OpenAPISpecOperation): boolean =>
  security.length > 0 && requestBody !== undefined && "application/json" in requestBody.content

export const requestHeaders = (operation: OpenApi.OpenAPISpecOperation): ReadonlyArray<{ readonly $ref: string }> =>
  [
    ...(isIdempotent(operation) ? ["Idempotency-Key", "Idempotency-Mode"] : []),
    ...(warns(operation) ? ["Prefer"] : []),
    ...(takesProject(operation) ? ["X-Project-Id"] : [])
  ].map((name) => ({ $ref: `#/components/parameters/${name}` }))

const references = (names: ReadonlyArray<HeaderName>) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

const rateLimit = ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"] as const

/** Whether requests count against a rate limit. Requests without a credential do not. */
export const isCounted = ({ security, responses }: OpenApi.OpenAPISpecOperation): boolean =>
  429 in responses && security.length > 0

/**
 * Headers of an error. A request without a valid key, and one that fails inside the service, has no rate limit headers.
 */
export const errorHeaders = (status: number, codes: ReadonlyArray<string>, counted: boolean): object =>
  references([
    "X-Request-Id",
    ...(counted && status !== 401 && status < 500 ? rateLimit : []),
    ...(codes.includes("INVALID_API_KEY") ? (["WWW-Authenticate"] as const) : []),
    ...(codes.includes("IDEMPOTENCY_KEY_REUSED") || status === 429 || status === 503 ? (["Retry-After"] as const) : [])
  ])

export const successHeaders = (operation: OpenApi.OpenAPISpecOperation): object =>
  references([
    "X-Request-Id",
    ...(isCounted(operation) ? rateLimit : []),
    ...(warns(operation) ? (["Posthorn-Warnings", "Preference-Applied"] as const) : []),
    ...(isIdempotent(operation) ? (["Idempotency-Replayed"] as const) : [])
  ])
