/** Who names what, across capabilities: asked before an event's name or a contact's field is deleted. */
import { Effect, Layer } from "effect"
import { EventUse } from "./events/EventUse.ts"
import { Segments } from "./segments/Segments.ts"

const eventUse = Layer.effect(
  EventUse,
  Effect.gen(function* () {
    const segments = yield* Segments
    return EventUse.of({
      of: Effect.fnUntraced(function* (project, event) {
        const usedInSegments = yield* segments.naming(project, `event.${event}`)
        return { usedInSegments, usedInCampaigns: [], usedInWorkflows: [] }
      })
    })
  })
)

export const layer: Layer.Layer<EventUse, never, Segments> = eventUse
