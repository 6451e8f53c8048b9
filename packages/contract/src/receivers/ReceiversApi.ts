/** Where peers and providers report to; no key, the signature is the proof (contract-2 14.1). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { envelope, InvalidJson, PayloadTooLarge, UnsupportedMediaType, ValidationError } from "../Errors.ts"
import { Notifications, Tally } from "./Notification.ts"

/** The signature is missing, wrong or too old, or it speaks for somebody who is not listened to. */
export class InvalidSignature extends Schema.TaggedError<InvalidSignature>()("INVALID_SIGNATURE", {}) {
  override readonly message = "The signature is missing, wrong or too old."
}

/** Nobody has set what this kind of notification is proved by. */
export class ReceiverNotConfigured extends Schema.TaggedError<ReceiverNotConfigured>()("SERVICE_UNAVAILABLE", {}) {
  override readonly message = "This receiver is not configured."
}

/** Opaque: what counts is read again from the provider. */
const PaymentEvent = Schema.Struct({ id: Schema.String, type: Schema.String }).annotate({
  identifier: "PaymentEvent",
  description: "An event of the payment provider."
})

const RawMail = Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType: "message/rfc822" }))

export class ReceiversApi extends HttpApiGroup.make("receivers")
  .add(
    HttpApiEndpoint.post("notifications", "/notifications", {
      payload: [Notifications, RawMail],
      success: Schema.Struct({ success: Schema.Literal(true), data: Tally }).annotate({
        identifier: "NotificationsAnswer",
        description: "What became of the events."
      }),
      error: [
        envelope(InvalidJson),
        envelope(InvalidSignature),
        envelope(PayloadTooLarge),
        envelope(UnsupportedMediaType),
        envelope(ValidationError),
        envelope(ReceiverNotConfigured)
      ]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Report what became of mail",
        description:
          "For relays and providers, not for applications. JSON and raw mail (`message/rfc822`: delivery reports, complaints, inbound mail) are signed with `webhook-id`, `webhook-timestamp` and `webhook-signature`; Amazon SNS signs by itself. Everything may be sent again: what was applied is a duplicate."
      })
    ),
    HttpApiEndpoint.post("payments", "/incoming/payments", {
      payload: PaymentEvent,
      success: Schema.Struct({ success: Schema.Literal(true) }).annotate({
        identifier: "PaymentsAnswer",
        description: "The event is on record."
      }),
      error: [envelope(InvalidSignature), envelope(PayloadTooLarge), envelope(ReceiverNotConfigured)]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Report a payment",
        description:
          "For the payment provider, not for applications: events of Stripe, proved by `Stripe-Signature`. They may come twice and in any order; unknown ones are ignored."
      })
    )
  )
  .annotate(OpenApi.Description, "Where relays and providers report what became of mail.")
  .prefix("/webhooks") {}
