/**
 * The checks of every request after its key: first the form of the body, then its schema.
 *
 * Read the order from right to left: `.middleware(Validation).middleware(JsonBody).middleware(ProjectAccess)` checks
 * the key first, because the middleware that is added last is the outermost.
 */
import { Context, type Effect, Schema } from "effect"
import { HttpApiMiddleware } from "effect/http-api"
import type { CurrentProject } from "./Auth.ts"
import {
  BadRequest,
  BatchIndex,
  type ErrorEnvelope,
  envelope,
  InvalidJson,
  PayloadTooLarge,
  UnsupportedMediaType,
  ValidationError
} from "./Errors.ts"

/** Refuses bodies that are too large, not JSON, nested too deeply, or contain text that no database can store. */
export class JsonBody extends HttpApiMiddleware.Service<JsonBody>()("@posthorn/contract/Request/JsonBody", {
  error: [envelope(PayloadTooLarge), envelope(UnsupportedMediaType), envelope(InvalidJson), envelope(ValidationError)]
}) {}

/** Annotation of an endpoint or group: the largest body in bytes. */
export const BodyLimit = Context.Reference<number>("@posthorn/contract/Request/BodyLimit", {
  defaultValue: () => 2 * 1024 * 1024
})

/** Annotation of an endpoint that takes a file as multipart instead of JSON: the largest file in bytes. */
export const TakesFile = Context.Reference<number | undefined>("@posthorn/contract/Request/TakesFile", {
  defaultValue: () => undefined
})

/** Turns every decode failure into one envelope that lists all faults. */
export class Validation extends HttpApiMiddleware.Service<Validation>()("@posthorn/contract/Request/Validation", {
  error: [envelope(ValidationError), envelope(BadRequest), envelope(InvalidJson)]
}) {}

/** A second use of an Idempotency-Key. `originalStatusCode` is absent while the first request still runs. */
export class IdempotencyKeyReused extends Schema.TaggedError<IdempotencyKeyReused>()("IDEMPOTENCY_KEY_REUSED", {
  key: Schema.String,
  originalRequest: Schema.String,
  originalRequestAt: Schema.String,
  originalStatusCode: Schema.optionalKey(Schema.Int),
  index: BatchIndex
}) {
  override readonly message = "This Idempotency-Key was already used."
}

/** Handles `Idempotency-Key` and `Idempotency-Mode` of `/v1/send` and `/v1/track`. */
export class Idempotent extends HttpApiMiddleware.Service<Idempotent, { requires: CurrentProject }>()(
  "@posthorn/contract/Request/Idempotent",
  {
    error: [envelope(ValidationError), envelope(IdempotencyKeyReused)]
  }
) {}

/**
 * Annotation of the endpoints that answer 400 without envelope: the missing field, the field that may stand in its place,
 * and the text of the response.
 */
export const PlainRefusal = Context.Reference<
  { readonly field: string; readonly or?: string; readonly text: string } | undefined
>("@posthorn/contract/Request/PlainRefusal", { defaultValue: () => undefined })

/** The body of that response. */
export const PlainError = Schema.Struct({ error: Schema.String }).annotate({
  identifier: "PlainError",
  description: "An error without envelope: a required field is missing, or the body is not JSON.",
  httpApiStatus: 400
})

/** Annotation of a group or an endpoint: the response to a malformed id in its path, the 404 of its resource. */
export const MalformedId = Context.Reference<((id: string) => Effect.Effect<typeof ErrorEnvelope.Encoded>) | undefined>(
  "@posthorn/contract/Request/MalformedId",
  { defaultValue: () => undefined }
)
