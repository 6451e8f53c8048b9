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
        description: "Every segment of the project, newest first, without pages."
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
      error: [notFound, envelope(Conflict)]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Change a segment",
        description:
          "Absent fields keep their values. With `ifUpdatedAt`, only if nothing has changed the segment since, else 409 with reason `changed_meanwhile`. Members are counted again when the condition changes. Turning tracking off ends the tracked memberships without events. Turning it on again starts with no members."
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
          "Deletes the segment and its memberships without events. Refused while a campaign in DRAFT, SCHEDULED or SENDING, another segment's condition or a workflow uses it."
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
          "For a dynamic segment, the contacts that match now, newest contact first. For a static one, its members, newest member first."
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
        description: "By address, all or none. Contacts that this creates emit no subscription event."
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
        description: "Only updates the count: emits no events and stores no membership."
      })
    )
  )
  .middleware(Validation)
  .middleware(JsonBody)
  .middleware(ProjectAccess)
  .annotate(MalformedId, (id) => Schema.encodeEffect(notFound)(new SegmentNotFound({ id })))
  .annotate(OpenApi.Description, "Named groups of contacts, by a condition or by hand.")
  .prefix("/segments") {}
