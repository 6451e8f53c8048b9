/** Endpoints of imports and bulk operations (contract 12.12 to 12.15). */
import { Effect, Schema } from "effect"
import { HttpApiEndpoint, OpenApi } from "effect/http-api"
import { envelope, ResourceNotFound } from "../Errors.ts"
import { MalformedId, TakesFile } from "../Request.ts"
import { body, Id } from "../Wire.ts"
import { BulkContacts, BulkJob, ImportJob, ImportUpload, JobQueued, maxImportBytes } from "./ContactJob.ts"

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
      description: `Up to 1,000 contacts by id. ${effect} Queued; \`GET /contacts/bulk/{jobId}\` tells what becomes of it.`
    })
  )

export const jobEndpoints = [
  HttpApiEndpoint.post("import", "/import", { payload: ImportUpload, success: JobQueued })
    .annotate(TakesFile, maxImportBytes)
    .annotateMerge(
      OpenApi.annotations({
        summary: "Import contacts from a CSV file",
        description:
          "At most 5 MB, 100,000 rows and 100 columns; UTF-8, with a header line that has a column `email`. A column `subscribed` says who takes marketing mail, every other one goes to the data under its header. Rows are upserted in the order of the file, the last row of an address wins, empty cells mean nothing. Queued; `GET /contacts/import/{jobId}` tells what becomes of it."
      })
    ),
  HttpApiEndpoint.get("importJob", "/import/:jobId", { params, success: ImportJob, error: notFound })
    .annotate(MalformedId, noSuchJob)
    .annotateMerge(
      OpenApi.annotations({
        summary: "Read an import",
        description: "How far it is, and which rows of the file were faulty. Faulty rows do not fail the others."
      })
    ),
  bulk(
    "bulkSubscribe",
    "/bulk-subscribe",
    "Subscribe many contacts",
    "Each one that was not subscribed emits `contact.subscribed`."
  ),
  bulk(
    "bulkUnsubscribe",
    "/bulk-unsubscribe",
    "Unsubscribe many contacts",
    "Each one that was subscribed emits `contact.unsubscribed`."
  ),
  bulk("bulkDelete", "/bulk-delete", "Delete many contacts", "For good, as the deletion of a single one."),
  HttpApiEndpoint.get("bulkJob", "/bulk/:jobId", { params, success: BulkJob, error: notFound })
    .annotate(MalformedId, noSuchJob)
    .annotateMerge(
      OpenApi.annotations({
        summary: "Read a bulk job",
        description: "How far it is, and what became of each contact that it could not change."
      })
    )
] as const
