/** Groups of contacts, defined by a condition or by manual membership. */

import type { ContactId, ContactNotFound } from "@posthorn/contract/audience/contacts/Contact"
import type { FilterTree } from "@posthorn/contract/audience/filters/FilterTree"
import {
  type AddedMembers,
  type AddMembers,
  type ContactSegment,
  type CreateSegment,
  type RemovedMembers,
  type RemoveMembers,
  type Segment,
  type SegmentContactPage,
  type SegmentContactQuery,
  SegmentId,
  SegmentNotFound,
  type UpdateSegment
} from "@posthorn/contract/audience/segments/Segment"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Conflict, ResourceInUse, type ValidationError } from "@posthorn/contract/platform/Errors"
import { Array, Context, DateTime, Effect, Layer, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { segmentName } from "../../events/ChangeNotes.ts"
import type { EventLog } from "../../events/EventLog.ts"
import { recorded } from "../../platform/audit/Audited.ts"
import { offsetPage, placeOf, sliceOf } from "../../platform/OffsetPages.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { Contacts } from "../contacts/Contacts.ts"
import type { TopicsChange } from "../contacts/TopicsChange.ts"
import * as FormUses from "../forms/FormUses.ts"
import { References } from "../References.ts"
import { AudienceRules } from "../settings/AudienceRules.ts"
import { Topics } from "../topics/Topics.ts"
import * as ChangeQueue from "./ChangeQueue.ts"
import * as SegmentCompute from "./SegmentCompute.ts"
import * as SegmentConditions from "./SegmentConditions.ts"
import { linksOf, readCondition, requireSoundReferences } from "./SegmentConditions.ts"
import * as SegmentMemberStore from "./SegmentMemberStore.ts"
import { type NewSegment, SegmentStore } from "./SegmentStore.ts"
import { freeSlug, slugOf } from "./Slug.ts"

/**
 * From this number of members on, the total of a page is the stored count, at most five minutes old, because counting
 * is slow.
 */
const keptTotal = 10_000

/** The number of segments that one statement evaluates for a contact. */
const segmentsAtOnce = 50
const maxSegmentsOfContact = 1_000

/** A service, because HTTP handlers, the worker and other areas call it. */
export class Segments extends Context.Service<
  Segments,
  {
    /** Newest first. */
    readonly list: (project: ProjectId) => Effect.Effect<ReadonlyArray<Segment>>
    /**
     * Counts the members before returning. With `silentStart` the contacts that match become members without events.
     */
    readonly create: (project: ProjectId, input: CreateSegment) => Effect.Effect<Segment, ValidationError>
    readonly get: (project: ProjectId, id: SegmentId) => Effect.Effect<Segment, SegmentNotFound>
    /** Changes the given fields. When tracking is switched off, tracked memberships end without events. */
    readonly update: (
      project: ProjectId,
      id: SegmentId,
      input: UpdateSegment
    ) => Effect.Effect<Segment, Conflict | SegmentNotFound | ValidationError>
    /** Fails while a campaign, a workflow or another segment uses the segment. */
    readonly delete: (project: ProjectId, id: SegmentId) => Effect.Effect<void, SegmentNotFound | ResourceInUse>
    /** For a dynamic segment, the contacts that match now. For a static segment, its members. */
    readonly contacts: (
      project: ProjectId,
      id: SegmentId,
      query: SegmentContactQuery
    ) => Effect.Effect<SegmentContactPage, SegmentNotFound>
    /** The segments that contain the contact now, newest first, at most 1,000. */
    readonly ofContact: (
      project: ProjectId,
      contact: ContactId
    ) => Effect.Effect<ReadonlyArray<ContactSegment>, ContactNotFound>
    /**
     * Segments whose condition looks at a name: `data.<key>` (or a path below it), `event.<name>`, or a standard field.
     */
    readonly naming: (project: ProjectId, name: string) => Effect.Effect<ReadonlyArray<Pick<Segment, "id" | "name">>>
    /**
     * Locks a static segment until the caller's transaction ends. A transaction that changes contacts and then adds them
     * must begin with it, because segments are locked before contacts.
     */
    readonly holdStatic: (project: ProjectId, id: SegmentId) => Effect.Effect<Segment, SegmentNotFound | Conflict>
    /** Adds contacts to a static segment, all or none. */
    readonly addMembers: (
      project: ProjectId,
      id: SegmentId,
      input: AddMembers
    ) => Effect.Effect<AddedMembers, SegmentNotFound | Conflict | ValidationError>
    /** Removes contacts from a static segment. */
    readonly removeMembers: (
      project: ProjectId,
      id: SegmentId,
      input: RemoveMembers
    ) => Effect.Effect<RemovedMembers, SegmentNotFound | Conflict>
  } & Pick<SegmentCompute.SegmentCompute, "compute" | "evaluate" | "keptCount" | "nextChanged" | "react" | "refresh">
>()("@posthorn/core/audience/segments/Segments") {}

export const layer: Layer.Layer<
  Segments,
  never,
  | AudienceRules
  | Contacts
  | EventLog
  | References
  | SecureRandom.SecureRandom
  | SegmentStore
  | SqlClient.SqlClient
  | Topics
  | Transaction
> = Layer.effect(
  Segments,
  Effect.gen(function* () {
    const store = yield* SegmentStore
    const members = yield* SegmentMemberStore.make
    const changes = yield* ChangeQueue.make
    const conditions = yield* SegmentConditions.make
    const { moved: recordMoved, ...compute } = yield* SegmentCompute.make
    const contacts = yield* Contacts
    const rules = yield* AudienceRules
    const references = yield* References
    const allTopics = yield* Topics
    const random = yield* SecureRandom.SecureRandom
    const transaction = yield* Transaction

    const sql = yield* SqlClient.SqlClient
    const audit = recorded(sql)
    const formsJoining = FormUses.formsJoining(sql)

    const found = (id: SegmentId) => (segment: Option.Option<Segment>) =>
      Option.isSome(segment) ? Effect.succeed(segment.value) : Effect.fail(new SegmentNotFound({ id }))

    const get = Effect.fn("Segments.get")((project: ProjectId, id: SegmentId) =>
      Effect.flatMap(store.find(project, id), found(id))
    )

    const lock = (project: ProjectId, id: SegmentId) => Effect.flatMap(store.lock(project, id), found(id))

    /** Two concurrent inserts may conflict on the unique slug. The later one then takes the next free slug. */
    const insert = Effect.fnUntraced(function* (
      project: ProjectId,
      segment: Omit<NewSegment, "slug">,
      now: DateTime.Utc
    ) {
      const slug = slugOf(segment.name)
      while (true) {
        const free = freeSlug(slug, yield* store.takenSlugs(project, slug))
        const inserted = yield* store.insert(project, { ...segment, slug: free }, now)
        if (Option.isSome(inserted)) return inserted.value
      }
    })

    /** Locks the graph, so that conditions that refer to segments, or are referred to, change one after the other. */
    const requireSound = Effect.fnUntraced(function* (project: ProjectId, id: SegmentId, condition: FilterTree) {
      yield* store.lockGraph(project)
      yield* requireSoundReferences(yield* store.list(project), id, condition, "condition")
    })

    const countNow = Effect.fnUntraced(function* (project: ProjectId, condition: FilterTree, now: DateTime.Utc) {
      return yield* members.count(yield* conditions.audienceOf(project, condition, now))
    })

    /** Makes matching contacts members without events. */
    const fill = Effect.fnUntraced(function* (segment: Segment, now: DateTime.Utc) {
      const { id, projectId: project, condition } = segment
      if (condition === null) return
      const count = yield* members.fill(id, yield* conditions.audienceOf(project, condition, now))
      yield* store.setCount(project, id, count, true, null)
    })

    const create = Effect.fn("Segments.create")(function* (project: ProjectId, input: CreateSegment) {
      const now = yield* DateTime.now
      const id = SegmentId.make(yield* random.uuidV7())
      const type = input.type ?? "DYNAMIC"
      const condition = type === "STATIC" ? null : (input.condition ?? null)
      const links = linksOf(condition)
      if (condition !== null) yield* conditions.requireTopics(project, condition, "condition")
      if (condition !== null && links.refersTo.length > 0) yield* requireSound(project, id, condition)
      const segment = yield* insert(
        project,
        {
          id,
          name: input.name,
          description: input.description ?? null,
          type,
          condition,
          trackMembership: input.trackMembership ?? false,
          memberCount: condition === null ? 0 : yield* countNow(project, condition, now),
          ...links
        },
        now
      )
      if (links.refersTo.length > 0) yield* store.relink(project, id)
      if (!segment.trackMembership || !input.silentStart) return segment
      yield* fill(segment, now)
      return yield* Effect.orDie(get(project, id))
    }, transaction.run)

    const update = Effect.fn("Segments.update")(function* (project: ProjectId, id: SegmentId, input: UpdateSegment) {
      const now = yield* DateTime.now
      const { silentStart, ifUpdatedAt, condition: given, ...content } = input
      if (given !== undefined) yield* store.lockGraph(project)
      const before = yield* lock(project, id)
      const condition = given === undefined || before.type === "STATIC" ? undefined : yield* readCondition(given)
      if (condition !== undefined) {
        yield* conditions.requireTopics(project, condition, "condition")
        yield* requireSound(project, id, condition)
      }
      const links = condition === undefined ? {} : { condition, ...linksOf(condition) }
      const stored = yield* store.update(project, id, { ...content, ...links }, now, ifUpdatedAt)
      if (Option.isNone(stored)) {
        return yield* new Conflict({ reason: "changed_meanwhile", updatedAt: before.updatedAt })
      }
      const after = stored.value
      if (after.condition === null) return after

      if (condition !== undefined) yield* store.relink(project, id)
      const switched = before.trackMembership !== after.trackMembership
      if (switched && !after.trackMembership) yield* members.clear(project, id)
      if (switched && after.trackMembership && silentStart) yield* fill(after, now)
      else if (condition !== undefined || switched) {
        const count = yield* countNow(project, after.condition, now)
        // If no contact matches and the segment has no members, the count is already right and needs no compute.
        yield* store.setCount(project, id, count, switched && count === 0, null)
      }
      return yield* get(project, id)
    }, transaction.run)

    const remove = Effect.fn("Segments.delete")(function* (project: ProjectId, id: SegmentId) {
      yield* store.lockGraph(project)
      const { name } = yield* lock(project, id)
      const segments = yield* store.referring(project, id)
      const { usedInCampaigns: campaigns, usedInWorkflows: workflows } = yield* references.ofSegment(project, id)
      const forms = yield* formsJoining(project, id)
      if (campaigns.length + forms.length + segments.length + workflows.length > 0) {
        return yield* new ResourceInUse({ campaigns, segments, workflows, ...(forms.length > 0 && { forms }) })
      }
      yield* store.delete(project, id)
      yield* audit({ project, action: "segment.deleted", details: { segmentId: id, name } })
    }, transaction.run)

    const contactsOf = Effect.fn("Segments.contacts")(function* (
      project: ProjectId,
      id: SegmentId,
      query: SegmentContactQuery
    ) {
      const { condition, memberCount } = yield* get(project, id)
      const place = placeOf(query)
      if (condition === null) {
        return offsetPage(place, yield* members.listAdded(project, id, sliceOf(place)), memberCount)
      }
      const audience = yield* conditions.audienceOf(project, condition, yield* DateTime.now)
      const page = yield* members.list(audience, sliceOf(place))
      const isFull = page.length === place.pageSize
      const isKept = isFull && memberCount >= Math.max(keptTotal, place.page * place.pageSize)
      if (isKept) return offsetPage(place, page, memberCount)
      const kept = yield* compute.keptCount(project, id)
      return offsetPage(place, page, Option.isSome(kept) ? kept.value : yield* members.count(audience))
    })

    /** Locks the segment before contacts, as every writer does. */
    const lockStatic = Effect.fnUntraced(function* (project: ProjectId, id: SegmentId) {
      const segment = yield* lock(project, id)
      if (segment.type !== "STATIC") return yield* new Conflict({ reason: "segment_not_static" })
      return segment
    })

    /** Records the events of the change, and notes it for dependent segments. */
    const moved = Effect.fnUntraced(function* (
      segment: Segment,
      direction: "entry" | "exit",
      contacts: ReadonlyArray<ContactId>,
      now: DateTime.Utc
    ) {
      yield* recordMoved(segment, direction, contacts, now)
      yield* changes.note(segment.projectId, contacts, segmentName(segment.id))
    })

    const createMissing = Effect.fnUntraced(function* (
      project: ProjectId,
      emails: ReadonlyArray<string>,
      given: boolean | undefined,
      topics: TopicsChange | undefined
    ) {
      const missing = yield* members.unknown(project, emails)
      const inputs = missing.map((email) => ({ email, subscribedWhenNew: given ?? true, topics, data: {} }))
      if (!Array.isArrayNonEmpty(inputs)) return 0
      // Only if these contacts may have to confirm, each is written alone.
      const { mode } = (yield* rules.getCached(project)).doubleOptIn
      const isAsked = mode === "all" || [...(topics?.asks?.values() ?? [])].includes(true)
      const touched = isAsked
        ? yield* Effect.forEach(inputs, (input) =>
            contacts.touch(
              project,
              { ...input, asking: { isPublic: false, newContact: given === true } },
              { reason: "api" }
            )
          )
        : yield* Effect.orDie(contacts.upsertMany(project, inputs, { reason: "api" }))
      return touched.filter(({ isNew }) => isNew).length
    })

    const addMembers = Effect.fn("Segments.addMembers")(function* (
      project: ProjectId,
      id: SegmentId,
      input: AddMembers
    ) {
      const now = yield* DateTime.now
      const topics = yield* allTopics.readStates(project, input.topics)
      const segment = yield* lockStatic(project, id)
      const emails = Array.dedupe(input.emails)
      const created = input.createMissing
        ? yield* createMissing(project, emails, input.subscribed ?? undefined, topics)
        : 0
      const reached = yield* members.add(project, id, emails, now)
      const added = reached.filter(({ isNew }) => isNew).map(({ contact }) => contact)
      yield* moved(segment, "entry", added, now)
      const known = new Set(reached.map(({ email }) => email))
      return {
        added: added.length,
        created,
        alreadyMembers: reached.length - added.length,
        notFound: emails.filter((email) => !known.has(email))
      }
    }, transaction.run)

    const removeMembers = Effect.fn("Segments.removeMembers")(function* (
      project: ProjectId,
      id: SegmentId,
      input: RemoveMembers
    ) {
      const segment = yield* lockStatic(project, id)
      const emails = Array.dedupe(input.emails)
      const removed = yield* members.remove(project, id, emails)
      yield* moved(
        segment,
        "exit",
        removed.map(({ contact }) => contact),
        yield* DateTime.now
      )
      const were = new Set(removed.map(({ email }) => email))
      return { removed: removed.length, notFound: emails.filter((email) => !were.has(email)) }
    }, transaction.run)

    const ofContact = Effect.fn("Segments.ofContact")(function* (project: ProjectId, contact: ContactId) {
      yield* contacts.get(project, contact)
      const all = yield* conditions.audiencesOf(project, yield* store.list(project), yield* DateTime.now)
      const found: Array<ContactSegment> = []
      for (const some of Array.chunksOf(all, segmentsAtOnce)) {
        const joined = yield* members.ofContact(project, contact, some)
        for (const { segment } of some) {
          const since = joined.get(segment.id)
          if (since !== undefined) found.push({ id: segment.id, name: segment.name, type: segment.type, since })
        }
        if (found.length >= maxSegmentsOfContact) break
      }
      return found.slice(0, maxSegmentsOfContact)
    })

    return Segments.of({
      ...compute,
      list: (project) => store.list(project),
      create,
      get,
      update,
      delete: remove,
      contacts: contactsOf,
      ofContact,
      naming: (project, name) => store.naming(project, name),
      holdStatic: lockStatic,
      addMembers,
      removeMembers
    })
  })
)
