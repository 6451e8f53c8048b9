/** Outbound webhooks: endpoints of a project that receive its events, and the log of deliveries. */
import { Schema, SchemaIssue } from "effect"
import { AnyEventName } from "../audience/events/Event.ts"
import { ProjectId } from "../platform/Auth.ts"
import {
  DateQuery,
  described,
  Id,
  IfUpdatedAt,
  isLength,
  isWithin,
  Note,
  optional,
  Page,
  PageQuery,
  required,
  Timestamp
} from "../platform/Primitives.ts"
import { Secret } from "../platform/SigningSecret.ts"
import { isPattern } from "./WebhookTypes.ts"

export { isSecret } from "../platform/SigningSecret.ts"

export const WebhookId = Id.pipe(Schema.brand("WebhookId"))
export type WebhookId = typeof WebhookId.Type

export const DeliveryId = Id.pipe(Schema.brand("DeliveryId"))
export type DeliveryId = typeof DeliveryId.Type

export const WebhookDisabledReason = Schema.Literals(["gone", "failing"]).annotate({
  description:
    "Why the service disabled it: `gone`: it answered 410. `failing`: it failed for 5 days without a success."
})
export type WebhookDisabledReason = typeof WebhookDisabledReason.Type

export const Webhook = Schema.Struct({
  id: WebhookId,
  projectId: ProjectId,
  url: Schema.String,
  description: Schema.NullOr(Schema.String),
  events: Schema.Array(Schema.String).pipe(described("Patterns of types: a type, a prefix with `.*`, or `*`.")),
  enabled: Schema.Boolean,
  testMode: Schema.Boolean.pipe(described("Whether it also receives the events of test mail.")),
  disabledReason: Schema.NullOr(WebhookDisabledReason),
  secretHint: Schema.String.pipe(described("The last 4 characters of the secret.")),
  lastSuccessAt: Schema.NullOr(Timestamp),
  failingSince: Schema.NullOr(Timestamp).pipe(described("The first failed attempt since the last success.")),
  createdAt: Timestamp,
  updatedAt: Timestamp
}).annotate({ identifier: "Webhook", description: "An endpoint that receives events." })
export type Webhook = typeof Webhook.Type

const secret = Schema.String.pipe(described("`whsec_` and base64. Shown only here."))

export const CreatedWebhook = Schema.Struct({ ...Webhook.fields, secret }).annotate({
  identifier: "CreatedWebhook",
  description: "An endpoint, with the secret that signs its deliveries."
})
export type CreatedWebhook = typeof CreatedWebhook.Type

export const RotatedWebhook = Schema.Struct({
  ...CreatedWebhook.fields,
  previousValidUntil: Timestamp.pipe(described("Until this time, the previous secret also signs."))
}).annotate({ identifier: "RotatedWebhook", description: "An endpoint, with its new secret." })
export type RotatedWebhook = typeof RotatedWebhook.Type

const Pattern = Schema.String.check(
  isLength(0, 255),
  Schema.makeFilter((pattern: string) =>
    isPattern(pattern)
      ? true
      : new SchemaIssue.InvalidValue({ code: "invalid_enum", message: "Matches no type of event." })
  )
)
const patterns = Schema.Array(Pattern).check(
  Schema.isMinLength(1, { code: "too_small", message: "At least one pattern." }),
  Schema.isMaxLength(50, { code: "too_big", message: "At most 50 patterns." })
)

const Url = Schema.String.check(
  isWithin(2_048, "Must be an http or https URL of a public host, without a user.")
).annotate({
  description: "http or https, of a public host, at most 2,048 characters."
})

export const CreateWebhook = Schema.Struct({
  url: required(Url),
  events: required(patterns).pipe(described("1 to 50 patterns: a type, a prefix with `.*`, or `*` for all.")),
  description: optional(Note(500)),
  enabled: optional(Schema.Boolean).pipe(described("Default true.")),
  testMode: optional(Schema.Boolean).pipe(described("Whether it also receives the events of test mail.", "false")),
  secret: optional(Secret).pipe(described("`whsec_` and the base64 of 24 to 64 bytes; default 32 random bytes."))
}).annotate({ identifier: "CreateWebhook" })
export type CreateWebhook = typeof CreateWebhook.Type

export const UpdateWebhook = Schema.Struct({
  url: optional(Url),
  events: optional(patterns),
  description: Schema.optionalKey(Schema.NullOr(Note(500))).pipe(described("`null` clears it.")),
  testMode: optional(Schema.Boolean).pipe(described("Whether it also receives the events of test mail.")),
  enabled: optional(Schema.Boolean).pipe(described("`true` also clears `disabledReason` and `failingSince`.")),
  ifUpdatedAt: IfUpdatedAt
}).annotate({ identifier: "UpdateWebhook", description: "Absent fields keep their values." })
export type UpdateWebhook = typeof UpdateWebhook.Type

export const DeliveryStatus = Schema.Literals(["PENDING", "SUCCEEDED", "FAILED"]).annotate({
  description:
    "`PENDING`: waits for its next attempt. `SUCCEEDED`: the endpoint answered with a 2xx status. `FAILED`: there are no more attempts."
})
export type DeliveryStatus = typeof DeliveryStatus.Type

export const Delivery = Schema.Struct({
  id: DeliveryId.annotateKey({ description: "The `webhook-id`, the same for every attempt and replay." }),
  webhookId: WebhookId,
  eventId: Id,
  type: Schema.String,
  status: DeliveryStatus,
  attempts: Schema.Int.pipe(described("Attempts so far.")),
  nextAttemptAt: Schema.NullOr(Timestamp),
  createdAt: Timestamp,
  completedAt: Schema.NullOr(Timestamp)
}).annotate({ identifier: "WebhookDelivery", description: "The delivery of one event to one endpoint." })
export type Delivery = typeof Delivery.Type

export const WebhookAttempt = Schema.Struct({
  number: Schema.Int,
  at: Timestamp,
  statusCode: Schema.NullOr(Schema.Int).pipe(described("Null without a response.")),
  durationMs: Schema.Int,
  error: Schema.NullOr(Schema.Literals(["url_not_allowed", "timeout", "connection_failed"])).pipe(
    described("Why there was no response.")
  ),
  response: Schema.String.pipe(described("The first 4 KB of the response body."))
}).annotate({ identifier: "WebhookAttempt", description: "One try." })
export type WebhookAttempt = typeof WebhookAttempt.Type

export const DeliveryDetail = Schema.Struct({
  ...Delivery.fields,
  payload: Schema.JsonObject.pipe(described("The body of the request.")),
  attemptLog: Schema.Array(WebhookAttempt).pipe(described("Oldest first."))
}).annotate({ identifier: "WebhookDeliveryDetail", description: "A delivery with its payload and its attempts." })
export type DeliveryDetail = typeof DeliveryDetail.Type

export const DeliveryPage = Page("WebhookDeliveryPage", Delivery)
export type DeliveryPage = typeof DeliveryPage.Type

export const DeliveryQuery = Schema.Struct({
  ...PageQuery,
  status: Schema.optionalKey(DeliveryStatus),
  type: Schema.optionalKey(AnyEventName).pipe(described("Only deliveries of exactly this type.")),
  startDate: Schema.optionalKey(DateQuery).pipe(
    described("Created at or after this time: a date (`2026-03-01`) or a date-time, ISO 8601.")
  ),
  endDate: Schema.optionalKey(DateQuery).pipe(
    described("Created before this time: a date-time, exclusive, or a date, whose whole day counts.")
  )
})
export type DeliveryQuery = typeof DeliveryQuery.Type

export const ReplayWebhook = Schema.Struct({
  startDate: required(DateQuery),
  endDate: optional(DateQuery),
  status: optional(Schema.Literals(["failed", "missed", "all"])).pipe(
    described(
      "`failed` (default): deliveries that failed. `missed`: events without a delivery, because the endpoint was disabled. `all`: both, and deliveries that succeeded."
    )
  ),
  types: optional(
    Schema.Array(Pattern).check(Schema.isMaxLength(50, { code: "too_big", message: "At most 50 patterns." }))
  ).pipe(described("Only types that match these patterns, written as in `events`."))
}).annotate({ identifier: "ReplayWebhook" })
export type ReplayWebhook = typeof ReplayWebhook.Type

export const ReplayedWebhook = Schema.Struct({
  queued: Schema.Int.pipe(described("At most 10,000; the oldest come first."))
}).annotate({ identifier: "ReplayedWebhook", description: "How many deliveries start again." })
export type ReplayedWebhook = typeof ReplayedWebhook.Type
