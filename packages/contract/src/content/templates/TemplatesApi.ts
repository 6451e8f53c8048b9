/** Endpoints of templates. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ContactNotFound } from "../../audience/contacts/Contact.ts"
import { Forbidden, ProjectAccess } from "../../platform/Auth.ts"
import { Conflict, envelope, ResourceInUse, ResourceNotFound, SenderDomainUnverified } from "../../platform/Errors.ts"
import { body } from "../../platform/Primitives.ts"
import { BodyLimit, JsonBody, MalformedId, PlainError, PlainRefusal, Validation } from "../../platform/Request.ts"
import { OwnerResults, TemplateLinks } from "../links/Links.ts"
import { PublishDraft, RestoreVersion, VersionNumber, VersionQuery } from "../versions/Version.ts"
import { RenderedMail, RenderTemplate, RenderTexts } from "./RenderedMail.ts"
import {
  CreateTemplateBody,
  Template,
  TemplateId,
  TemplateNotFound,
  TemplatePage,
  TemplateQuery,
  TemplateUsage,
  UpdateTemplate
} from "./Template.ts"
import { TemplateTested, TestTemplate } from "./TemplateTest.ts"
import { TemplateDraft, TemplateVersionPage, WriteDraft } from "./TemplateVersion.ts"

const notFound = envelope(TemplateNotFound)
const unverified = envelope(SenderDomainUnverified)
const conflict = envelope(Conflict)
/** Of a version or a draft. */
const noPart = envelope(ResourceNotFound)
const noContact = envelope(ContactNotFound)
const params = { id: TemplateId }
const versionParams = { id: TemplateId, version: VersionNumber }
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
      payload: body(CreateTemplateBody),
      success: Created,
      error: [PlainError, unverified, conflict]
    })
      .annotate(PlainRefusal, { field: "from", text: "From address is required" })
      .annotate(BodyLimit, contentLimit)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Create a template",
          description:
            "All texts are parsed at once; the domain of `from` must be verified. If another template has the alias: 409 with reason `alias_taken`. At most 10 MB."
        })
      ),
    HttpApiEndpoint.post("renderTexts", "/render", {
      payload: body(RenderTexts),
      success: RenderedMail,
      error: noContact
    })
      .annotate(BodyLimit, contentLimit)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Render texts",
          description:
            "Like `POST /templates/{id}/render`, with texts of the request. Nothing is sent or stored; it counts as a read. At most 10 MB."
        })
      ),
    HttpApiEndpoint.get("get", "/:id", { params, success: Template, error: notFound }).annotateMerge(
      OpenApi.annotations({ summary: "Read a template", description: "One template with its texts as written." })
    ),
    HttpApiEndpoint.patch("update", "/:id", {
      params,
      payload: body(UpdateTemplate),
      success: Template,
      error: [notFound, unverified, conflict]
    })
      .annotate(BodyLimit, contentLimit)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Change a template",
          description:
            "Absent fields keep their values; `null` clears a field that may be empty. The change applies to mail rendered afterwards. Changed content is a new version, which is live at once. At most 10 MB."
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
        description: "The copy has ` (Copy)` after its name. The domain of `from` is not checked again."
      })
    ),
    HttpApiEndpoint.get("links", "/:id/links", { params, success: TemplateLinks, error: notFound }).annotateMerge(
      OpenApi.annotations({
        summary: "Clicks on the links of a template",
        description:
          "For all mail from the template, by the links as written. Exact; counts stay when mails are deleted."
      })
    ),
    HttpApiEndpoint.get("stats", "/:id/stats", { params, success: OwnerResults, error: notFound }).annotateMerge(
      OpenApi.annotations({
        summary: "Results of a template",
        description:
          "Counts and rates of all mail from the template: single mails, campaigns and workflows, without test mail."
      })
    ),
    HttpApiEndpoint.post("render", "/:id/render", {
      params,
      payload: body(RenderTemplate),
      success: RenderedMail,
      error: [notFound, noPart, noContact]
    })
      .annotate(BodyLimit, contentLimit)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Render a template",
          description:
            "The mail as a recipient would get it, with its size, its variables and warnings. Content fields of the request replace those of the template. Nothing is sent or stored, and no contact is created; it counts as a read. At most 10 MB."
        })
      ),
    HttpApiEndpoint.post("test", "/:id/test", {
      params,
      payload: body(TestTemplate),
      success: TemplateTested,
      error: [notFound, noPart, unverified, conflict, envelope(Forbidden)]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Send a test of a template",
        description:
          "Sends to one address, of a contact or a member of the project, with `[TEST] ` before the subject. Its links change nothing, it is not tracked, and no count includes it. Without a contact, a missing variable is printed as its name in brackets, also by a strict template. A draft with faults is refused with them. 409 with reason `suppressed` for a suppressed address."
      })
    ),
    HttpApiEndpoint.get("usage", "/:id/usage", { params, success: TemplateUsage, error: notFound }).annotateMerge(
      OpenApi.annotations({
        summary: "List the uses of a template",
        description:
          "Campaigns and workflow steps that use it, the number of mails from it, and whether it can be deleted."
      })
    ),
    HttpApiEndpoint.get("versions", "/:id/versions", {
      params,
      query: VersionQuery,
      success: TemplateVersionPage,
      error: notFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List versions of a template",
        description: "Newest first. The last 100 versions are kept."
      })
    ),
    HttpApiEndpoint.get("version", "/:id/versions/:version", {
      params: versionParams,
      success: Template,
      error: [notFound, noPart]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Read a version of a template",
        description: "The template with the content and the number of that version."
      })
    ),
    HttpApiEndpoint.post("restore", "/:id/versions/:version/restore", {
      params: versionParams,
      payload: body(RestoreVersion),
      success: Template,
      error: [notFound, noPart, unverified, conflict]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Restore a version of a template",
        description:
          "Creates a new version with the content of this one, unless the live version already has that content. The draft is kept."
      })
    ),
    HttpApiEndpoint.get("draft", "/:id/draft", {
      params,
      success: TemplateDraft,
      error: [notFound, noPart]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Read the draft of a template",
        description: "The draft, and the faults that prevent its publication."
      })
    ),
    HttpApiEndpoint.put("saveDraft", "/:id/draft", {
      params,
      payload: body(WriteDraft),
      success: TemplateDraft,
      error: notFound
    })
      .annotate(BodyLimit, contentLimit)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Store the draft of a template",
          description:
            "Replaces the draft. Absent fields have the values of the live version. Only types and sizes are checked; all other faults are listed in `problems`. Nothing is sent from a draft. At most 10 MB."
        })
      ),
    HttpApiEndpoint.delete("deleteDraft", "/:id/draft", {
      params,
      success: HttpApiSchema.NoContent,
      error: [notFound, noPart]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Delete the draft of a template",
        description: "The live version is not changed."
      })
    ),
    HttpApiEndpoint.post("publish", "/:id/publish", {
      params,
      payload: body(PublishDraft),
      success: Template,
      error: [notFound, unverified, conflict]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Publish the draft of a template",
        description:
          "Makes the draft the next version, which is live at once, and deletes it. 409 with reason `no_draft` without one, and with reason `version_changed` if another version became live since it was stored, unless `force` is set."
      })
    )
  )
  .middleware(Validation)
  .middleware(JsonBody)
  .middleware(ProjectAccess)
  .annotate(MalformedId, (id) => Schema.encodeEffect(notFound)(new TemplateNotFound({ id })))
  .annotate(OpenApi.Description, "Content that is written once and rendered for each recipient.")
  .prefix("/templates") {}
