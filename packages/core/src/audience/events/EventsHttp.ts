/** Handlers of EventsApi. */
import { Api } from "@posthorn/contract/Api"
import { CurrentProject, type ProjectAccess } from "@posthorn/contract/platform/Auth"
import type { Idempotent, JsonBody, Validation } from "@posthorn/contract/platform/Request"
import { Effect, type Layer } from "effect"
import type { HttpApiGroup } from "effect/http-api"
import { group } from "../../platform/http/RequestContext.ts"
import * as EventRecords from "./EventRecords.ts"
import * as Events from "./Events.ts"

export const layer: Layer.Layer<
  HttpApiGroup.Service<"posthorn", "events">,
  never,
  EventRecords.Needs | Events.Needs | Idempotent | JsonBody | ProjectAccess | Validation
> = group(
  Api,
  "events",
  Effect.fnUntraced(function* (handlers) {
    const events = yield* Events.make
    const records = yield* EventRecords.make
    return handlers.handleAll({
      track: ({ payload }) =>
        CurrentProject.use(({ id }) =>
          Effect.map(events.track(id, payload), (data) => ({ success: true as const, data }))
        ),
      list: ({ query }) => CurrentProject.use(({ id }) => records.list(id, query)),
      stats: ({ query }) => CurrentProject.use(({ id }) => records.stats(id, query)),
      ofContact: ({ params, query }) => CurrentProject.use(({ id }) => records.ofContact(id, params.contactId, query)),
      names: ({ query }) => CurrentProject.use(({ id }) => records.names(id, query)),
      usage: ({ params }) => CurrentProject.use(({ id }) => records.usage(id, params.eventName)),
      timeseries: ({ params, query }) =>
        CurrentProject.use(({ id }) => records.timeseries(id, params.eventName, query)),
      delete: ({ params }) => CurrentProject.use(({ id }) => records.delete(id, params.eventName))
    })
  })
)
