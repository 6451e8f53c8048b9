/** Looks up, changes, imports and exports many contacts. Changes and imports are background jobs. */

import type { BulkChangeResult } from "@posthorn/contract/audience/contacts/BulkChange"
import { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import {
  type BulkContacts,
  type BulkJob,
  type BulkOperation,
  type BulkPage,
  type BulkQuery,
  BulkResult,
  type JobQueued
} from "@posthorn/contract/audience/contacts/ContactJob"
import type { ContactLookup, LookupContacts } from "@posthorn/contract/audience/contacts/ContactLookup"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Conflict, type InvalidCursor, ResourceNotFound } from "@posthorn/contract/platform/Errors"
import { EmailAddress, pageSize } from "@posthorn/contract/platform/Primitives"
import { DateTime, Effect, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { EventLog } from "../../events/EventLog.ts"
import { recorded } from "../../platform/audit/Audited.ts"
import { byCreation, cursorPage } from "../../platform/CursorPages.ts"
import { Cursors } from "../../platform/Cursors.ts"
import * as Job from "../../platform/jobs/Job.ts"
import { type JobKinds, JobQueue } from "../../platform/jobs/JobQueue.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { storedProof } from "../consents/ConsentProof.ts"
import { OptInRequests } from "../optins/OptInRequests.ts"
import { isDue } from "../optins/OptInRules.ts"
import type * as Audiences from "../segments/Audiences.ts"
import * as Memberships from "../segments/Memberships.ts"
import type { Segments } from "../segments/Segments.ts"
import { AudienceRules } from "../settings/AudienceRules.ts"
import type { Topics } from "../topics/Topics.ts"
import * as BulkChangeJob from "./bulk/BulkChangeJob.ts"
import * as BulkChanges from "./bulk/BulkChanges.ts"
import * as ContactBatchStore from "./ContactBatchStore.ts"
import { ContactMail } from "./ContactMail.ts"
import * as ContactExport from "./files/ContactExport.ts"
import * as ContactImport from "./files/ContactImport.ts"

export interface ContactBulk {
  /** Finds which of the given addresses have a contact in the project. */
  readonly lookUp: (project: ProjectId, input: LookupContacts) => Effect.Effect<ContactLookup>
  /** Queues the operation. Duplicate ids count once. */
  readonly queue: (project: ProjectId, operation: BulkOperation, input: BulkContacts) => Effect.Effect<JobQueued>
  /** The progress of a queued operation and its result so far. */
  readonly find: (project: ProjectId, id: Job.JobId) => Effect.Effect<BulkJob, ResourceNotFound>
  /** Bulk jobs of the last 30 days, newest first. */
  readonly list: (project: ProjectId, query: BulkQuery) => Effect.Effect<BulkPage, InvalidCursor>
  /** What it has changed stays. */
  readonly cancel: (project: ProjectId, id: Job.JobId) => Effect.Effect<BulkJob, ResourceNotFound | Conflict>
  readonly change: BulkChanges.BulkChanges["change"]
  readonly imports: ContactImport.ContactImport
  readonly exports: ContactExport.ContactExport
}

type BatchNeeds =
  | AudienceRules
  | ContactMail
  | EventLog
  | OptInRequests
  | SecureRandom.SecureRandom
  | SqlClient.SqlClient
  | Transaction

const Payload = Schema.Struct({ contactIds: Schema.Array(ContactId) })
type Payload = typeof Payload.Type

/** The number of contacts that one transaction changes. */
const step = 100

/** What a step does to contacts that exist and are locked. Returns the contacts that it changed. */
type Change = (
  project: ProjectId,
  contacts: ReadonlyArray<ContactId>,
  jobId: string
) => Effect.Effect<ReadonlyArray<ContactId>, never, BatchNeeds>

/** What a step does before it locks its contacts. */
type Prepare = (project: ProjectId, contacts: ReadonlyArray<ContactId>) => Effect.Effect<void, never, BatchNeeds>

const setSubscribed = (subscribed: boolean): Change =>
  Effect.fnUntraced(function* (project, contacts, jobId) {
    const store = yield* ContactBatchStore.make
    const events = yield* EventLog
    const optIns = yield* OptInRequests
    const now = yield* DateTime.now
    if (subscribed && isDue(yield* AudienceRules.use((rules) => rules.getCached(project)), { isPublic: false })) {
      const request = { subscribe: true, topics: [], source: "bulk", isBulk: true } as const
      const made = yield* Effect.orDie(
        Effect.forEach(contacts, (id) => Effect.map(optIns.request(project, id, request), Option.as(id)))
      )
      return made.flatMap(Option.toArray)
    }
    if (!subscribed) yield* optIns.cancelAll(project, contacts)
    const random = yield* SecureRandom.SecureRandom
    const records = yield* Effect.forEach(contacts, (id) =>
      Effect.map(random.uuidV7(), (record) => [id, record] as const)
    )
    const proof = yield* storedProof({ reason: "bulk", jobId })
    const changed = yield* store.setSubscribed(project, new Map(records), subscribed, proof, now)
    const name = subscribed ? "contact.subscribed" : "contact.unsubscribed"
    const flips = changed.map((contact) => ({ contact, name, source: "system", data: { reason: "bulk" } }) as const)
    yield* events.record(project, flips, now)
    return changed
  })

/** Locks segments before contacts, as every writer does. */
const endMemberships: Prepare = Effect.fnUntraced(function* (project, contacts) {
  const memberships = yield* Memberships.make
  yield* memberships.forget(project, contacts)
})

/** Deletes as the deletion of a single contact does. */
const remove: Change = Effect.fnUntraced(function* (project, contacts) {
  const store = yield* ContactBatchStore.make
  const mail = yield* ContactMail
  const now = yield* DateTime.now
  yield* OptInRequests.use((optIns) => optIns.forget(project, contacts))
  yield* Effect.forEach(contacts, (contact) => mail.dropContact(project, contact, now), { discard: true })
  yield* store.delete(project, contacts, now)
  return contacts
})

const define = <const Name extends BulkOperation>(
  name: Name,
  to: "change" | "delete",
  change: Change,
  prepare: Prepare = () => Effect.void
): Job.Job<Name, Payload, BulkResult, BatchNeeds> =>
  Job.define({
    name,
    payload: Payload,
    result: BulkResult,
    checkpoint: Schema.Struct({ done: Schema.Int }),
    run: Effect.fnUntraced(function* ({ contactIds }, { id, project, save, saved }) {
      const store = yield* ContactBatchStore.make
      const transaction = yield* Transaction
      const start: BulkResult = {
        operation: name,
        totalRequested: contactIds.length,
        successCount: 0,
        unchanged: 0,
        failureCount: 0,
        errors: []
      }

      const advance = Effect.fnUntraced(function* (result: BulkResult, done: number) {
        const wanted = contactIds.slice(done, done + step)
        yield* prepare(project, wanted)
        const held = yield* store.hold(project, wanted, to)
        const there = wanted.filter((id) => held.has(id))
        const changed = yield* change(project, there, id)
        const absent = wanted.filter((id) => !held.has(id))
        const reached: BulkResult = {
          ...result,
          successCount: result.successCount + changed.length,
          unchanged: result.unchanged + there.length - changed.length,
          failureCount: result.failureCount + absent.length,
          errors: [...result.errors, ...absent.map((contactId) => ({ contactId, error: "Contact not found." }))]
        }
        const next = done + wanted.length
        yield* save({ progress: (100 * next) / contactIds.length, result: reached, checkpoint: { done: next } })
        return reached
      }, transaction.run)

      let { done, result } = Option.match(saved, {
        onNone: () => ({ done: 0, result: start }),
        onSome: (point) => ({ done: point.checkpoint.done, result: point.result })
      })
      for (; done < contactIds.length; done += step) result = yield* advance(result, done)
      return result
    })
  })

const kinds = {
  "bulk-subscribe": define("bulk-subscribe", "change", setSubscribed(true)),
  "bulk-unsubscribe": define("bulk-unsubscribe", "change", setSubscribed(false)),
  "bulk-delete": define("bulk-delete", "delete", remove, endMemberships)
}

const records: JobKinds<BulkOperation | "bulk", BulkResult | BulkChangeResult> = [
  ...Object.values(kinds),
  BulkChangeJob.job
]

export const jobs: ReadonlyArray<Job.RunnableJob<BatchNeeds | BulkChangeJob.Needs>> = [
  ...Object.values(kinds),
  BulkChangeJob.job
]

const canonical = Schema.decodeOption(EmailAddress)

export type Needs =
  | AudienceRules
  | Audiences.Needs
  | Cursors
  | JobQueue
  | Segments
  | SqlClient.SqlClient
  | Topics
  | Transaction

export const make: Effect.Effect<ContactBulk, never, Needs> = Effect.gen(function* () {
  const queue = yield* JobQueue
  const store = yield* ContactBatchStore.make
  const transaction = yield* Transaction
  const audit = recorded(yield* SqlClient.SqlClient)
  const changes = yield* BulkChanges.make
  const cursors = yield* Cursors

  const lookUpIds = Effect.fnUntraced(function* (project: ProjectId, ids: ReadonlyArray<string>) {
    const known = yield* store.knownIds(project, ids)
    return {
      foundExternalIds: ids.filter((id) => known.has(id)),
      notFoundExternalIds: ids.filter((id) => !known.has(id))
    }
  })

  const lookUp = Effect.fn("ContactBulk.lookUp")(function* (
    project: ProjectId,
    { emails, externalIds }: LookupContacts
  ) {
    const given = Array.from(new Set(emails), (text) => ({ text, email: Option.getOrUndefined(canonical(text)) }))
    const wellFormed = given.flatMap(({ email }) => email ?? [])
    const known = yield* store.known(project, wellFormed)
    const isFound = ({ email }: { readonly email: string | undefined }) => email !== undefined && known.has(email)
    const texts = (some: typeof given) => some.map(({ text }) => text)
    return {
      found: texts(given.filter(isFound)),
      notFound: texts(given.filter((each) => !isFound(each))),
      invalid: texts(given.filter(({ email }) => email === undefined)),
      ...(externalIds != null && (yield* lookUpIds(project, [...new Set(externalIds)])))
    }
  })

  const enqueue = Effect.fn("ContactBulk.queue")(function* (
    project: ProjectId,
    operation: BulkOperation,
    given: BulkContacts
  ) {
    const contactIds = [...new Set(given.contactIds)]
    const jobId = yield* queue.enqueue(project, kinds[operation], { contactIds }, yield* DateTime.now)
    const { length } = contactIds
    if (operation === "bulk-delete") {
      yield* audit({ project, action: "contact.deleted", details: { jobId, contacts: length } })
    }
    return { message: length === 1 ? "1 contact queued." : `${length} contacts queued.`, jobId }
  }, transaction.run)

  const find = Effect.fn("ContactBulk.find")(function* (project: ProjectId, id: Job.JobId) {
    const found = yield* queue.find(project, records, id)
    if (Option.isNone(found)) return yield* new ResourceNotFound({ resource: "job", id })
    return found.value
  })

  const list = Effect.fn("ContactBulk.list")(function* (project: ProjectId, query: BulkQuery) {
    const { cursor, state } = query
    const summary = ({ result, ...job }: BulkJob) => {
      if (result === null) return { ...job, result }
      const { errors: _, ...counts } = result
      return { ...job, result: counts }
    }
    return yield* cursorPage(
      cursors,
      { scope: JSON.stringify(["bulk-jobs", project, state]), cursor, limit: pageSize(query) },
      {
        count: queue.count(project, records, { state }),
        list: (limit, after) =>
          Effect.map(queue.list(project, records, { state }, limit, after), (found) => found.map(summary)),
        positionOf: byCreation
      }
    )
  })

  const cancel = Effect.fn("ContactBulk.cancel")(function* (project: ProjectId, id: Job.JobId) {
    const isCancelled = yield* queue.cancel(project, records, id, yield* DateTime.now)
    const job = yield* find(project, id)
    if (!isCancelled) return yield* new Conflict({ reason: "already_finished" })
    yield* changes.drop(project, id)
    yield* audit({ project, action: "contacts.bulk_cancelled", details: { jobId: id } })
    return job
  }, transaction.run)

  return {
    lookUp,
    queue: enqueue,
    find,
    list,
    cancel,
    change: changes.change,
    imports: yield* ContactImport.make,
    exports: yield* ContactExport.make
  } satisfies ContactBulk
})
