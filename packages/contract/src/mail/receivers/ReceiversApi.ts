/** Endpoints for the reports of relays and providers. They need no key, because the signature authenticates them. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  BadRequest,
  envelope,
  InvalidJson,
  PayloadTooLarge,
  RateLimitExceeded,
  UnsupportedMediaType,
  ValidationError
} from "../../platform/Errors.ts"
import { described, isLength } from "../../platform/Primitives.ts"
import { Validation } from "../../platform/Request.ts"
import { Notifications, Tally } from "./Notification.ts"

/** The signature is missing, wrong or too old, or it belongs to a sender that is not accepted. */
export class InvalidSignature extends Schema.TaggedError<InvalidSignature>()("INVALID_SIGNATURE", {}) {
  override readonly message = "The signature is missing, wrong or too old."
}

/** The secret that verifies this kind of notification is not configured. */
export class ReceiverNotConfigured extends Schema.TaggedError<ReceiverNotConfigured>()("SERVICE_UNAVAILABLE", {}) {
  override readonly message = "This receiver is not configured."
}

/** Opaque. The service reads the facts from the provider again. */
const PaymentEvent = Schema.Struct({
  id: Schema.String.check(isLength(0, 255)),
  type: Schema.String.check(isLength(0, 255))
}).annotate({
  identifier: "PaymentEvent",
  description: "An event of the payment provider."
})

const RawMail = Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType: "message/rfc822" }))

export class ReceiversApi extends HttpApiGroup.make("receivers")
  .add(
    HttpApiEndpoint.post("notifications", "/notifications", {
      query: {
        transport: Schema.optionalKey(Schema.String.check(isLength(1, 100))).pipe(
          described(
            "Id of a transport: its secret or its topics authenticate the request, and only mail of its project is affected."
          )
        )
      },
      payload: [Notifications, RawMail],
      success: Schema.Struct({ success: Schema.Literal(true), data: Tally }).annotate({
        identifier: "NotificationsAnswer",
        description: "The results of the events."
      }),
      error: [
        envelope(BadRequest),
        envelope(InvalidJson),
        envelope(InvalidSignature),
        envelope(PayloadTooLarge),
        envelope(RateLimitExceeded),
        envelope(UnsupportedMediaType),
        envelope(ValidationError),
        envelope(ReceiverNotConfigured)
      ]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Report the results of mail",
        description:
          "For relays and providers, not for applications. JSON and raw mail (`message/rfc822`: delivery reports, complaints, inbound mail) are signed with `webhook-id`, `webhook-timestamp` and `webhook-signature`; Amazon SNS signs by itself. Events may be sent again: an applied event then counts as a duplicate. After 60 wrong signatures from one network address within a minute: 429."
      })
    ),
    HttpApiEndpoint.post("payments", "/incoming/payments", {
      payload: PaymentEvent,
      success: Schema.Struct({ success: Schema.Literal(true) }).annotate({
        identifier: "PaymentsAnswer",
        description: "The event is recorded."
      }),
      error: [
        envelope(InvalidSignature),
        envelope(PayloadTooLarge),
        envelope(RateLimitExceeded),
        envelope(ReceiverNotConfigured)
      ]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Report a payment",
        description:
          "For the payment provider, not for applications: events of Stripe, authenticated by `Stripe-Signature`. They may be sent twice and in any order; unknown ones are ignored."
      })
    )
  )
  .middleware(Validation)
  .annotate(OpenApi.Description, "Relays and providers report the results of mail here.")
  .prefix("/webhooks") {}
