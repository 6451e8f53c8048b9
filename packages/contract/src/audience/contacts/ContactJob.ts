/** Imports and bulk operations. They run in the background; the request only queues them. */
import { Schema } from "effect"
import { Multipart } from "effect/http"
import { HttpApiSchema } from "effect/http-api"
import {
  described,
  Id,
  listOf,
  maxFramingBytes,
  Page,
  PageQuery,
  required,
  Timestamp
} from "../../platform/Primitives.ts"
import { BulkChangeCounts, BulkChangeResult } from "./BulkChange.ts"
import { ContactId } from "./Contact.ts"

/** Response to a request that queued a job. */
export const JobQueued = Schema.Struct({
  message: Schema.String,
  jobId: Id.pipe(described("Id of the job, with which its progress can be read."))
})
  .annotate({ identifier: "JobQueued", description: "A job was queued." })
  .pipe(HttpApiSchema.status(202))
export type JobQueued = typeof JobQueued.Type

const moment = Schema.NullOr(Timestamp)

export const JobState = Schema.Literals(["waiting", "active", "completed", "failed", "cancelled"])
export type JobState = typeof JobState.Type

const record = <const Types extends ReadonlyArray<string>, Result extends Schema.Top>(
  types: Types,
  result: Result
) => ({
  id: Id,
  type: Schema.Literals(types),
  state: JobState,
  progress: Schema.Int.pipe(described("Percent, 0 to 100.")),
  result: Schema.NullOr(result).pipe(described("Null while the job waits; the counts so far while it is active.")),
  failedReason: Schema.NullOr(Schema.String).pipe(
    described("Why the job itself failed, after 3 tries. Faulty items do not fail it.")
  ),
  createdAt: Timestamp,
  startedAt: moment,
  finishedAt: moment
})

/** Most faulty rows in a result. */
export const maxImportErrors = 1_000

const imported = {
  totalRows: Schema.Int.pipe(described("Rows read so far: `successCount` and `failureCount` together.")),
  successCount: Schema.Int,
  createdCount: Schema.Int,
  updatedCount: Schema.Int.pipe(described("Rows of existing contacts, changed or not.")),
  pendingCount: Schema.Int.pipe(described("Contacts that were asked to confirm by mail.")),
  failureCount: Schema.Int
}

const checked = {
  totalRows: Schema.Int.pipe(described("Rows read so far.")),
  wouldCreate: Schema.Int.pipe(described("Contacts that the import would create.")),
  wouldUpdate: Schema.Int.pipe(described("Rows of contacts that would exist by then, changed or not.")),
  pendingCount: Schema.Int.pipe(described("Contacts that would be asked to confirm by mail.")),
  failureCount: Schema.Int
}

const faulty = {
  errors: Schema.Array(
    Schema.Struct({
      row: Schema.Int.pipe(described("Line in the file on which the row begins; the header is line 1.")),
      email: Schema.String.pipe(described("As given, cut to 100 characters.")),
      error: Schema.String
    })
  ).pipe(described(`Faulty rows in the order of the file, at most ${maxImportErrors}.`)),
  errorsTruncated: Schema.Boolean.pipe(described("Whether there are more faulty rows than listed."))
}

export const ImportResult = Schema.Struct({ ...imported, ...faulty }).annotate({
  identifier: "ImportResult",
  description: "The result of an import."
})
export type ImportResult = typeof ImportResult.Type

export const ImportCheck = Schema.Struct({ ...checked, ...faulty }).annotate({
  identifier: "ImportCheck",
  description: "The result of a dry run: what the import of the same file would do now."
})
export type ImportCheck = typeof ImportCheck.Type

const ofImport = {
  dryRun: Schema.Boolean.pipe(described("Whether it only checks the file and changes no contact.")),
  groupId: Schema.NullOr(Id).pipe(described("The id that the caller gave to the parts of one file."))
}

export const ImportJob = Schema.Struct({
  ...record(["import"], Schema.Union([ImportResult, ImportCheck])),
  ...ofImport
}).annotate({ identifier: "ImportJob", description: "An import of contacts. Kept for 30 days." })
export type ImportJob = typeof ImportJob.Type

/** An import in a list. */
export const ImportSummary = Schema.Struct({
  ...record(["import"], Schema.Union([Schema.Struct(imported), Schema.Struct(checked)])),
  ...ofImport
}).annotate({ identifier: "ImportSummary", description: "An import without its faulty rows." })
export type ImportSummary = typeof ImportSummary.Type

export const ImportQuery = Schema.Struct({
  ...PageQuery,
  groupId: Schema.optionalKey(Id).pipe(described("Only imports with this `groupId`.")),
  state: Schema.optionalKey(JobState).pipe(described("Only imports in this state."))
})
export type ImportQuery = typeof ImportQuery.Type

export const ImportPage = Page("ImportPage", ImportSummary)
export type ImportPage = typeof ImportPage.Type

export const bulkOperations = ["bulk-subscribe", "bulk-unsubscribe", "bulk-delete"] as const
export type BulkOperation = (typeof bulkOperations)[number]

/** Body of all three bulk operations. Duplicates count once. */
export const BulkContacts = Schema.Struct({
  contactIds: required(listOf(ContactId, Schema.isMinLength(1), Schema.isMaxLength(1_000))).pipe(
    described("1 to 1,000 ids; duplicates count once.")
  )
}).annotate({ identifier: "BulkContacts" })
export type BulkContacts = typeof BulkContacts.Type

export const BulkResult = Schema.Struct({
  operation: Schema.Literals(bulkOperations),
  totalRequested: Schema.Int.pipe(described("Distinct ids in the request.")),
  successCount: Schema.Int.pipe(described("Contacts that were changed.")),
  unchanged: Schema.Int.pipe(described("Contacts that were already in that state.")),
  failureCount: Schema.Int.pipe(described("Ids that no contact of the project has.")),
  errors: Schema.Array(Schema.Struct({ contactId: ContactId, error: Schema.String }))
}).annotate({ identifier: "BulkResult", description: "The result of a bulk operation." })
export type BulkResult = typeof BulkResult.Type

export const BulkJob = Schema.Struct(
  record([...bulkOperations, "bulk"], Schema.Union([BulkResult, BulkChangeResult]))
).annotate({
  identifier: "BulkJob",
  description: "A bulk operation on contacts. Kept for 30 days."
})
export type BulkJob = typeof BulkJob.Type

const { errors: _, ...bulkCounts } = BulkResult.fields

/** A bulk job in a list. */
export const BulkSummary = Schema.Struct(
  record([...bulkOperations, "bulk"], Schema.Union([Schema.Struct(bulkCounts), BulkChangeCounts]))
).annotate({ identifier: "BulkSummary", description: "A bulk job without its errors." })
export type BulkSummary = typeof BulkSummary.Type

export const BulkQuery = Schema.Struct({
  ...PageQuery,
  state: Schema.optionalKey(JobState).pipe(described("Only jobs in this state."))
})
export type BulkQuery = typeof BulkQuery.Type

export const BulkPage = Page("BulkPage", BulkSummary)
export type BulkPage = typeof BulkPage.Type

/** What an import does with the contacts that it subscribes. */
export const ImportOptIn = Schema.Literals(["send", "skip"])
export type ImportOptIn = typeof ImportOptIn.Type

/** Largest file of an import. */
export const maxImportBytes = 5 * 1024 * 1024

/**
 * Body of `POST /contacts/import`. The parts arrive as a stream, so that a file that is too large is never completely
 * in memory.
 */
export const ImportUpload = Schema.Struct({
  file: Multipart.PersistedFileSchema.pipe(Schema.annotateEncoded({ description: "The CSV file, at most 5 MB." })),
  inferTypes: Schema.optionalKey(Schema.Literals(["true", "false"])).pipe(
    described("`false`: every cell stays text. Default: `true`.")
  ),
  mapping: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(maxFramingBytes))).pipe(
    described(
      'A JSON object: the target of each column by its header. Targets are `email`, `externalId`, `subscribed`, `locale`, `timezone`, `topic.<key>` and `data.<key>`; `null` skips the column. Columns that are not named keep their usual meaning. `{"E-Mail": "email", "Plan": "data.plan", "Notes": null}`'
    )
  ),
  dryRun: Schema.optionalKey(Schema.Literals(["true", "false"])).pipe(
    described("`true`: count what the import would do, and change no contact. Default: `false`.")
  ),
  doubleOptIn: Schema.optionalKey(ImportOptIn).pipe(
    described(
      "`send`: contacts that the file subscribes, or for which it takes a topic, must confirm by mail. `skip`: it takes effect at once. Required if the file has a column for `subscribed` or a topic and `doubleOptIn.mode` of the project is `all`, or if it has a column for a topic that asks for a confirmation itself."
    )
  ),
  consent: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(maxFramingBytes))).pipe(
    described(
      'Evidence of the consent of every contact in the file, as a JSON object with the fields of `GivenConsent`. `{"basis": "consent", "wording": "Yes, send me news."}`'
    )
  ),
  segmentId: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(36))).pipe(
    described("Id of a static segment, which each imported contact joins.")
  ),
  groupId: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(36))).pipe(
    described("A UUID that ties the parts of one file together, to find their imports by it.")
  )
}).pipe(
  HttpApiSchema.asMultipartStream({
    maxParts: 100,
    maxFieldSize: maxFramingBytes,
    // A file that is too large is still read, up to a limit, so that the sender receives the response.
    maxTotalSize: 8 * maxImportBytes
  })
)
