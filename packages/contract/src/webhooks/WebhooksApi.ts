/** Endpoints of outbound webhooks. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ProjectAccess } from "../platform/Auth.ts"
import { Conflict, envelope, InvalidCursor, ResourceNotFound } from "../platform/Errors.ts"
import { body } from "../platform/Primitives.ts"
import { JsonBody, MalformedId, Validation } from "../platform/Request.ts"
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
/** Not checked to be an id: a malformed one is the same 404 as an unknown one. */
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
          "From now on the URL receives the events that match the patterns, signed by the Standard Webhooks convention. The secret is shown only in this response. At most 20 in a project."
      })
    ),
    HttpApiEndpoint.get("get", "/:id", { params, success: Webhook, error: notFound }).annotateMerge(
      OpenApi.annotations({ summary: "Read a webhook", description: "One endpoint, without its secret." })
    ),
    HttpApiEndpoint.patch("update", "/:id", {
      params,
      payload: body(UpdateWebhook),
      success: Webhook,
      error: [notFound, envelope(Conflict)]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Change a webhook",
        description:
          "A disabled endpoint receives nothing, and its waiting deliveries fail; `POST /webhooks/{id}/replay` delivers them later. With `ifUpdatedAt`, only if nothing has changed the webhook since, else 409 with reason `changed_meanwhile`."
      })
    ),
    HttpApiEndpoint.delete("remove", "/:id", {
      params,
      success: HttpApiSchema.NoContent,
      error: notFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Remove a webhook",
        description: "Ends its waiting deliveries and deletes its log."
      })
    ),
    HttpApiEndpoint.post("rotateSecret", "/:id/rotate-secret", {
      params,
      success: RotatedWebhook,
      error: notFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Replace the secret of a webhook",
        description:
          "For 24 hours, requests have two signatures: one with the new secret and one with the previous secret."
      })
    ),
    HttpApiEndpoint.post("test", "/:id/test", { params, success: Queued, error: notFound }).annotateMerge(
      OpenApi.annotations({
        summary: "Test a webhook",
        description: "Delivers one `webhook.test`, even to a disabled endpoint."
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
        description: "Deliveries to the endpoint, newest first. They are kept for 30 days."
      })
    ),
    HttpApiEndpoint.get("delivery", "/:id/deliveries/:deliveryId", {
      params: ofDelivery,
      success: DeliveryDetail,
      error: notFound
    }).annotateMerge(
      OpenApi.annotations({ summary: "Read a delivery", description: "With its payload and every attempt." })
    ),
    HttpApiEndpoint.post("replayDelivery", "/:id/deliveries/:deliveryId/replay", {
      params: ofDelivery,
      success: [Queued, Delivery],
      error: notFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Deliver again",
        description:
          "Starts a new series of attempts with the same `webhook-id` and payload. 200 if the delivery is still pending."
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
        description:
          "Repeats deliveries of a period that failed, or delivers events of the period that were missed. Delivers nothing to a disabled endpoint."
      })
    )
  )
  .middleware(Validation)
  .middleware(JsonBody)
  .middleware(ProjectAccess)
  .annotate(MalformedId, (id) => Schema.encodeEffect(notFound)(new ResourceNotFound({ resource: "webhook", id })))
  .annotate(OpenApi.Description, "Endpoints that receive events.")
  .prefix("/webhooks") {}
