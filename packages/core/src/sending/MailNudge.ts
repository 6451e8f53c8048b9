/** Tells senders that there is mail, so that they need not wait for their next look. */
import { Context, Layer } from "effect"
import { make, type Nudge } from "../Nudge.ts"

export class MailNudge extends Context.Service<MailNudge, Nudge>()("@posthorn/core/sending/MailNudge") {}

export const layer: Layer.Layer<MailNudge> = Layer.effect(MailNudge, make("mail"))
