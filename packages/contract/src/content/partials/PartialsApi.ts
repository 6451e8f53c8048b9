/** Endpoints of partials. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ProjectAccess } from "../../platform/Auth.ts"
import { Conflict, envelope, ResourceInUse, ResourceNotFound } from "../../platform/Errors.ts"
import { body } from "../../platform/Primitives.ts"
import { BodyLimit, JsonBody, MalformedId, Validation } from "../../platform/Request.ts"
import { PublishDraft, RestoreVersion, VersionNumber, VersionQuery } from "../versions/Version.ts"
import {
  CreatePartial,
  Partial,
  PartialDraft,
  PartialId,
  PartialPage,
  PartialQuery,
  PartialUsage,
  PartialVersionPage,
  UpdatePartial,
  WritePartialDraft
} from "./Partial.ts"

const notFound = envelope(ResourceNotFound)
const conflict = envelope(Conflict)
const inUse = envelope(ResourceInUse)
const params = { id: PartialId }
const versionParams = { id: PartialId, version: VersionNumber }
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
            "Absent fields keep their values; `null` clears `description` and `text`. The change applies to all mail rendered afterwards, except mail of campaigns whose sending has started. Changed texts are a new version. A new name is refused while the partial is in use."
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
          "Refused while a template, another partial, a draft of one of them, or a campaign whose sending has not started uses it; the details list them. Its versions and its draft are deleted too."
      })
    ),
    HttpApiEndpoint.get("usage", "/:id/usage", { params, success: PartialUsage, error: notFound }).annotateMerge(
      OpenApi.annotations({
        summary: "List the uses of a partial",
        description:
          "Templates, partials and campaigns that use it, at most 100 of each, and whether it can be deleted."
      })
    ),
    HttpApiEndpoint.get("versions", "/:id/versions", {
      params,
      query: VersionQuery,
      success: PartialVersionPage,
      error: notFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List versions of a partial",
        description: "Newest first. The last 100 versions are kept."
      })
    ),
    HttpApiEndpoint.get("version", "/:id/versions/:version", {
      params: versionParams,
      success: Partial,
      error: notFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Read a version of a partial",
        description: "The partial with the texts and the number of that version."
      })
    ),
    HttpApiEndpoint.post("restore", "/:id/versions/:version/restore", {
      params: versionParams,
      payload: body(RestoreVersion),
      success: Partial,
      error: [notFound, conflict]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Restore a version of a partial",
        description:
          "Makes a new version with the texts of that one, and none if the live version has them. Refused if a partial that they name is gone. The draft stays."
      })
    ),
    HttpApiEndpoint.get("draft", "/:id/draft", { params, success: PartialDraft, error: notFound }).annotateMerge(
      OpenApi.annotations({
        summary: "Read the draft of a partial",
        description: "The texts that are not published yet, and the faults that prevent their publication."
      })
    ),
    HttpApiEndpoint.put("saveDraft", "/:id/draft", {
      params,
      payload: body(WritePartialDraft),
      success: PartialDraft,
      error: notFound
    })
      .annotate(BodyLimit, contentLimit)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Store the draft of a partial",
          description:
            "Replaces the draft. Absent fields are as in the live version. Only types and sizes are checked; all other faults are listed in `problems`. No mail has the texts of a draft."
        })
      ),
    HttpApiEndpoint.delete("deleteDraft", "/:id/draft", {
      params,
      success: HttpApiSchema.NoContent,
      error: notFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Delete the draft of a partial",
        description: "The live version stays."
      })
    ),
    HttpApiEndpoint.post("publish", "/:id/publish", {
      params,
      payload: body(PublishDraft),
      success: Partial,
      error: [notFound, conflict]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Publish the draft of a partial",
        description:
          "Makes the draft the next version, which all mail rendered afterwards includes, and deletes the draft. 409 with reason `no_draft` without one, and with reason `version_changed` if another version went live since it was stored, unless `force` is set."
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
