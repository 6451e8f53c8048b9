/**
 * The checks every request passes after its key: the body as such, then its schema (contract 1.2, checks 8 to 11).
 *
 * Order matters and reads inside out: `.middleware(Validation).middleware(JsonBody).middleware(ProjectAccess)` runs the
 * key first, because the middleware added last is the outermost.
 */
import { Context, type Effect, Schema } from "effect"
import { HttpApiMiddleware } from "effect/http-api"
import type { CurrentProject } from "./Auth.ts"
import {
  BadRequest,
  type Envelope,
  envelope,
  InvalidJson,
  PayloadTooLarge,
  UnsupportedMediaType,
  ValidationError
} from "./Errors.ts"

/** Refuses bodies that are too large, not JSON, nested too deep, or hold text no database can store (1.1, 1.6). */
export class JsonBody extends HttpApiMiddleware.Service<JsonBody>()("@posthorn/contract/Request/JsonBody", {
  error: [envelope(PayloadTooLarge), envelope(UnsupportedMediaType), envelope(InvalidJson), envelope(ValidationError)]
}) {}

/** Annotation of an endpoint or group: largest body in bytes (1.6). */
export const BodyLimit = Context.Reference<number>("@posthorn/contract/Request/BodyLimit", {
  defaultValue: () => 2 * 1024 * 1024
})

/** Annotation of an endpoint that takes a file as multipart instead of JSON: largest file in bytes (1.6). */
export const TakesFile = Context.Reference<number | undefined>("@posthorn/contract/Request/TakesFile", {
  defaultValue: () => undefined
})

/** Turns every decode failure into one envelope that names all faults. */
export class Validation extends HttpApiMiddleware.Service<Validation>()("@posthorn/contract/Request/Validation", {
  error: [envelope(ValidationError), envelope(BadRequest), envelope(InvalidJson)]
}) {}

/** A second use of an Idempotency-Key; `originalStatusCode` is absent while the first request still runs (4.3). */
export class IdempotencyKeyReused extends Schema.TaggedError<IdempotencyKeyReused>()("IDEMPOTENCY_KEY_REUSED", {
  key: Schema.String,
  originalRequest: Schema.String,
  originalRequestAt: Schema.String,
  originalStatusCode: Schema.optionalKey(Schema.Int)
}) {
  override readonly message = "This Idempotency-Key was already used."
}

/** `Idempotency-Key` and `Idempotency-Mode` of `/v1/send` and `/v1/track` (section 4). */
export class Idempotent extends HttpApiMiddleware.Service<Idempotent, { requires: CurrentProject }>()(
  "@posthorn/contract/Request/Idempotent",
  {
    error: [envelope(ValidationError), envelope(IdempotencyKeyReused)]
  }
) {}

/** The three endpoints that answer a 400 without envelope (5.2): which missing field, and the text. */
export class PlainRefusal extends Context.Service<PlainRefusal, { readonly field: string; readonly text: string }>()(
  "@posthorn/contract/Request/PlainRefusal"
) {}

/** The body of such a refusal. */
export const PlainError = Schema.Struct({ error: Schema.String }).annotate({
  identifier: "PlainError",
  description:
    "A refusal without envelope: the field this endpoint cannot do without is missing, or the body is not JSON.",
  httpApiStatus: 400
})

/** Annotation of a group, or of one endpoint in it: what a malformed id in its path answers, the 404 of its resource (1.3). */
export class MalformedId extends Context.Service<MalformedId, (id: string) => Effect.Effect<typeof Envelope.Encoded>>()(
  "@posthorn/contract/Request/MalformedId"
) {}
