/** Endpoints of saved views. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Forbidden, ProjectAccess } from "../../platform/Auth.ts"
import { envelope, ResourceNotFound } from "../../platform/Errors.ts"
import { body, Id } from "../../platform/Primitives.ts"
import { JsonBody, MalformedId, Validation } from "../../platform/Request.ts"
import { CreateView, UpdateView, View, ViewList, ViewQuery } from "./View.ts"

const params = { id: Id }
const notFound = envelope(ResourceNotFound)
const refused = [notFound, envelope(Forbidden)] as const

export class ViewsApi extends HttpApiGroup.make("views")
  .add(
    HttpApiEndpoint.get("list", "/", { query: ViewQuery, success: ViewList }).annotateMerge(
      OpenApi.annotations({
        summary: "List saved views",
        description: "Views that the member has made, and those that are shared. With the secret key only shared ones."
      })
    ),
    HttpApiEndpoint.post("create", "/", {
      payload: body(CreateView),
      success: View.pipe(HttpApiSchema.status(201)),
      error: envelope(Forbidden)
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Save a view",
        description:
          "At most 50 of each member and 200 of the project; one more is 422. Views leave the project with the member who made them."
      })
    ),
    HttpApiEndpoint.patch("update", "/:id", {
      params,
      payload: body(UpdateView),
      success: View,
      error: [...refused]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Change a view",
        description:
          "For its maker, and for a shared one also OWNER and ADMIN. Absent fields keep their values. A view that was made with the secret key stays shared."
      })
    ),
    HttpApiEndpoint.delete("remove", "/:id", {
      params,
      success: HttpApiSchema.NoContent,
      error: [...refused]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Delete a view",
        description: "For its maker, and for a shared one also OWNER and ADMIN."
      })
    )
  )
  .middleware(Validation)
  .middleware(JsonBody)
  .middleware(ProjectAccess)
  .annotate(MalformedId, (id) => Schema.encodeEffect(notFound)(new ResourceNotFound({ resource: "view", id })))
  .annotate(OpenApi.Description, "Queries of lists that people come back to. Closed to API keys.")
  .prefix("/views") {}
