/** Endpoints of partials. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ProjectAccess } from "../../platform/Auth.ts"
import { Conflict, envelope, ResourceInUse, ResourceNotFound } from "../../platform/Errors.ts"
import { body } from "../../platform/Primitives.ts"
import { BodyLimit, JsonBody, MalformedId, Validation } from "../../platform/Request.ts"
import { CreatePartial, Partial, PartialId, PartialPage, PartialQuery, PartialUsage, UpdatePartial } from "./Partial.ts"

const notFound = envelope(ResourceNotFound)
const conflict = envelope(Conflict)
const inUse = envelope(ResourceInUse)
const params = { id: PartialId }
/** The same limit as for templates. */
const contentLimit = 10 * 1024 * 1024

export class PartialsApi extends HttpApiGroup.make("partials")
  .add(
    HttpApiEndpoint.get("list", "/", { query: PartialQuery, success: PartialPage }).annotateMerge(
      OpenApi.annotations({
        summary: "List partials",
        description: "The partials of the project, newest first unless sorted otherwise."
      })
    ),
    HttpApiEndpoint.post("create", "/", {
      payload: body(CreatePartial),
      success: Partial.pipe(HttpApiSchema.status(201)),
      error: conflict
    })
      .annotate(BodyLimit, contentLimit)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Create a partial",
          description:
            "Body and text are parsed at once, with the partials that they use. A project has at most 200 partials. If another partial has the name: 409 with reason `name_taken`."
        })
      ),
    HttpApiEndpoint.get("get", "/:id", { params, success: Partial, error: notFound }).annotateMerge(
      OpenApi.annotations({ summary: "Read a partial", description: "One partial with its texts as written." })
    ),
    HttpApiEndpoint.patch("update", "/:id", {
      params,
      payload: body(UpdatePartial),
      success: Partial,
      error: [notFound, conflict, inUse]
    })
      .annotate(BodyLimit, contentLimit)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Change a partial",
          description:
            "Absent fields keep their values; `null` clears `description` and `text`. The change applies to all mail rendered afterwards, except mail of campaigns whose sending has started. A new name is refused while the partial is in use."
        })
      ),
    HttpApiEndpoint.delete("delete", "/:id", {
      params,
      success: HttpApiSchema.NoContent,
      error: [notFound, inUse]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Delete a partial",
        description:
          "Refused while a template, another partial, or a campaign whose sending has not started uses it; the details list them."
      })
    ),
    HttpApiEndpoint.get("usage", "/:id/usage", { params, success: PartialUsage, error: notFound }).annotateMerge(
      OpenApi.annotations({
        summary: "List the uses of a partial",
        description:
          "Templates, partials and campaigns that use it, at most 100 of each, and whether it can be deleted."
      })
    )
  )
  .middleware(Validation)
  .middleware(JsonBody)
  .middleware(ProjectAccess)
  .annotate(MalformedId, (id) => Schema.encodeEffect(notFound)(new ResourceNotFound({ resource: "partial", id })))
  .annotate(
    OpenApi.Description,
    "Pieces of mail that several templates and campaigns include with `{{> name}}`. A layout is a partial around a whole body."
  )
  .prefix("/partials") {}
