/** Tells senders of webhooks that there is something to deliver. */
import { Context, Layer } from "effect"
import { make, type Nudge } from "../Nudge.ts"

export class WebhookNudge extends Context.Service<WebhookNudge, Nudge>()("@posthorn/core/webhooks/WebhookNudge") {}

export const layer: Layer.Layer<WebhookNudge> = Layer.effect(WebhookNudge, make("webhooks"))
