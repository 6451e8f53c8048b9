/** The secrets that sign what endpoints are told: `whsec_` and base64, sealed at rest. */
import type { WebhookId } from "@posthorn/contract/webhooks/Webhook"
import { Context, Effect, Layer, Option, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { Base64 } from "effect/encoding"
import { type CannotOpen, type Label, SecretBox } from "../SecretBox.ts"
import type { SealedSecrets } from "./WebhookStore.ts"

export interface MadeSecret {
  /** Shown once. */
  readonly plain: string
  readonly secret: string
  readonly secretHint: string
}

export class WebhookSecrets extends Context.Service<
  WebhookSecrets,
  {
    /** Of 32 random bytes, unless one is given. */
    readonly make: (webhook: WebhookId, given?: string | null) => Effect.Effect<MadeSecret>
    readonly open: (webhook: WebhookId, sealed: string) => Effect.Effect<Redacted.Redacted<string>, CannotOpen>
    /** The secrets under the installation's current secret, when the previous one sealed any of them. */
    readonly renew: (secrets: SealedSecrets) => Effect.Effect<Option.Option<SealedSecrets>, CannotOpen>
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
      open: (webhook, sealed) => box.open(label(webhook), sealed),
      renew: Effect.fn("WebhookSecrets.renew")(function* (before) {
        const secret = yield* box.renew(label(before.id), before.secret)
        const previous =
          before.previousSecret === null ? Option.none() : yield* box.renew(label(before.id), before.previousSecret)
        if (Option.isNone(secret) && Option.isNone(previous)) return Option.none()
        return Option.some({
          ...before,
          secret: Option.getOrElse(secret, () => before.secret),
          previousSecret: Option.getOrElse(previous, () => before.previousSecret)
        })
      })
    })
  })
)
