/** Endpoints of contacts that a condition or a segment selects, and of the segments of a contact. */
import { Schema } from "effect"
import { HttpApiEndpoint, OpenApi } from "effect/http-api"
import { envelope, InvalidCursor } from "../../platform/Errors.ts"
import { body } from "../../platform/Primitives.ts"
import { ContactSegment, SegmentNotFound } from "../segments/Segment.ts"
import { ContactId, ContactNotFound } from "./Contact.ts"
import { ContactCount, CountContacts, QueryContacts, SelectedContactPage } from "./ContactSelection.ts"

const noSegment = envelope(SegmentNotFound)

export const selectionEndpoints = [
  HttpApiEndpoint.post("query", "/query", {
    payload: body(QueryContacts),
    success: SelectedContactPage,
    error: [noSegment, envelope(InvalidCursor)]
  }).annotateMerge(
    OpenApi.annotations({
      summary: "List contacts by a condition",
      description:
        "The contacts that match a condition, or the members of a segment, newest first unless sorted otherwise. Without either, all contacts. Changes nothing, so it also works while the project is disabled."
    })
  ),
  HttpApiEndpoint.post("count", "/count", {
    payload: body(CountContacts),
    success: ContactCount,
    error: noSegment
  }).annotateMerge(
    OpenApi.annotations({
      summary: "Count contacts by a condition",
      description:
        "The number of contacts that match a condition or are members of a segment; without either, of all. With `for`, also how many of them a campaign with mail of that type would reach, and why it would not reach the others. Changes nothing, so it also works while the project is disabled."
    })
  ),
  HttpApiEndpoint.get("segments", "/:id/segments", {
    params: { id: ContactId },
    success: Schema.Array(ContactSegment),
    error: envelope(ContactNotFound)
  }).annotateMerge(
    OpenApi.annotations({
      summary: "List the segments of a contact",
      description:
        "The segments that contain the contact now, newest segment first, at most 1,000. Dynamic segments are evaluated by this request."
    })
  )
] as const
