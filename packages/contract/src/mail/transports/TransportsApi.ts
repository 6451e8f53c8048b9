/** Endpoints of the transports of a project, and of its routes. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ProjectAccess } from "../../platform/Auth.ts"
import { Conflict, envelope, RateLimitExceeded, ResourceInUse, ResourceNotFound } from "../../platform/Errors.ts"
import { body } from "../../platform/Primitives.ts"
import { JsonBody, MalformedId, Validation } from "../../platform/Request.ts"
import {
  CheckedTransport,
  CreateTransport,
  Routes,
  SetRoutes,
  Transport,
  TransportId,
  UpdateTransport
} from "./Transport.ts"

const notFound = envelope(ResourceNotFound)
const params = { id: TransportId }

export class TransportsApi extends HttpApiGroup.make("transports")
  .add(
    HttpApiEndpoint.get("list", "/", {
      success: Schema.Array(Transport).annotate({ description: "Every transport of the project." })
    }).annotateMerge(
      OpenApi.annotations({ summary: "List transports", description: "Newest first, without their passwords." })
    ),
    HttpApiEndpoint.post("create", "/", {
      payload: body(CreateTransport),
      success: Transport.pipe(HttpApiSchema.status(201)),
      error: [envelope(Conflict), envelope(RateLimitExceeded)]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Add a transport",
        description:
          "Opens a session with the server first; nothing is stored if that fails. Connections use TLS with a valid certificate and go to public addresses only. At most 20 in a project, and 30 such tests an hour."
      })
    ),
    HttpApiEndpoint.get("routes", "/routes", { success: Routes }).annotateMerge(
      OpenApi.annotations({
        summary: "Read the routes",
        description: "The routes, which choose the transports for mail."
      })
    ),
    HttpApiEndpoint.put("setRoutes", "/routes", { payload: body(SetRoutes), success: Routes }).annotateMerge(
      OpenApi.annotations({
        summary: "Replace the routes",
        description:
          "Applies to attempts from one second later on. Mail that matches no route uses the transports of the installation."
      })
    ),
    HttpApiEndpoint.get("get", "/:id", { params, success: Transport, error: notFound }).annotateMerge(
      OpenApi.annotations({ summary: "Read a transport", description: "One transport, without its password." })
    ),
    HttpApiEndpoint.patch("update", "/:id", {
      params,
      payload: body(UpdateTransport),
      success: Transport,
      error: [notFound, envelope(Conflict), envelope(RateLimitExceeded)]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Change a transport",
        description:
          "A change of `host`, `port`, `tls`, `user` or `password` opens a session first; nothing is stored if that fails."
      })
    ),
    HttpApiEndpoint.delete("remove", "/:id", {
      params,
      success: HttpApiSchema.NoContent,
      error: [notFound, envelope(ResourceInUse)]
    }).annotateMerge(
      OpenApi.annotations({ summary: "Remove a transport", description: "Refused while a route uses it." })
    ),
    HttpApiEndpoint.post("verify", "/:id/verify", { params, success: CheckedTransport, error: notFound }).annotateMerge(
      OpenApi.annotations({
        summary: "Check a transport",
        description:
          "Opens a session without sending mail. Returns the result of an earlier check if it is less than 10 seconds old."
      })
    )
  )
  .middleware(Validation)
  .middleware(JsonBody)
  .middleware(ProjectAccess)
  .annotate(MalformedId, (id) => Schema.encodeEffect(notFound)(new ResourceNotFound({ resource: "transport", id })))
  .annotate(OpenApi.Description, "SMTP servers of the project, and their routes.")
  .prefix("/transports") {}
