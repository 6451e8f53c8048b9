/**
 * Every error that a caller can see: the classes, the envelope, and the encoding of one in the other.
 *
 * An error is a tagged class. Its `_tag` is a row of the catalogue, its `message` is the sentence for people, and its
 * fields are the `details`. `envelope(TheClass)` is its wire schema. Endpoints and middlewares declare the envelope;
 * services fail with the class and do not depend on HTTP.
 */
import { DateTime, Effect, Schema, SchemaTransformation } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { catalogue, type Row } from "./ErrorCatalogue.ts"
import { described, RequestId, Timestamp } from "./Primitives.ts"

/** One entry of `errors[]`. Only `template_syntax` has `line` and `column`. */
export const Fault = Schema.Struct({
  field: Schema.String.pipe(
    described(
      "Dotted path in the body, array positions as numbers (`to.0.email`); or the name of the parameter or header; empty for the whole body."
    )
  ),
  message: Schema.String.pipe(described("A sentence for humans.")),
  code: Schema.Literals([
    "required",
    "invalid_type",
    "invalid_string",
    "too_small",
    "too_big",
    "invalid_enum",
    "invalid_union",
    "reserved_event",
    "contact_unsubscribed",
    "template_syntax",
    "missing_variable",
    "unknown_field",
    "custom"
  ]),
  received: Schema.optionalKey(Schema.String).pipe(
    described(
      "For `invalid_type` the JSON type, otherwise the value as text, cut to 100 characters; absent for bodies, attachments and secrets."
    )
  ),
  line: Schema.optionalKey(Schema.Int).pipe(described("With `template_syntax`: line in the field, from 1.")),
  column: Schema.optionalKey(Schema.Int).pipe(described("With `template_syntax`: column, from 1."))
}).annotate({ identifier: "Fault", description: "One fault of a request." })
export type Fault = typeof Fault.Type

export const ErrorEnvelope = Schema.Struct({
  success: Schema.Literal(false),
  error: Schema.Struct({
    code: Schema.String,
    message: Schema.String.pipe(described("What went wrong, in a sentence for humans.")),
    statusCode: Schema.Int.pipe(described("The HTTP status.")),
    requestId: Schema.String.pipe(described("The `X-Request-Id` of the response.")),
    errors: Schema.optionalKey(Schema.Array(Fault)).pipe(
      described("Every fault found, with `VALIDATION_ERROR` and `BAD_REQUEST`.")
    ),
    details: Schema.optionalKey(Schema.Record(Schema.String, Schema.Json)).pipe(
      described("Extra data, as documented with each code.")
    ),
    suggestion: Schema.String.pipe(described("How to correct it; fixed for each code."))
  }),
  timestamp: Schema.String.pipe(described("Time of the response, ISO 8601."))
}).annotate({ identifier: "Error", description: "The envelope of every error." })

type Details = { readonly [key: string]: Schema.Json }

type ErrorClass = Schema.Codec<
  { readonly message: string },
  Details & { readonly _tag: Row; readonly errors?: ReadonlyArray<Fault> }
> & { readonly fields: { readonly _tag: Schema.tag<Row> } }

/** The wire schema of an error class: the envelope without the `_tag`, with the status of the catalogue. */
export const envelope = <E extends ErrorClass>(error: E) => {
  const row: Row = error.fields._tag.schema.literal
  const { status, suggestion } = catalogue[row]
  const entry: { readonly code?: string; readonly status: number } = catalogue[row]
  const code = entry.code ?? row
  const decode = Schema.decodeUnknownEffect(error)
  const encode = Schema.encodeEffect(error)

  const toEnvelope = Effect.fnUntraced(
    function* (failure: E["Type"]) {
      const encoded: ErrorClass["Encoded"] = yield* encode(failure)
      const { _tag, errors, ...details } = encoded
      return ErrorEnvelope.make({
        success: false,
        error: {
          code,
          message: failure.message,
          statusCode: status,
          requestId: yield* RequestId,
          ...(errors && { errors }),
          ...(Object.keys(details).length > 0 && { details }),
          suggestion
        },
        timestamp: DateTime.formatIso(yield* DateTime.now)
      })
    },
    Effect.mapError((fault) => fault.issue)
  )

  const fromEnvelope = ({ error: { details, errors } }: typeof ErrorEnvelope.Type) =>
    Effect.mapError(decode({ _tag: row, ...details, ...(errors && { errors }) }), (fault) => fault.issue)

  return ErrorEnvelope.pipe(
    Schema.decodeTo(
      Schema.toType(error),
      SchemaTransformation.transformEffect({ decode: fromEnvelope, encode: toEnvelope })
    ),
    HttpApiSchema.status(status)
  )
}

/** Position of the item of a batch that the error is about. Absent for other requests, and for the batch as a whole. */
export const BatchIndex = Schema.optionalKey(Schema.Int)

export class InvalidJson extends Schema.TaggedError<InvalidJson>()("INVALID_JSON", {}) {
  override readonly message = "Request body is not valid JSON."
}

/** Faulty parameters outside the body. A faulty body is a `ValidationError`. */
export class BadRequest extends Schema.TaggedError<BadRequest>()("BAD_REQUEST", {
  errors: Schema.optionalKey(Schema.Array(Fault)),
  parameter: Schema.optionalKey(Schema.String),
  received: Schema.optionalKey(Schema.String),
  allowed: Schema.optionalKey(Schema.Array(Schema.String))
}) {
  override readonly message =
    this.parameter === undefined
      ? `The request has ${count(this.errors?.length ?? 1, "invalid parameter")}.`
      : `The parameter '${this.parameter}' has a value that is not allowed.`
}

export class ValidationError extends Schema.TaggedError<ValidationError>()("VALIDATION_ERROR", {
  errors: Schema.Array(Fault)
}) {
  override readonly message = `The request has ${count(this.errors.length, "invalid field")}.`

  /** An error with one fault. */
  static one(field: string, code: Fault["code"], message: string, more: Partial<Fault> = {}): ValidationError {
    return new ValidationError({ errors: [{ field, code, message, ...more }] })
  }
}

export class InvalidCursor extends Schema.TaggedError<InvalidCursor>()("INVALID_CURSOR", {}) {
  override readonly message = "The cursor does not belong to this list, filter and sort."
}

export class RouteNotFound extends Schema.TaggedError<RouteNotFound>()("ROUTE_NOT_FOUND", {}) {
  override readonly message = "No such path and method."
}

/** The 404 of every resource without a 404 code of its own. `resource` is a snake_case noun. */
export class ResourceNotFound extends Schema.TaggedError<ResourceNotFound>()("RESOURCE_NOT_FOUND", {
  resource: Schema.String,
  id: Schema.String
}) {
  override readonly message =
    this.resource === "project"
      ? `No project ${this.id} that you may see.`
      : `No ${this.resource.replaceAll("_", " ")} ${this.id} in this project.`
}

/** Every reason of a 409 CONFLICT. */
export const ConflictReason = Schema.Literals([
  "campaign_state",
  "segment_not_static",
  "workflow_disabled",
  "reentry_not_allowed",
  "already_running",
  "already_finished",
  "not_retryable",
  "not_cancellable",
  "not_scheduled",
  "name_taken",
  "alias_taken",
  "version_changed",
  "changed_meanwhile",
  "no_draft",
  "content_purged",
  "suppressed",
  "contact_unsubscribed",
  "branch_taken",
  "domain_exists",
  "domain_verified_elsewhere",
  "domain_unverified",
  "host_taken",
  "already_member",
  "owns_projects",
  "already_subscribed",
  "no_customer",
  "two_factor_on",
  "two_factor_off",
  "passkey_exists",
  "too_many_passkeys",
  "external_id_taken",
  "key_taken",
  "confirmation_required",
  "audience_changed",
  "topic_archived",
  "already_confirmed",
  "approval_required",
  "approval_state",
  "experiment_state",
  "draft_changed",
  "not_versioned",
  "migration_running"
])

/** The state of the resource does not allow the action. `sentence` says which state and why. */
export class Conflict extends Schema.TaggedError<Conflict>()("CONFLICT", {
  reason: ConflictReason,
  status: Schema.optionalKey(Schema.String),
  allowed: Schema.optionalKey(Schema.Array(Schema.String)),
  domainId: Schema.optionalKey(Schema.String),
  executionId: Schema.optionalKey(Schema.String),
  /** The contact that has the external id, or another one. */
  contactId: Schema.optionalKey(Schema.String),
  /** Contacts that the change would be made to, and those that the dry run counted. */
  count: Schema.optionalKey(Schema.Int),
  confirmed: Schema.optionalKey(Schema.Int),
  /** The live version of the template. */
  version: Schema.optionalKey(Schema.Int),
  /** The `updatedAt` of the record as it is stored. */
  updatedAt: Schema.optionalKey(Timestamp),
  index: BatchIndex
}) {
  override readonly message = conflictSentence[this.reason]
}

/** Something else depends on the resource to delete. The details list it. */
export class ResourceInUse extends Schema.TaggedError<ResourceInUse>()("RESOURCE_IN_USE", {
  templates: Schema.optionalKey(Schema.Json),
  partials: Schema.optionalKey(Schema.Json),
  campaigns: Schema.optionalKey(Schema.Json),
  workflows: Schema.optionalKey(Schema.Json),
  workflowSteps: Schema.optionalKey(Schema.Json),
  segments: Schema.optionalKey(Schema.Json),
  forms: Schema.optionalKey(Schema.Json),
  usedInSegments: Schema.optionalKey(Schema.Json),
  usedInCampaigns: Schema.optionalKey(Schema.Json),
  usedInWorkflows: Schema.optionalKey(Schema.Json),
  routes: Schema.optionalKey(Schema.Json),
  /** Paths of settings of the audience. */
  settings: Schema.optionalKey(Schema.Json),
  steps: Schema.optionalKey(Schema.Json),
  pendingEmails: Schema.optionalKey(Schema.Int),
  activeExecutions: Schema.optionalKey(Schema.Int)
}) {
  override readonly message = "Something else still uses this resource."
}

export class PayloadTooLarge extends Schema.TaggedError<PayloadTooLarge>()("PAYLOAD_TOO_LARGE", {
  limitBytes: Schema.Int,
  index: BatchIndex
}) {
  override readonly message = `This is larger than the ${this.limitBytes} bytes that are allowed.`
}

/** The body did not arrive in time. */
export class RequestTimeout extends Schema.TaggedError<RequestTimeout>()("REQUEST_TIMEOUT", {}) {
  override readonly message = "The body of the request did not arrive in time."
}

/** `limit` in characters of the path. */
export class UriTooLong extends Schema.TaggedError<UriTooLong>()("URI_TOO_LONG", { limit: Schema.Int }) {
  override readonly message = `The path is longer than ${this.limit} characters.`
}

export class UnsupportedMediaType extends Schema.TaggedError<UnsupportedMediaType>()("UNSUPPORTED_MEDIA_TYPE", {}) {
  override readonly message =
    "The body must be JSON in UTF-8, or multipart/form-data for a file, without a content encoding."
}

export class RateLimitExceeded extends Schema.TaggedError<RateLimitExceeded>()("RATE_LIMIT_EXCEEDED", {
  limit: Schema.Int,
  /** Whole seconds until the next request may pass. */
  retryAfter: Schema.Int,
  /** Absent for the limit of the project. */
  scope: Schema.optionalKey(Schema.Literals(["key", "streams", "test_mail", "opt_in"]))
}) {
  override readonly message =
    this.scope === "test_mail"
      ? `More than ${this.limit} test mails of the project in a day.`
      : this.scope === "opt_in"
        ? "The address has had enough confirmation mails for now."
        : this.scope === "streams"
          ? `More than ${this.limit} open streams.`
          : `More than ${this.limit} requests${this.scope === "key" ? " of this API key" : ""} in a minute.`
}

/** Does not state its cause. The log has the cause under the same request id. */
export class InternalError extends Schema.TaggedError<InternalError>()("INTERNAL_SERVER_ERROR", {}) {
  override readonly message = "Something went wrong on our side."
}

export class ServiceUnavailable extends Schema.TaggedError<ServiceUnavailable>()("SERVICE_UNAVAILABLE", {}) {
  override readonly message: string = "The storage cannot be reached at the moment, or takes too long to answer."
}

/** The same error code, with a more specific message. */
export class StorageFull extends ServiceUnavailable {
  override readonly message = "The disk of the database is full: nothing can be stored until there is space again."
}

export class ProjectResetting extends ServiceUnavailable {
  override readonly message =
    "The data of this project is being deleted. The project accepts requests again when that is done."
}

export class PaymentsUnavailable extends ServiceUnavailable {
  override readonly message = "The payment provider cannot be reached at the moment."
}

export class ServerStopping extends ServiceUnavailable {
  override readonly message = "This server is about to stop and accepts no new requests."
}

export class ServiceClosed extends ServiceUnavailable {
  override readonly message = "The service has been closed by the application that it is part of."
}

export class HostUnavailable extends ServiceUnavailable {
  override readonly message = "The application that the service is part of could not say who is signed in."
}

function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? "" : "s"}`
}

/** The meaning of each reason of a 409 CONFLICT. */
export const conflictSentence: { readonly [Reason in typeof ConflictReason.Type]: string } = {
  campaign_state: "The campaign is in a state that does not allow this.",
  segment_not_static: "Only a static segment has members that can be set by hand.",
  workflow_disabled: "The workflow is disabled.",
  reentry_not_allowed: "The contact was in this workflow before, and it does not allow another entry.",
  already_running: "The contact is already in this workflow.",
  already_finished: "It has already finished.",
  not_retryable: "Only failed work, or mail whose delivery is uncertain, can be retried.",
  not_cancellable: "Only mail that is still waiting can be cancelled.",
  not_scheduled: "Only scheduled mail can be rescheduled.",
  alias_taken: "Another template of the project has this alias.",
  version_changed: "Another version is live now.",
  changed_meanwhile: "The record was changed since it was read.",
  no_draft: "There is no draft to publish.",
  name_taken: "Another one of the project has this name.",
  content_purged: "The content of this email is no longer stored.",
  suppressed: "The address is on the suppression list.",
  contact_unsubscribed: "The contact is unsubscribed.",
  branch_taken: "Another transition leaves the step on this branch.",
  domain_exists: "The project already has this domain.",
  domain_verified_elsewhere: "The domain is verified in another project.",
  domain_unverified: "The domain is not verified.",
  host_taken: "Another domain has this host.",
  already_member: "The user is already a member.",
  owns_projects: "The user still owns projects.",
  already_subscribed: "The project already has a subscription.",
  no_customer: "The project has no customer at the payment provider yet.",
  two_factor_on: "Two-factor authentication is already on for this account.",
  two_factor_off: "Two-factor authentication is off for this account, and is not being set up.",
  passkey_exists: "This passkey is already in use.",
  too_many_passkeys: "The account already has the maximum number of passkeys.",
  confirmation_required: "So many contacts need a confirmation. Make a dry run, and send its token.",
  audience_changed: "Many more contacts match than in the dry run. Make a new one.",
  key_taken: "Another one of the project has this key.",
  topic_archived: "The topic is archived.",
  external_id_taken: "The external id belongs to another contact, or the contact has another one.",
  already_confirmed: "The contact has all of it already.",
  approval_required: "The campaign needs an approval first.",
  approval_state: "The campaign, or its approval, is in a state that does not allow this.",
  experiment_state: "The experiment is in a state that does not allow this.",
  draft_changed: "The draft has changes that are not published.",
  not_versioned: "The workflow is edited live. Set its versioning to PUBLISHED first.",
  migration_running: "A migration of the workflow is running."
}

/** The domain of the sender is not verified for the project. */
export class SenderDomainUnverified extends Schema.TaggedError<SenderDomainUnverified>()("SENDER_DOMAIN_UNVERIFIED", {
  reason: Schema.tag("sender_domain_unverified"),
  domain: Schema.String,
  index: BatchIndex
}) {
  override readonly message =
    `The domain ${this.domain} is not verified for this project. Add it with POST /domains or \`posthorn domains add ${this.domain}\`, and publish the DNS records of the response.`
}
