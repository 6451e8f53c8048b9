/** Imports contacts from CSV files, in background jobs. */

import type { ImportJob, JobQueued } from "@posthorn/contract/audience/contacts/ContactJob"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { ResourceNotFound, ValidationError } from "@posthorn/contract/platform/Errors"
import { canonicalAddress } from "@posthorn/contract/platform/Primitives"
import { DateTime, Effect, Option, Result } from "effect"
import { SqlClient } from "effect/sql"
import { recorded } from "../../../platform/audit/Audited.ts"
import type * as Job from "../../../platform/jobs/Job.ts"
import { JobQueue } from "../../../platform/jobs/JobQueue.ts"
import { Transaction } from "../../../platform/Transaction.ts"
import { countRows, maxRows, maxShownEmail, openSheet } from "./ContactImportCsv.ts"
import { importJob } from "./ContactImportJob.ts"

export interface ContactImport {
  /** Queues an import. Fails if the file cannot be read at all. */
  readonly queue: (
    project: ProjectId,
    file: Uint8Array,
    options: { readonly inferTypes: boolean }
  ) => Effect.Effect<JobQueued, ValidationError>
  /** The progress of an import and its result so far. */
  readonly find: (project: ProjectId, id: Job.JobId) => Effect.Effect<ImportJob, ResourceNotFound>
  /**
   * Removes an address from the faulty rows of ended imports. An import that is still running has the address in its
   * file and would restore it. Joins a transaction.
   */
  readonly forget: (project: ProjectId, email: string) => Effect.Effect<void>
}

/** Whether the address of a faulty row, which may be truncated, is this one. */
const isOf = (given: string, email: string): boolean => {
  const canonical = canonicalAddress(given)
  return canonical === email || (given.length >= maxShownEmail && email.startsWith(canonical))
}

export const make = Effect.gen(function* (): Effect.fn.Return<
  ContactImport,
  never,
  JobQueue | SqlClient.SqlClient | Transaction
> {
  const queue = yield* JobQueue
  const transaction = yield* Transaction
  const audit = recorded(yield* SqlClient.SqlClient)

  const enqueue = Effect.fn("ContactImport.queue")(function* (
    project: ProjectId,
    file: Uint8Array,
    { inferTypes }: { readonly inferTypes: boolean }
  ) {
    const opened = openSheet(file)
    if (Result.isFailure(opened)) {
      return yield* ValidationError.one("file", opened.failure.code, opened.failure.message)
    }
    const rows = countRows(opened.success)
    if (rows === undefined) {
      return yield* ValidationError.one("file", "too_big", `The file has more than ${maxRows} rows.`)
    }
    const now = yield* DateTime.now
    const jobId = yield* transaction.run(
      Effect.tap(queue.enqueue(project, importJob, { inferTypes, rows }, now, file), (jobId) =>
        audit({ project, action: "contacts.imported", details: { jobId, rows } })
      )
    )
    return { message: "Import queued.", jobId }
  })

  const find = Effect.fn("ContactImport.find")(function* (project: ProjectId, id: Job.JobId) {
    const found = yield* queue.find(project, [importJob], id)
    if (Option.isNone(found)) return yield* new ResourceNotFound({ resource: "job", id })
    return found.value
  })

  const forget = Effect.fn("ContactImport.forget")((project: ProjectId, email: string) =>
    queue.revise(project, importJob, ({ errors, ...rest }) =>
      errors.some((row) => isOf(row.email, email))
        ? Option.some({
            ...rest,
            errors: errors.map((row) => (isOf(row.email, email) ? { ...row, email: "" } : row))
          })
        : Option.none()
    )
  )

  return { queue: enqueue, find, forget }
})
