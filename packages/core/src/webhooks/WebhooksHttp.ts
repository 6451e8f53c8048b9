/** Handlers of WebhooksApi. */
import { Api } from "@posthorn/contract/Api"
import { CurrentProject, type ProjectAccess } from "@posthorn/contract/platform/Auth"
import type { JsonBody, Validation } from "@posthorn/contract/platform/Request"
import { Delivery } from "@posthorn/contract/webhooks/Webhook"
import { Effect, type Layer } from "effect"
import { HttpServerResponse } from "effect/http"
import type { HttpApiGroup } from "effect/http-api"
import { group } from "../platform/http/RequestContext.ts"
import * as Webhooks from "./Webhooks.ts"

const pendingResponse = HttpServerResponse.schemaJson(Delivery)

export const layer: Layer.Layer<
  HttpApiGroup.Service<"posthorn", "webhooks">,
  never,
  JsonBody | ProjectAccess | Validation | Webhooks.Needs
> = group(
  Api,
  "webhooks",
  Effect.fnUntraced(function* (handlers) {
    const webhooks = yield* Webhooks.make
    return handlers.handleAll({
      list: () => CurrentProject.use(({ id }) => webhooks.list(id)),
      create: ({ payload }) => CurrentProject.use(({ id }) => webhooks.create(id, payload)),
      get: ({ params }) => CurrentProject.use(({ id }) => webhooks.get(id, params.id)),
      update: ({ params, payload }) => CurrentProject.use(({ id }) => webhooks.update(id, params.id, payload)),
      remove: ({ params }) => CurrentProject.use(({ id }) => webhooks.remove(id, params.id)),
      rotateSecret: ({ params }) => CurrentProject.use(({ id }) => webhooks.rotateSecret(id, params.id)),
      test: ({ params }) => CurrentProject.use(({ id }) => webhooks.test(id, params.id)),
      deliveries: ({ params, query }) => CurrentProject.use(({ id }) => webhooks.deliveries(id, params.id, query)),
      delivery: ({ params }) => CurrentProject.use(({ id }) => webhooks.delivery(id, params.id, params.deliveryId)),
      replayDelivery: Effect.fnUntraced(function* ({ params }) {
        const { id } = yield* CurrentProject
        const { delivery, isNew } = yield* webhooks.replayDelivery(id, params.id, params.deliveryId)
        // The encoder of the endpoint uses 202, the first of its two statuses.
        return isNew ? delivery : yield* Effect.orDie(pendingResponse(delivery))
      }),
      replay: ({ params, payload }) => CurrentProject.use(({ id }) => webhooks.replay(id, params.id, payload))
    })
  })
)
