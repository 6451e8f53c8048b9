/** Endpoints of imports and bulk operations. */
import { Effect, Schema } from "effect"
import { HttpApiEndpoint, HttpApiSchema, OpenApi } from "effect/http-api"
import { Forbidden } from "../../platform/Auth.ts"
import { Conflict, envelope, InvalidCursor, ResourceNotFound } from "../../platform/Errors.ts"
import { body, Id } from "../../platform/Primitives.ts"
import { MalformedId, TakesFile } from "../../platform/Request.ts"
import { SegmentNotFound } from "../segments/Segment.ts"
import { BulkPreview, ChangeContacts, InvalidConfirmation } from "./BulkChange.ts"
import {
  BulkContacts,
  BulkJob,
  BulkPage,
  BulkQuery,
  ImportJob,
  ImportPage,
  ImportQuery,
  ImportUpload,
  JobQueued,
  maxImportBytes
} from "./ContactJob.ts"

const notFound = envelope(ResourceNotFound)
const params = { jobId: Id }
const noSuchJob = (id: string) =>
  Effect.orDie(Schema.encodeEffect(notFound)(new ResourceNotFound({ resource: "job", id })))

const bulk = <const Name extends string, const Path extends `/${string}`>(
  name: Name,
  path: Path,
  summary: string,
  effect: string
) =>
  HttpApiEndpoint.post(name, path, { payload: body(BulkContacts), success: JobQueued }).annotateMerge(
    OpenApi.annotations({
      summary,
      description: `Up to 1,000 contacts by id. ${effect} Queued; \`GET /contacts/bulk/{jobId}\` has the progress and the result.`
    })
  )

export const jobEndpoints = [
  HttpApiEndpoint.post("import", "/import", {
    payload: ImportUpload,
    success: JobQueued,
    error: [envelope(SegmentNotFound), envelope(Conflict)]
  })
    .annotate(TakesFile, maxImportBytes)
    .annotateMerge(
      OpenApi.annotations({
        summary: "Import contacts from a CSV file",
        description:
          "At most 5 MB, 100,000 rows and 100 columns; UTF-8, with a header line that has a column `email` or `externalId`. An `externalId` finds the contact before the address does, as in `POST /contacts`; a row whose id and address belong to two contacts is faulty. A column `subscribed` says whether a contact may get marketing mail. Every other column is stored in the data under its header. Rows are upserted in the order of the file; the last row of an address wins; empty cells are ignored. `mapping` gives columns other targets; a dry run counts new, changed and faulty rows first. 409 with reason `segment_not_static`. Queued; `GET /contacts/import/{jobId}` has the progress and the result."
      })
    ),
  HttpApiEndpoint.get("imports", "/import", {
    query: ImportQuery,
    success: ImportPage,
    error: envelope(InvalidCursor)
  }).annotateMerge(
    OpenApi.annotations({
      summary: "List imports",
      description: "The imports of the last 30 days and those under way, newest first, without their faulty rows."
    })
  ),
  HttpApiEndpoint.post("cancelImport", "/import/:jobId/cancel", {
    params,
    success: ImportJob,
    error: [notFound, envelope(Conflict)]
  })
    .annotate(MalformedId, noSuchJob)
    .annotateMerge(
      OpenApi.annotations({
        summary: "Cancel an import",
        description:
          "Rows that were imported stay, and no further ones follow. 409 with reason `already_finished` for an import that has ended."
      })
    ),
  HttpApiEndpoint.get("importJob", "/import/:jobId", { params, success: ImportJob, error: notFound })
    .annotate(MalformedId, noSuchJob)
    .annotateMerge(
      OpenApi.annotations({
        summary: "Read an import",
        description: "The progress, and the faulty rows of the file. Faulty rows do not affect the others."
      })
    ),
  HttpApiEndpoint.get("importErrors", "/import/:jobId/errors", {
    params,
    success: HttpApiSchema.StreamUint8Array({ contentType: "text/csv" }),
    error: notFound
  })
    .annotate(MalformedId, noSuchJob)
    .annotateMerge(
      OpenApi.annotations({
        summary: "Download the faulty rows of an import",
        description:
          "CSV with the columns `row`, `error` and those of the file, whose cells are as given, so that the rows can be corrected and imported again. At most 10,000 rows. Kept as long as the import, for 30 days. A text that a spreadsheet would run as a formula starts with an apostrophe."
      })
    ),
  bulk(
    "bulkSubscribe",
    "/bulk-subscribe",
    "Subscribe many contacts",
    "Each contact that was not subscribed emits `contact.subscribed`."
  ),
  bulk(
    "bulkUnsubscribe",
    "/bulk-unsubscribe",
    "Unsubscribe many contacts",
    "Each contact that was subscribed emits `contact.unsubscribed`."
  ),
  bulk("bulkDelete", "/bulk-delete", "Delete many contacts", "For OWNER and ADMIN. Cannot be undone."),
  HttpApiEndpoint.post("bulk", "/bulk", {
    payload: body(ChangeContacts),
    success: [BulkPreview, JobQueued],
    error: [envelope(Conflict), envelope(Forbidden), envelope(InvalidConfirmation), envelope(SegmentNotFound)]
  }).annotateMerge(
    OpenApi.annotations({
      summary: "Change selected contacts",
      description:
        "The contacts that a condition, a segment or a list of ids selects now, or all. `dryRun` counts them and gives the token that confirms the same change for 15 minutes; without it, more than 1,000 contacts (`delete`: 100) are 409 with reason `confirmation_required`. If many more match by then, 409 with reason `audience_changed`. `delete` is for OWNER and ADMIN. Queued; one job of a project runs at a time, and at most 20 wait."
    })
  ),
  HttpApiEndpoint.get("bulkJobs", "/bulk", {
    query: BulkQuery,
    success: BulkPage,
    error: envelope(InvalidCursor)
  }).annotateMerge(
    OpenApi.annotations({
      summary: "List bulk jobs",
      description: "The bulk jobs of the last 30 days and those under way, newest first, without their errors."
    })
  ),
  HttpApiEndpoint.post("cancelBulk", "/bulk/:jobId/cancel", {
    params,
    success: BulkJob,
    error: [notFound, envelope(Conflict)]
  })
    .annotate(MalformedId, noSuchJob)
    .annotateMerge(
      OpenApi.annotations({
        summary: "Cancel a bulk job",
        description:
          "Contacts that were changed stay so, and no further ones follow. 409 with reason `already_finished` for a job that has ended."
      })
    ),
  HttpApiEndpoint.get("bulkJob", "/bulk/:jobId", { params, success: BulkJob, error: notFound })
    .annotate(MalformedId, noSuchJob)
    .annotateMerge(
      OpenApi.annotations({
        summary: "Read a bulk job",
        description: "The progress, and the reason for each contact that could not be changed."
      })
    )
] as const
