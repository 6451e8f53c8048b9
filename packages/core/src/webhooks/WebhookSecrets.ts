/** The secrets that sign webhook requests: `whsec_` and base64, sealed at rest. */
import type { WebhookId } from "@posthorn/contract/webhooks/Webhook"
import { Effect, Redacted } from "effect"
import type { SecureRandom } from "effect/crypto"
import { Base64 } from "effect/encoding"
import type { Label, SecretBox } from "../platform/SecretBox.ts"

const bytes = 32
const label = (owner: WebhookId): Label => ({ purpose: "webhook", owner })

/** A secret of 32 random bytes, or the given one. `plain` is shown once. */
export const makeSecret = Effect.fnUntraced(function* (
  box: SecretBox["Service"],
  random: SecureRandom.SecureRandom["Service"],
  webhook: WebhookId,
  given?: string | null
) {
  const plain = given ?? `whsec_${Base64.encode(yield* random.randomBytes(bytes))}`
  const secret = yield* box.seal(label(webhook), Redacted.make(plain))
  return { plain, secret, secretHint: plain.slice(-4) }
})

export const openSecret = (
  box: SecretBox["Service"],
  webhook: WebhookId,
  sealed: string
): ReturnType<SecretBox["Service"]["open"]> => box.open(label(webhook), sealed)
