/** Endpoints of segments. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ProjectAccess } from "../../platform/Auth.ts"
import { BadRequest, Conflict, envelope, ResourceInUse } from "../../platform/Errors.ts"
import { body } from "../../platform/Primitives.ts"
import { JsonBody, MalformedId, PlainError, PlainRefusal, Validation } from "../../platform/Request.ts"
import {
  AddedMembers,
  AddMembers,
  ComputedSegment,
  CreateSegment,
  RefreshedSegment,
  RemovedMembers,
  RemoveMembers,
  Segment,
  SegmentContactPage,
  SegmentContactQuery,
  SegmentId,
  SegmentNotFound,
  UpdateSegment
} from "./Segment.ts"

const notFound = envelope(SegmentNotFound)
const params = { id: SegmentId }
const Segments = Schema.Array(Segment).annotate({ description: "Every segment of the project." })

export class SegmentsApi extends HttpApiGroup.make("segments")
  .add(
    HttpApiEndpoint.get("list", "/", { success: Segments }).annotateMerge(
      OpenApi.annotations({
        summary: "List segments",
        description: "Every segment of the project, newest first; not in pages."
      })
    ),
    HttpApiEndpoint.post("create", "/", {
      payload: CreateSegment,
      success: Segment.pipe(HttpApiSchema.status(201)),
      error: PlainError
    })
      .annotate(PlainRefusal, { field: "condition", text: "A dynamic segment needs a condition" })
      .annotateMerge(
        OpenApi.annotations({
          summary: "Create a segment",
          description:
            "The members are counted at once. The slug in the names of its events is set now and never changes."
        })
      ),
    HttpApiEndpoint.get("get", "/:id", { params, success: Segment, error: notFound }).annotateMerge(
      OpenApi.annotations({ summary: "Read a segment", description: "One segment with its cached `memberCount`." })
    ),
    HttpApiEndpoint.patch("update", "/:id", {
      params,
      payload: UpdateSegment,
      success: Segment,
      error: notFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Change a segment",
        description:
          "What is absent stays. Members are counted again when the condition changed. Switching tracking off ends the tracked memberships without events; on again starts from none."
      })
    ),
    HttpApiEndpoint.delete("delete", "/:id", {
      params,
      success: HttpApiSchema.NoContent,
      error: [notFound, envelope(ResourceInUse)]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Delete a segment",
        description:
          "With its memberships, and without events. Refused while a campaign in DRAFT, SCHEDULED or SENDING, another segment's condition or a workflow uses it."
      })
    ),
    HttpApiEndpoint.get("contacts", "/:id/contacts", {
      params,
      query: SegmentContactQuery,
      success: SegmentContactPage,
      error: notFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List the members of a segment",
        description:
          "Of a dynamic segment the contacts that match now, newest contact first; of a static one the newest member first."
      })
    ),
    HttpApiEndpoint.post("addMembers", "/:id/members", {
      params,
      payload: body(AddMembers),
      success: AddedMembers,
      error: [notFound, envelope(Conflict)]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Add to a static segment",
        description: "By address, all or none. Contacts that are created on the way emit no subscription event."
      })
    ),
    HttpApiEndpoint.delete("removeMembers", "/:id/members", {
      params,
      payload: body(RemoveMembers),
      success: RemovedMembers,
      error: [notFound, envelope(Conflict)]
    }).annotateMerge(
      OpenApi.annotations({ summary: "Remove from a static segment", description: "By address, in a JSON body." })
    ),
    HttpApiEndpoint.post("compute", "/:id/compute", {
      params,
      success: ComputedSegment,
      error: [notFound, envelope(BadRequest)]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Recompute the members of a tracked segment",
        description:
          "Stores which contacts joined and left, and emits an event for each. 400 for a dynamic segment that does not track its membership; a static one has nothing to recompute."
      })
    ),
    HttpApiEndpoint.post("refresh", "/:id/refresh", {
      params,
      success: RefreshedSegment,
      error: notFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Count the members of a segment",
        description: "The count only: no events, and no membership is stored."
      })
    )
  )
  .middleware(Validation)
  .middleware(JsonBody)
  .middleware(ProjectAccess)
  .annotate(MalformedId, (id) => Schema.encodeEffect(notFound)(new SegmentNotFound({ id })))
  .annotate(OpenApi.Description, "Named parts of the audience, by a condition or by hand.")
  .prefix("/segments") {}
