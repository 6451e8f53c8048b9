/** What a step of a bulk job does to its contacts, for each operation. */

import type { GivenConsent } from "@posthorn/contract/audience/consents/GivenConsent"
import type { BulkChange } from "@posthorn/contract/audience/contacts/BulkChange"
import { type ContactData, ContactId } from "@posthorn/contract/audience/contacts/Contact"
import type { SegmentId } from "@posthorn/contract/audience/segments/Segment"
import type { GivenTopicState } from "@posthorn/contract/audience/topics/TopicStates"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { EventLog } from "../../../events/EventLog.ts"
import { failpoint } from "../../../platform/Failpoint.ts"
import { JobFailed, type JobId } from "../../../platform/jobs/Job.ts"
import { type ConsentProof, storedProof } from "../../consents/ConsentProof.ts"
import * as ConsentProofs from "../../consents/ConsentProofs.ts"
import { OptInRequests } from "../../optins/OptInRequests.ts"
import * as Memberships from "../../segments/Memberships.ts"
import { Segments } from "../../segments/Segments.ts"
import * as ContactBatchStore from "../ContactBatchStore.ts"
import { ContactMail } from "../ContactMail.ts"
import { Contacts } from "../Contacts.ts"
import { dataChange } from "../DataChange.ts"
import * as BulkData from "./BulkData.ts"

/** What the job was asked to do. */
export interface BulkOrder {
  readonly operation: BulkChange
  /** By the ids of the topics. */
  readonly topics?: Readonly<Record<string, GivenTopicState>> | undefined
  readonly data?: ContactData | undefined
  readonly targetSegmentId?: SegmentId | undefined
  /** Whether contacts confirm the subscription by mail, and ids of the topics that they confirm. */
  readonly asks?: boolean | undefined
  readonly askedTopics?: ReadonlyArray<string> | undefined
  readonly consent?: GivenConsent | undefined
  readonly silent?: boolean | undefined
}

/** What became of the contacts of a step. */
export interface BulkOutcome {
  readonly changed: number
  readonly unchanged: number
  /** Contacts that were asked to confirm. */
  readonly pending?: number
  readonly errors: ReadonlyArray<{ readonly contactId: ContactId; readonly error: string }>
}

const ids = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: ContactId })))
const emails = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ email: Schema.String })))

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const store = yield* ContactBatchStore.make
  const memberships = yield* Memberships.make
  const proofs = yield* ConsentProofs.make
  const setData = yield* BulkData.make
  const contacts = yield* Contacts
  const events = yield* EventLog
  const mail = yield* ContactMail
  const optIns = yield* OptInRequests
  const random = yield* SecureRandom.SecureRandom
  const segments = yield* Segments

  /** Locks the contacts, and says which are gone. */
  const held = Effect.fnUntraced(function* (
    project: ProjectId,
    wanted: ReadonlyArray<ContactId>,
    to: "change" | "delete" = "change"
  ) {
    const found = yield* store.hold(project, wanted, to)
    return {
      there: wanted.filter((id) => found.has(id)),
      errors: wanted.filter((id) => !found.has(id)).map((contactId) => ({ contactId, error: "Contact not found." }))
    }
  })

  /** Asks each contact to confirm. Returns how many were asked. */
  const asking = Effect.fnUntraced(function* (
    project: ProjectId,
    wanted: ReadonlyArray<ContactId>,
    asked: { readonly subscribe: boolean; readonly topics: ReadonlyArray<string> },
    proof: ConsentProof | undefined
  ) {
    let count = 0
    for (const id of wanted) {
      const request = optIns.request(project, id, { ...asked, source: "bulk", isPublic: false, isBulk: true, proof })
      const made = yield* Effect.mapError(
        request,
        (error) =>
          new JobFailed({ reason: (error._tag === "VALIDATION_ERROR" && error.errors[0]?.message) || error.message })
      )
      if (Option.isSome(made)) count++
    }
    return count
  })

  const stillOut = (project: ProjectId, wanted: ReadonlyArray<ContactId>) =>
    sql`
      select id from contacts where project_id = ${project} and id = any(${wanted}::uuid[]) and not subscribed
      order by email`.pipe(
      Effect.flatMap(ids),
      Effect.map((found) => found.map(({ id }) => id)),
      Effect.orDie
    )

  const subscribing = Effect.fnUntraced(function* (
    project: ProjectId,
    job: JobId,
    wanted: ReadonlyArray<ContactId>,
    { operation, consent, silent, asks }: BulkOrder
  ) {
    const now = yield* DateTime.now
    const { there, errors } = yield* held(project, wanted)
    const given = yield* Effect.orDie(proofs.read(project, consent))
    if (asks === true) {
      const scope = { subscribe: true, topics: [] }
      const pending = yield* asking(project, yield* stillOut(project, there), scope, given)
      return { changed: 0, unchanged: there.length - pending, pending, errors }
    }
    if (operation === "unsubscribe") yield* optIns.cancelAll(project, there)
    const proof = yield* storedProof({ reason: "bulk", jobId: job }, given)
    const records = yield* Effect.forEach(there, (id) => Effect.map(random.uuidV7(), (record) => [id, record] as const))
    const isOn = operation === "subscribe"
    const changed = yield* store.setSubscribed(project, new Map(records), isOn, proof, now)
    yield* failpoint("after_consent_change")
    if (silent !== true) {
      const name = isOn ? "contact.subscribed" : "contact.unsubscribed"
      yield* events.recordForEach(project, changed, { name, source: "system", data: { reason: "bulk" } }, now)
    }
    return { changed: changed.length, unchanged: there.length - changed.length, errors }
  })

  const settingTopics = Effect.fnUntraced(function* (
    project: ProjectId,
    job: JobId,
    wanted: ReadonlyArray<ContactId>,
    { topics = {}, askedTopics = [], consent, silent }: BulkOrder
  ) {
    const { there, errors } = yield* held(project, wanted)
    const proof = yield* Effect.orDie(proofs.read(project, consent))
    let changed = 0
    let pending = 0
    for (const id of there) {
      const set = contacts.setConsent(project, id, { topics, silent }, { reason: "bulk", jobId: job }, proof)
      const isChanged = Object.keys(topics).length > 0 && (yield* Effect.orDie(set)).changed
      const scope = { subscribe: false, topics: askedTopics }
      const isAsked = askedTopics.length > 0 && (yield* asking(project, [id], scope, proof)) > 0
      if (isAsked) pending++
      else if (isChanged) changed++
    }
    return { changed, unchanged: there.length - changed - pending, pending, errors }
  })

  const settingData = Effect.fnUntraced(function* (
    project: ProjectId,
    wanted: ReadonlyArray<ContactId>,
    { data = {} }: BulkOrder
  ) {
    const { there, errors } = yield* held(project, wanted)
    const found = yield* setData(project, there, dataChange(data), yield* DateTime.now)
    const tooLarge = found
      .filter(({ isTooLarge }) => isTooLarge)
      .map(({ id }) => ({ contactId: id, error: "Its data would be larger than 64 KB." }))
    const changed = found.filter(({ isChanged }) => isChanged).length
    return { changed, unchanged: found.length - changed - tooLarge.length, errors: [...errors, ...tooLarge] }
  })

  /** Locks the segment before the contacts, as every writer does. */
  const moving = Effect.fnUntraced(
    function* (project: ProjectId, wanted: ReadonlyArray<ContactId>, { operation, targetSegmentId }: BulkOrder) {
      const gone = () => new JobFailed({ reason: "The segment was deleted." })
      if (targetSegmentId === undefined) return yield* gone()
      yield* Effect.mapError(segments.holdStatic(project, targetSegmentId), gone)
      const { there, errors } = yield* held(project, wanted)
      const found = yield* emails(
        yield* sql`select email from contacts where project_id = ${project} and id = any(${there}::uuid[])`
      )
      const input = { emails: found.map(({ email }) => email) }
      if (there.length === 0) return { changed: 0, unchanged: 0, errors }
      const changed =
        operation === "add-to-segment"
          ? (yield* Effect.orDie(segments.addMembers(project, targetSegmentId, input))).added
          : (yield* Effect.orDie(segments.removeMembers(project, targetSegmentId, input))).removed
      return { changed, unchanged: there.length - changed, errors }
    },
    Effect.catchTag(["SqlError", "SchemaError"], Effect.die)
  )

  /** Deletes as the deletion of a single contact does. */
  const deleting = Effect.fnUntraced(function* (project: ProjectId, wanted: ReadonlyArray<ContactId>) {
    yield* memberships.forget(project, wanted)
    const { there, errors } = yield* held(project, wanted, "delete")
    const now = yield* DateTime.now
    yield* optIns.forget(project, there)
    yield* Effect.forEach(there, (contact) => mail.dropContact(project, contact, now), { discard: true })
    yield* store.delete(project, there, now)
    return { changed: there.length, unchanged: 0, errors }
  })

  /** Joins the transaction of the step. */
  return (
    project: ProjectId,
    job: JobId,
    wanted: ReadonlyArray<ContactId>,
    order: BulkOrder
  ): Effect.Effect<BulkOutcome, JobFailed> => {
    switch (order.operation) {
      case "subscribe":
      case "unsubscribe":
        return subscribing(project, job, wanted, order)
      case "set-topics":
        return settingTopics(project, job, wanted, order)
      case "set-data":
        return settingData(project, wanted, order)
      case "add-to-segment":
      case "remove-from-segment":
        return moving(project, wanted, order)
      case "delete":
        return deleting(project, wanted)
    }
  }
})
