/** The secrets that sign webhook requests: `whsec_` and base64, sealed at rest. */
import type { WebhookId } from "@posthorn/contract/webhooks/Webhook"
import { Context, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { Base64 } from "effect/encoding"
import { type CannotOpen, type Label, SecretBox } from "../platform/SecretBox.ts"

export interface MadeSecret {
  /** Shown once. */
  readonly plain: string
  readonly secret: string
  readonly secretHint: string
}

export class WebhookSecrets extends Context.Service<
  WebhookSecrets,
  {
    /** A secret of 32 random bytes, or the given one. */
    readonly make: (webhook: WebhookId, given?: string | null) => Effect.Effect<MadeSecret>
    readonly open: (webhook: WebhookId, sealed: string) => Effect.Effect<Redacted.Redacted<string>, CannotOpen>
  }
>()("@posthorn/core/webhooks/WebhookSecrets") {}

const bytes = 32
const label = (owner: WebhookId): Label => ({ purpose: "webhook", owner })

export const layer: Layer.Layer<WebhookSecrets, never, SecretBox | SecureRandom.SecureRandom> = Layer.effect(
  WebhookSecrets,
  Effect.gen(function* () {
    const box = yield* SecretBox
    const random = yield* SecureRandom.SecureRandom

    return WebhookSecrets.of({
      make: Effect.fn("WebhookSecrets.make")(function* (webhook, given) {
        const plain = given ?? `whsec_${Base64.encode(yield* random.randomBytes(bytes))}`
        const secret = yield* box.seal(label(webhook), Redacted.make(plain))
        return { plain, secret, secretHint: plain.slice(-4) }
      }),
      open: (webhook, sealed) => box.open(label(webhook), sealed)
    })
  })
)
