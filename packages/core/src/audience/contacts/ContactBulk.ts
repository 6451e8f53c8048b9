/** Looks up, changes, imports and exports many contacts. Changes and imports are background jobs. */

import { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import {
  type BulkContacts,
  type BulkJob,
  type BulkOperation,
  BulkResult,
  type JobQueued
} from "@posthorn/contract/audience/contacts/ContactJob"
import type { ContactLookup, LookupContacts } from "@posthorn/contract/audience/contacts/ContactLookup"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { ResourceNotFound } from "@posthorn/contract/platform/Errors"
import { EmailAddress } from "@posthorn/contract/platform/Primitives"
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { EventLog } from "../../events/EventLog.ts"
import { recorded } from "../../platform/audit/Audited.ts"
import type { Cursors } from "../../platform/Cursors.ts"
import * as Job from "../../platform/jobs/Job.ts"
import { JobQueue } from "../../platform/jobs/JobQueue.ts"
import { Transaction } from "../../platform/Transaction.ts"
import type { Audiences } from "../segments/Audiences.ts"
import * as Memberships from "../segments/Memberships.ts"
import type { Segments } from "../segments/Segments.ts"
import * as ContactBatchStore from "./ContactBatchStore.ts"
import { ContactMail } from "./ContactMail.ts"
import * as ContactExport from "./files/ContactExport.ts"
import * as ContactImport from "./files/ContactImport.ts"

/** A service, because HTTP handlers and erasure call it. */
export class ContactBulk extends Context.Service<
  ContactBulk,
  {
    /** Finds which of the given addresses have a contact in the project. */
    readonly lookUp: (project: ProjectId, input: LookupContacts) => Effect.Effect<ContactLookup>
    /** Queues the operation. Duplicate ids count once. */
    readonly queue: (project: ProjectId, operation: BulkOperation, input: BulkContacts) => Effect.Effect<JobQueued>
    /** The progress of a queued operation and its result so far. */
    readonly find: (project: ProjectId, id: Job.JobId) => Effect.Effect<BulkJob, ResourceNotFound>
    readonly imports: ContactImport.ContactImport
    readonly exports: ContactExport.ContactExport
  }
>()("@posthorn/core/audience/contacts/ContactBulk") {}

type Needs = ContactMail | EventLog | SqlClient.SqlClient | Transaction

const Payload = Schema.Struct({ contactIds: Schema.Array(ContactId) })
type Payload = typeof Payload.Type

/** The number of contacts that one transaction changes. */
const step = 100

/** What a step does to contacts that exist and are locked. Returns the contacts that it changed. */
type Change = (
  project: ProjectId,
  contacts: ReadonlyArray<ContactId>
) => Effect.Effect<ReadonlyArray<ContactId>, never, Needs>

/** What a step does before it locks its contacts. */
type Prepare = (project: ProjectId, contacts: ReadonlyArray<ContactId>) => Effect.Effect<void, never, Needs>

const setSubscribed = (subscribed: boolean): Change =>
  Effect.fnUntraced(function* (project, contacts) {
    const store = yield* ContactBatchStore.make
    const events = yield* EventLog
    const now = yield* DateTime.now
    const changed = yield* store.setSubscribed(project, contacts, subscribed, now)
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
  yield* Effect.forEach(contacts, (contact) => mail.dropContact(project, contact, now), { discard: true })
  yield* store.delete(project, contacts)
  return contacts
})

const define = <const Name extends BulkOperation>(
  name: Name,
  to: "change" | "delete",
  change: Change,
  prepare: Prepare = () => Effect.void
): Job.Job<Name, Payload, BulkResult, Needs> =>
  Job.define({
    name,
    payload: Payload,
    result: BulkResult,
    checkpoint: Schema.Struct({ done: Schema.Int }),
    run: Effect.fnUntraced(function* ({ contactIds }, { project, save, saved }) {
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
        const changed = yield* change(project, there)
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

export const jobs: ReadonlyArray<Job.RunnableJob<Needs>> = Object.values(kinds)

const canonical = Schema.decodeOption(EmailAddress)

export const layer: Layer.Layer<
  ContactBulk,
  never,
  Audiences | Cursors | JobQueue | Segments | SqlClient.SqlClient | Transaction
> = Layer.effect(
  ContactBulk,
  Effect.gen(function* () {
    const queue = yield* JobQueue
    const store = yield* ContactBatchStore.make
    const transaction = yield* Transaction
    const audit = recorded(yield* SqlClient.SqlClient)
    const records = Object.values(kinds)

    const lookUp = Effect.fn("ContactBulk.lookUp")(function* (project: ProjectId, { emails }: LookupContacts) {
      const given = Array.from(new Set(emails), (text) => ({ text, email: Option.getOrUndefined(canonical(text)) }))
      const wellFormed = given.flatMap(({ email }) => email ?? [])
      const known = yield* store.known(project, wellFormed)
      const isFound = ({ email }: { readonly email: string | undefined }) => email !== undefined && known.has(email)
      const texts = (some: typeof given) => some.map(({ text }) => text)
      return {
        found: texts(given.filter(isFound)),
        notFound: texts(given.filter((each) => !isFound(each))),
        invalid: texts(given.filter(({ email }) => email === undefined))
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

    return ContactBulk.of({
      lookUp,
      queue: enqueue,
      find,
      imports: yield* ContactImport.make,
      exports: yield* ContactExport.make
    })
  })
)
