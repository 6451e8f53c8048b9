/** Endpoints of templates. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ProjectAccess } from "../../platform/Auth.ts"
import { envelope, ResourceInUse, SenderDomainUnverified } from "../../platform/Errors.ts"
import { body } from "../../platform/Primitives.ts"
import { BodyLimit, JsonBody, MalformedId, PlainError, PlainRefusal, Validation } from "../../platform/Request.ts"
import {
  CreateTemplate,
  Template,
  TemplateId,
  TemplateNotFound,
  TemplatePage,
  TemplateQuery,
  TemplateUsage,
  UpdateTemplate
} from "./Template.ts"

const notFound = envelope(TemplateNotFound)
const unverified = envelope(SenderDomainUnverified)
const params = { id: TemplateId }
const Created = Template.pipe(HttpApiSchema.status(201))
/** Content is large. The other fields of a template are not. */
const contentLimit = 10 * 1024 * 1024

export class TemplatesApi extends HttpApiGroup.make("templates")
  .add(
    HttpApiEndpoint.get("list", "/", { query: TemplateQuery, success: TemplatePage }).annotateMerge(
      OpenApi.annotations({
        summary: "List templates",
        description: "The templates of the project, newest first unless sorted otherwise."
      })
    ),
    HttpApiEndpoint.post("create", "/", {
      payload: body(CreateTemplate),
      success: Created,
      error: [PlainError, unverified]
    })
      .annotate(PlainRefusal, { field: "from", text: "From address is required" })
      .annotate(BodyLimit, contentLimit)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Create a template",
          description: "Subject and body are parsed at once; the domain of `from` must be verified. At most 10 MB."
        })
      ),
    HttpApiEndpoint.get("get", "/:id", { params, success: Template, error: notFound }).annotateMerge(
      OpenApi.annotations({ summary: "Read a template", description: "One template with its texts as written." })
    ),
    HttpApiEndpoint.patch("update", "/:id", {
      params,
      payload: body(UpdateTemplate),
      success: Template,
      error: [notFound, unverified]
    })
      .annotate(BodyLimit, contentLimit)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Change a template",
          description:
            "What is absent stays; `null` clears `description`, `fromName` and `replyTo`. The change acts on mail rendered after it. At most 10 MB."
        })
      ),
    HttpApiEndpoint.delete("delete", "/:id", {
      params,
      success: HttpApiSchema.NoContent,
      error: [notFound, envelope(ResourceInUse)]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Delete a template",
        description: "Refused while a workflow step uses it. Campaigns keep the texts they copied."
      })
    ),
    HttpApiEndpoint.post("duplicate", "/:id/duplicate", { params, success: Created, error: notFound }).annotateMerge(
      OpenApi.annotations({
        summary: "Duplicate a template",
        description: "The copy has the name with ` (Copy)` after it. The domain of `from` is not checked again."
      })
    ),
    HttpApiEndpoint.get("usage", "/:id/usage", { params, success: TemplateUsage, error: notFound }).annotateMerge(
      OpenApi.annotations({
        summary: "Where a template is used",
        description:
          "Campaigns and workflow steps that name it, the number of mails made from it, and whether it can be deleted."
      })
    )
  )
  .middleware(Validation)
  .middleware(JsonBody)
  .middleware(ProjectAccess)
  .annotate(MalformedId, (id) => Schema.encodeEffect(notFound)(new TemplateNotFound({ id })))
  .annotate(OpenApi.Description, "Content that is written once and rendered for each recipient.")
  .prefix("/templates") {}
