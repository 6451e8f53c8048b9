/** Sends one webhook request, signed by the Standard Webhooks convention. */
import { Duration, Effect } from "effect"
import { Mac } from "effect/crypto"
import { signatureHeaders } from "../mail/receivers/WebhookSignature.ts"
import { SafeFetch } from "../platform/outbound/SafeFetch.ts"
import { SecretBox } from "../platform/SecretBox.ts"
import type { ClaimedDelivery } from "./WebhookQueue.ts"
import { openSecret } from "./WebhookSecrets.ts"

const timeout = Duration.seconds(15)
const utf8 = new TextEncoder()

export const make = Effect.gen(function* () {
  const outside = yield* SafeFetch
  const box = yield* SecretBox
  const mac = yield* Mac.Mac

  /** Returns any response within 15 seconds. Dies if the secret cannot be opened, which the operator must fix. */
  const send = Effect.fn("WebhookRequests.send")(function* (delivery: ClaimedDelivery) {
    const { id, endpoint, url, secret, previousSecret } = delivery
    const body = utf8.encode(delivery.body)
    const sealed = previousSecret === null ? [secret] : [secret, previousSecret]
    const plain = yield* Effect.forEach(sealed, (each) => Effect.orDie(openSecret(box, endpoint, each)))
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
      timeout
    })
  })

  return { send }
})
