/** Headers of requests and responses that middlewares read and write, so that no endpoint declares them. */
import type { OpenApi } from "effect/http-api"

const text = { type: "string" }
const count = { type: "integer", minimum: 0 }

/** Components for the headers of responses (contract 1.4). */
export const headers = {
  "X-Request-Id": {
    description: "Id of the request: the one that was sent, else a new one. Equal to `error.requestId`.",
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
    description: "`true` on the answer of an earlier request with the same Idempotency-Key.",
    schema: { type: "string", enum: ["true"] }
  },
  "WWW-Authenticate": { description: "The scheme that is asked for.", schema: { type: "string", enum: ["Bearer"] } }
}

type HeaderName = keyof typeof headers

/** Components for the headers of requests. */
export const parameters = {
  "Idempotency-Key": {
    name: "Idempotency-Key",
    in: "header",
    required: false,
    description:
      "Makes the request safe to repeat: 1 to 255 printable ASCII characters, remembered for the project for 24 hours. A second request with the key is refused with 409.",
    schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[\\x20-\\x7E]+$" }
  },
  "Idempotency-Mode": {
    name: "Idempotency-Mode",
    in: "header",
    required: false,
    description:
      "What a second request with the Idempotency-Key gets: `refuse` a 409; `replay` the first answer again, if it is the same request.",
    schema: { type: "string", enum: ["refuse", "replay"], default: "refuse" }
  },
  "X-Project-Id": {
    name: "X-Project-Id",
    in: "header",
    required: false,
    description: "The project to act for. Needed with the session cookie, ignored with a key.",
    schema: { type: "string", format: "uuid" }
  }
}

/** Whether the endpoint keeps an Idempotency-Key: only those can refuse one. */
const keepsKeys = ({ responses }: OpenApi.OpenAPISpecOperation): boolean =>
  responses[409]?.description.includes("IDEMPOTENCY_KEY_REUSED") ?? false

/** Whether the project comes from the key, or from the session: then the session needs a project. */
const takesKeyOrSession = ({ security }: OpenApi.OpenAPISpecOperation): boolean =>
  security.some((scheme) => "secretKey" in scheme) && security.some((scheme) => "session" in scheme)

export const requestHeaders = (operation: OpenApi.OpenAPISpecOperation): ReadonlyArray<{ readonly $ref: string }> =>
  [
    ...(keepsKeys(operation) ? ["Idempotency-Key", "Idempotency-Mode"] : []),
    ...(takesKeyOrSession(operation) ? ["X-Project-Id"] : [])
  ].map((name) => ({ $ref: `#/components/parameters/${name}` }))

const named = (names: ReadonlyArray<HeaderName>) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

const rateLimit = ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"] as const

/** Whether requests are counted: nobody is known where no credential is asked for. */
export const isCounted = ({ security, responses }: OpenApi.OpenAPISpecOperation): boolean =>
  429 in responses && security.length > 0

/** Headers of an error; nothing counts before the key is known, or once the service itself has failed. */
export const errorHeaders = (status: number, codes: ReadonlyArray<string>, counted: boolean): object =>
  named([
    "X-Request-Id",
    ...(counted && status !== 401 && status < 500 ? rateLimit : []),
    ...(codes.includes("INVALID_API_KEY") ? (["WWW-Authenticate"] as const) : []),
    ...(codes.includes("IDEMPOTENCY_KEY_REUSED") || status === 429 || status === 503 ? (["Retry-After"] as const) : [])
  ])

export const successHeaders = (operation: OpenApi.OpenAPISpecOperation): object =>
  named([
    "X-Request-Id",
    ...(isCounted(operation) ? rateLimit : []),
    ...(keepsKeys(operation) ? (["Idempotency-Replayed"] as const) : [])
  ])
