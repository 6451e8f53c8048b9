/** Endpoints of outbound webhooks (contract-2 16.2). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ProjectAccess } from "../Auth.ts"
import { envelope, InvalidCursor, ResourceNotFound } from "../Errors.ts"
import { JsonBody, MalformedId, Validation } from "../Request.ts"
import { body } from "../Wire.ts"
import {
  CreatedWebhook,
  CreateWebhook,
  Delivery,
  DeliveryDetail,
  DeliveryPage,
  DeliveryQuery,
  ReplayedWebhook,
  ReplayWebhook,
  RotatedWebhook,
  UpdateWebhook,
  Webhook,
  WebhookId
} from "./Webhook.ts"

const notFound = envelope(ResourceNotFound)
const params = { id: WebhookId }
/** Compared, not parsed: whatever is not there is the same 404. */
const ofDelivery = { ...params, deliveryId: Schema.String.annotate({ format: "uuid" }) }
const Queued = Delivery.pipe(HttpApiSchema.status(202))

export class WebhooksApi extends HttpApiGroup.make("webhooks")
  .add(
    HttpApiEndpoint.get("list", "/", {
      success: Schema.Array(Webhook).annotate({ description: "Every endpoint of the project." })
    }).annotateMerge(
      OpenApi.annotations({ summary: "List webhooks", description: "Newest first, without their secrets." })
    ),
    HttpApiEndpoint.post("create", "/", {
      payload: body(CreateWebhook),
      success: CreatedWebhook.pipe(HttpApiSchema.status(201))
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Add a webhook",
        description:
          "From now on the URL is told of what fits the patterns, signed by the Standard Webhooks convention. The secret is shown this once. At most 20 in a project."
      })
    ),
    HttpApiEndpoint.get("get", "/:id", { params, success: Webhook, error: notFound }).annotateMerge(
      OpenApi.annotations({ summary: "Read a webhook", description: "One endpoint, without its secret." })
    ),
    HttpApiEndpoint.patch("update", "/:id", {
      params,
      payload: body(UpdateWebhook),
      success: Webhook,
      error: notFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Change a webhook",
        description:
          "Disabled, it is told of nothing and what waits is given up; `POST /webhooks/{id}/replay` fetches it up."
      })
    ),
    HttpApiEndpoint.delete("remove", "/:id", {
      params,
      success: HttpApiSchema.NoContent,
      error: notFound
    }).annotateMerge(
      OpenApi.annotations({ summary: "Remove a webhook", description: "What waits ends, and its log goes." })
    ),
    HttpApiEndpoint.post("rotateSecret", "/:id/rotate-secret", {
      params,
      success: RotatedWebhook,
      error: notFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Replace the secret of a webhook",
        description: "For 24 hours requests carry two signatures, by the new secret and by the previous one."
      })
    ),
    HttpApiEndpoint.post("test", "/:id/test", { params, success: Queued, error: notFound }).annotateMerge(
      OpenApi.annotations({
        summary: "Test a webhook",
        description: "Delivers one `webhook.test`, also to a disabled endpoint."
      })
    ),
    HttpApiEndpoint.get("deliveries", "/:id/deliveries", {
      params,
      query: DeliveryQuery,
      success: DeliveryPage,
      error: [notFound, envelope(InvalidCursor)]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List deliveries",
        description: "What the endpoint was told of, newest first. Kept for 30 days."
      })
    ),
    HttpApiEndpoint.get("delivery", "/:id/deliveries/:deliveryId", {
      params: ofDelivery,
      success: DeliveryDetail,
      error: notFound
    }).annotateMerge(
      OpenApi.annotations({ summary: "Read a delivery", description: "With its payload and every try." })
    ),
    HttpApiEndpoint.post("replayDelivery", "/:id/deliveries/:deliveryId/replay", {
      params: ofDelivery,
      success: [Queued, Delivery],
      error: notFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Deliver again",
        description:
          "The same `webhook-id` and payload, and the whole ladder of tries. 200 when it is on its way already."
      })
    ),
    HttpApiEndpoint.post("replay", "/:id/replay", {
      params,
      payload: body(ReplayWebhook),
      success: ReplayedWebhook.pipe(HttpApiSchema.status(202)),
      error: notFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Deliver many again",
        description: "What failed in a window of time, or what was missed in it. Nothing for a disabled endpoint."
      })
    )
  )
  .middleware(Validation)
  .middleware(JsonBody)
  .middleware(ProjectAccess)
  .annotate(MalformedId, (id) => Schema.encodeEffect(notFound)(new ResourceNotFound({ resource: "webhook", id })))
  .annotate(OpenApi.Description, "Endpoints that are told what happens.")
  .prefix("/webhooks") {}
