/** Endpoints of imports and bulk operations (contract 12.12 to 12.15). */
import { Effect, Schema } from "effect"
import { HttpApiEndpoint, OpenApi } from "effect/http-api"
import { envelope, ResourceNotFound } from "../Errors.ts"
import { MalformedId } from "../Request.ts"
import { body, Id } from "../Wire.ts"
import { BulkContacts, BulkJob, JobQueued } from "./ContactJob.ts"

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
