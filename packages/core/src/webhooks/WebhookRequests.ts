/** Sends one webhook request, signed by the Standard Webhooks convention. */
import { Context, Duration, Effect, Layer } from "effect"
import { Mac } from "effect/crypto"
import { signatureHeaders } from "../mail/receivers/WebhookSignature.ts"
import { type OutboundError, type OutboundResponse, SafeFetch } from "../platform/outbound/SafeFetch.ts"
import type { ClaimedDelivery } from "./WebhookQueue.ts"
import { WebhookSecrets } from "./WebhookSecrets.ts"

export class WebhookRequests extends Context.Service<
  WebhookRequests,
  {
    /**
     * Returns any response within 15 seconds. A secret that cannot be opened is a defect that the operator must fix.
     */
    readonly send: (delivery: ClaimedDelivery) => Effect.Effect<OutboundResponse, OutboundError>
  }
>()("@posthorn/core/webhooks/WebhookRequests") {}

const patience = Duration.seconds(15)
const utf8 = new TextEncoder()

export const layer: Layer.Layer<WebhookRequests, never, Mac.Mac | SafeFetch | WebhookSecrets> = Layer.effect(
  WebhookRequests,
  Effect.gen(function* () {
    const outside = yield* SafeFetch
    const secrets = yield* WebhookSecrets
    const mac = yield* Mac.Mac

    const send = Effect.fn("WebhookRequests.send")(function* (delivery: ClaimedDelivery) {
      const { id, endpoint, url, secret, previousSecret } = delivery
      const body = utf8.encode(delivery.body)
      const sealed = previousSecret === null ? [secret] : [secret, previousSecret]
      const plain = yield* Effect.forEach(sealed, (each) => Effect.orDie(secrets.open(endpoint, each)))
      const signed = yield* Effect.provideService(signatureHeaders(plain, id, body), Mac.Mac, mac)
      return yield* outside.request({
        method: "POST",
        url,
        headers: {
          "content-type": "application/json",
          "user-agent": "Posthorn",
          ...signed
        },
        body,
        timeout: patience
      })
    })

    return WebhookRequests.of({ send })
  })
)
