/** Endpoints that export contacts, and that export or erase one person. */
import { HttpApiEndpoint, OpenApi } from "effect/http-api"
import { BadRequest, envelope } from "../../platform/Errors.ts"
import { ExportedRows } from "../../platform/Export.ts"
import { body } from "../../platform/Primitives.ts"
import { SegmentNotFound } from "../segments/Segment.ts"
import { ExportContacts } from "./BulkChange.ts"
import { ContactId, ContactNotFound } from "./Contact.ts"
import { Erasure, ExportQuery, PersonalData } from "./ContactExport.ts"

const params = { id: ContactId }
const notFound = envelope(ContactNotFound)

export const exportEndpoints = [
  HttpApiEndpoint.get("export", "/export", {
    query: ExportQuery,
    success: ExportedRows,
    error: [envelope(SegmentNotFound), envelope(BadRequest)]
  }).annotateMerge(
    OpenApi.annotations({
      summary: "Export contacts",
      description:
        "A file of all contacts, or of those that match the query, ordered by id, each at most once. CSV has the columns id, email, subscribed, createdAt, updatedAt and every custom field; objects and lists are JSON, and a text that a spreadsheet would run as a formula starts with an apostrophe. With more than 10,000 custom fields, only NDJSON is possible."
    })
  ),
  HttpApiEndpoint.post("exportSelected", "/export", {
    payload: body(ExportContacts),
    success: ExportedRows,
    error: [envelope(SegmentNotFound), envelope(BadRequest)]
  }).annotateMerge(
    OpenApi.annotations({
      summary: "Export selected contacts",
      description:
        "As `GET /contacts/export`, for the contacts that match a condition, are members of a segment or are named by their ids; at most one of the three."
    })
  ),
  HttpApiEndpoint.get("exportOne", "/:id/export", { params, success: PersonalData, error: notFound }).annotateMerge(
    OpenApi.annotations({
      summary: "Export everything about a contact",
      description: "The contact with its events, mail, segments, workflow executions and suppression."
    })
  ),
  HttpApiEndpoint.post("erase", "/:id/erase", { params, success: Erasure, error: notFound }).annotateMerge(
    OpenApi.annotations({
      summary: "Erase a contact",
      description:
        "Deletes the contact and removes personal data from the records of its mail; their state and times stay, so counts do not change. A suppression of the address is kept only as a keyed hash. Cannot be undone."
    })
  )
] as const
