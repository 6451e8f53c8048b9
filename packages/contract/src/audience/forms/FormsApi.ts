/** Endpoints of sign-up forms. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ProjectAccess } from "../../platform/Auth.ts"
import { Conflict, envelope, ResourceNotFound } from "../../platform/Errors.ts"
import { body } from "../../platform/Primitives.ts"
import { JsonBody, MalformedId, Validation } from "../../platform/Request.ts"
import { CreateForm, Form, FormId, FormList, FormSnippet, UpdateForm } from "./Form.ts"

const notFound = envelope(ResourceNotFound)
const params = { id: FormId }

export class FormsApi extends HttpApiGroup.make("forms")
  .add(
    HttpApiEndpoint.get("list", "/", { success: FormList }).annotateMerge(
      OpenApi.annotations({
        summary: "List sign-up forms",
        description: "Every form of the project, newest first, without pages. The counts are exact."
      })
    ),
    HttpApiEndpoint.post("create", "/", {
      payload: body(CreateForm),
      success: Form.pipe(HttpApiSchema.status(201)),
      error: envelope(Conflict)
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Create a sign-up form",
        description:
          "Its page is at once at `/f/<publicId>`. A project has at most 50 forms; one more is 422. 409 with reason `key_taken` if another form has the key."
      })
    ),
    HttpApiEndpoint.get("get", "/:id", { params, success: Form, error: notFound }).annotateMerge(
      OpenApi.annotations({ summary: "Read a sign-up form", description: "One form with its counts." })
    ),
    HttpApiEndpoint.patch("update", "/:id", {
      params,
      payload: body(UpdateForm),
      success: Form,
      error: [notFound, envelope(Conflict)]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Change a sign-up form",
        description:
          "Absent fields keep their values; null gives the default. Lists and texts are replaced as a whole. With `ifUpdatedAt`, only if nothing has changed the form since, else 409 with reason `changed_meanwhile`."
      })
    ),
    HttpApiEndpoint.delete("remove", "/:id", {
      params,
      success: HttpApiSchema.NoContent,
      error: notFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Delete a sign-up form",
        description: "Its page is gone at once. Contacts, events and records of consent keep its id."
      })
    ),
    HttpApiEndpoint.get("snippet", "/:id/snippet", { params, success: FormSnippet, error: notFound }).annotateMerge(
      OpenApi.annotations({
        summary: "Get the HTML of a sign-up form",
        description: "For a page of your own: a form that works without script, and the script that helps it."
      })
    )
  )
  .middleware(Validation)
  .middleware(JsonBody)
  .middleware(ProjectAccess)
  .annotate(MalformedId, (id) => Schema.encodeEffect(notFound)(new ResourceNotFound({ resource: "form", id })))
  .annotate(OpenApi.Description, "Sign-up forms: their fields, texts and topics, and the HTML for a page.")
  .prefix("/forms") {}
