/** Imports contacts from CSV files, in background jobs. */

import type { GivenConsent } from "@posthorn/contract/audience/consents/GivenConsent"
import type {
  ImportCheck,
  ImportJob,
  ImportOptIn,
  ImportPage,
  ImportQuery,
  ImportResult,
  ImportSummary,
  JobQueued
} from "@posthorn/contract/audience/contacts/ContactJob"
import type { SegmentId, SegmentNotFound } from "@posthorn/contract/audience/segments/Segment"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Conflict, type InvalidCursor, ResourceNotFound, ValidationError } from "@posthorn/contract/platform/Errors"
import { canonicalAddress, pageSize } from "@posthorn/contract/platform/Primitives"
import { DateTime, Effect, Option, Result, type Stream } from "effect"
import { SqlClient } from "effect/sql"
import { recorded } from "../../../platform/audit/Audited.ts"
import { byCreation, cursorPage } from "../../../platform/CursorPages.ts"
import { Cursors } from "../../../platform/Cursors.ts"
import type * as Job from "../../../platform/jobs/Job.ts"
import { type JobKinds, JobQueue, type JobRecord } from "../../../platform/jobs/JobQueue.ts"
import { Transaction } from "../../../platform/Transaction.ts"
import * as ConsentProofs from "../../consents/ConsentProofs.ts"
import { noSender } from "../../optins/OptInRequests.ts"
import { Segments } from "../../segments/Segments.ts"
import { AudienceRules } from "../../settings/AudienceRules.ts"
import { Topics } from "../../topics/Topics.ts"
import {
  countRows,
  type ImportMapping,
  type ImportSheet,
  maxRows,
  maxShownEmail,
  openSheet
} from "./ContactImportCsv.ts"
import { checkJob, importJob } from "./ContactImportJob.ts"
import * as ImportFaults from "./ImportFaults.ts"

export interface ImportOptions {
  readonly inferTypes: boolean
  readonly mapping?: ImportMapping | undefined
  /** Only counts what the import would do. */
  readonly dryRun?: boolean | undefined
  /** Whether contacts that a row subscribes must confirm. */
  readonly doubleOptIn?: ImportOptIn | undefined
  /** What proves the consent of each contact. */
  readonly consent?: GivenConsent | undefined
  /** The static segment that the contacts join. */
  readonly segmentId?: SegmentId | undefined
  /** The same for the parts of one file. */
  readonly groupId?: string | undefined
}

export interface ContactImport {
  /** Queues an import. Fails if the file cannot be read at all. */
  readonly queue: (
    project: ProjectId,
    file: Uint8Array,
    options: ImportOptions
  ) => Effect.Effect<JobQueued, ValidationError | SegmentNotFound | Conflict>
  /** Newest first, without faulty rows. */
  readonly list: (project: ProjectId, query: ImportQuery) => Effect.Effect<ImportPage, InvalidCursor>
  /** Ends an import. The rows that it has imported stay. */
  readonly cancel: (project: ProjectId, id: Job.JobId) => Effect.Effect<ImportJob, ResourceNotFound | Conflict>
  /** The progress of an import and its result so far. */
  readonly find: (project: ProjectId, id: Job.JobId) => Effect.Effect<ImportJob, ResourceNotFound>
  /** The faulty rows as CSV, at most `maxKeptFaults`: `row`, `error` and the cells as given. */
  readonly faults: (project: ProjectId, id: Job.JobId) => Effect.Effect<Stream.Stream<string>, ResourceNotFound>
  /**
   * Removes an address from the faulty rows of ended imports. An import that is still running has the address in its
   * file and would restore it. Joins a transaction.
   */
  readonly forget: (project: ProjectId, email: string) => Effect.Effect<void>
}

/** The result without the address, if one of its faulty rows has it. */
const without =
  (email: string) =>
  <Result extends Pick<ImportResult, "errors">>(result: Result): Option.Option<Result> =>
    result.errors.some((row) => isOf(row.email, email))
      ? Option.some({
          ...result,
          errors: result.errors.map((row) => (isOf(row.email, email) ? { ...row, email: "" } : row))
        })
      : Option.none()

const kinds: JobKinds<"import" | "import-check", ImportResult | ImportCheck> = [importJob, checkJob]

type Found = JobRecord<"import" | "import-check", ImportResult | ImportCheck>

const importOf = ({ type, ...job }: Found): ImportJob => ({ ...job, type: "import", dryRun: type === "import-check" })

const summaryOf = (job: Found): ImportSummary => {
  const { result, ...rest } = importOf(job)
  if (result === null) return { ...rest, result }
  const { errors: _, errorsTruncated: __, ...counts } = result
  return { ...rest, result: counts }
}

/** Whether the address of a faulty row, which may be truncated, is this one. */
const isOf = (given: string, email: string): boolean => {
  const canonical = canonicalAddress(given)
  return canonical === email || (given.length >= maxShownEmail && email.startsWith(canonical))
}

export const make = Effect.gen(function* (): Effect.fn.Return<
  ContactImport,
  never,
  AudienceRules | Cursors | JobQueue | Segments | SqlClient.SqlClient | Topics | Transaction
> {
  const cursors = yield* Cursors
  const kept = yield* ImportFaults.make
  const queue = yield* JobQueue
  const rules = yield* AudienceRules
  const segments = yield* Segments
  const topics = yield* Topics
  const proofs = yield* ConsentProofs.make
  const transaction = yield* Transaction
  const audit = recorded(yield* SqlClient.SqlClient)

  /** An import that asks for confirmations must say so. Otherwise a caller could mail all people of a file by accident. */
  const requireOptIn = Effect.fnUntraced(function* (
    project: ProjectId,
    { columns }: ImportSheet,
    doubleOptIn: ImportOptIn | undefined
  ) {
    const { mode, from } = (yield* rules.getCached(project)).doubleOptIn
    if (doubleOptIn === "send" && from === null) return yield* noSender()
    if (doubleOptIn !== undefined) return
    const said = columns.topics.map(([, , topic]) => topic)
    const asking = [...(yield* topics.resolve(project, said)).values()].some((topic) => topic.doubleOptIn === true)
    const isAll = mode === "all" && (columns.subscribed !== undefined || said.length > 0)
    if (!asking && !isAll) return
    const message = "Contacts of this project must confirm. `send`: ask those that the file subscribes. `skip`: do not."
    return yield* ValidationError.one("doubleOptIn", "required", message)
  })

  const enqueue = Effect.fn("ContactImport.queue")(function* (
    project: ProjectId,
    file: Uint8Array,
    { inferTypes, mapping, dryRun = false, segmentId, groupId, doubleOptIn, consent }: ImportOptions
  ) {
    if (segmentId !== undefined) {
      const { type } = yield* segments.get(project, segmentId)
      if (type !== "STATIC") return yield* new Conflict({ reason: "segment_not_static" })
    }
    yield* proofs.read(project, consent)
    const known = new Map(
      (yield* topics.all(project, "included")).map(({ key, id, archived }) => [key, archived ? null : id])
    )
    const opened = openSheet(file, mapping, known)
    if (Result.isFailure(opened)) {
      return yield* new ValidationError({ errors: [opened.failure] })
    }
    const rows = countRows(opened.success)
    if (rows === undefined) {
      return yield* ValidationError.one("file", "too_big", `The file has more than ${maxRows} rows.`)
    }
    yield* requireOptIn(project, opened.success, doubleOptIn)
    const isNamed = opened.success.columns.topics.length > 0
    const payload = {
      ...(doubleOptIn && { doubleOptIn }),
      ...(consent && { consent }),
      ...(isNamed && { topics: [...known].flatMap(([key, id]) => (id === null ? [] : [[key, id] as const])) }),
      inferTypes,
      rows,
      ...(mapping && { mapping: [...mapping] }),
      ...(segmentId && { segmentId })
    }
    const job = dryRun ? checkJob : importJob
    const now = yield* DateTime.now
    const jobId = yield* transaction.run(
      Effect.tap(queue.enqueue(project, job, payload, now, { file, groupId }), (jobId) =>
        dryRun ? Effect.void : audit({ project, action: "contacts.imported", details: { jobId, rows } })
      )
    )
    return { message: "Import queued.", jobId }
  })

  const list = Effect.fn("ContactImport.list")(function* (project: ProjectId, query: ImportQuery) {
    const { cursor, groupId, state } = query
    const filter = { groupId, state }
    return yield* cursorPage(
      cursors,
      { scope: JSON.stringify(["imports", project, groupId, state]), cursor, limit: pageSize(query) },
      {
        count: queue.count(project, kinds, filter),
        list: (limit, after) =>
          Effect.map(queue.list(project, kinds, filter, limit, after), (found) => found.map(summaryOf)),
        positionOf: byCreation
      }
    )
  })

  const find = Effect.fn("ContactImport.find")(function* (project: ProjectId, id: Job.JobId) {
    const found = yield* queue.find(project, kinds, id)
    if (Option.isNone(found)) return yield* new ResourceNotFound({ resource: "job", id })
    return importOf(found.value)
  })

  const cancel = Effect.fn("ContactImport.cancel")(function* (project: ProjectId, id: Job.JobId) {
    const isCancelled = yield* queue.cancel(project, kinds, id, yield* DateTime.now)
    const job = yield* find(project, id)
    return isCancelled ? job : yield* new Conflict({ reason: "already_finished" })
  })

  const forget = Effect.fn("ContactImport.forget")((project: ProjectId, email: string) =>
    Effect.all(
      [
        queue.revise(project, importJob, without(email)),
        queue.revise(project, checkJob, without(email)),
        kept.forget(project, email)
      ],
      { discard: true }
    )
  )

  const faults = Effect.fn("ContactImport.faults")((project: ProjectId, id: Job.JobId) =>
    Effect.as(find(project, id), kept.text(project, id))
  )

  return { queue: enqueue, list, find, cancel, faults, forget }
})
