/** Tells dispatchers that there are events. */
import { Context, Layer } from "effect"
import { make, type Nudge } from "../Nudge.ts"

export class EventNudge extends Context.Service<EventNudge, Nudge>()("@posthorn/core/events/EventNudge") {}

export const layer: Layer.Layer<EventNudge> = Layer.effect(EventNudge, make("events"))
