/** Endpoints of requests of recipients about their data. */
import { Effect, Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ProjectAccess } from "../../platform/Auth.ts"
import { Conflict, envelope, InvalidCursor, ResourceNotFound } from "../../platform/Errors.ts"
import { body } from "../../platform/Primitives.ts"
import { JsonBody, MalformedId, Validation } from "../../platform/Request.ts"
import {
  PrivacyRequest,
  PrivacyRequestId,
  PrivacyRequestPage,
  PrivacyRequestQuery,
  RefusePrivacyRequest
} from "./PrivacyRequest.ts"

const missing = envelope(ResourceNotFound)
const params = { id: PrivacyRequestId }

export class PrivacyRequestsApi extends HttpApiGroup.make("privacyRequests")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: PrivacyRequestQuery,
      success: PrivacyRequestPage,
      error: envelope(InvalidCursor)
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List privacy requests",
        description: "What recipients asked about their data, newest first. Kept for three years."
      })
    ),
    HttpApiEndpoint.get("get", "/:id", { params, success: PrivacyRequest, error: missing }).annotateMerge(
      OpenApi.annotations({
        summary: "Get a privacy request",
        description: "Requests with their state. After an erasure a request names no person."
      })
    ),
    HttpApiEndpoint.post("complete", "/:id/complete", {
      params,
      success: PrivacyRequest,
      error: [missing, envelope(Conflict)]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Do what a recipient asked for",
        description:
          "For OWNER and ADMIN. Erases the person, as `POST /contacts/{id}/erase` does. Cannot be undone. 409 with reason `already_finished` unless the request is `OPEN`. Also works while the project is disabled."
      })
    ),
    HttpApiEndpoint.post("refuse", "/:id/refuse", {
      params,
      payload: body(RefusePrivacyRequest),
      success: PrivacyRequest,
      error: [missing, envelope(Conflict)]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Refuse a privacy request",
        description:
          "For OWNER and ADMIN. Mails the note to the person, as plain text. 409 with reason `already_finished` unless the request is `OPEN`. Also works while the project is disabled."
      })
    )
  )
  .middleware(Validation)
  .middleware(JsonBody)
  .middleware(ProjectAccess)
  .annotate(MalformedId, (id) =>
    Effect.orDie(Schema.encodeEffect(missing)(new ResourceNotFound({ resource: "privacy_request", id })))
  )
  .annotate(OpenApi.Description, "What recipients ask about their data on the page of preferences.")
  .prefix("/privacy-requests") {}
