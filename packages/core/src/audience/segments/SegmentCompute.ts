/**
 * Finds the contacts that join and leave a segment: for the whole segment at once, or only for contacts that changed.
 *
 * Both ways hold the lock of the segment and see what is stored at that time. So each join and each leave is found
 * once, and its event is written in the same transaction. The process reads only the ids of the contacts of one step.
 */

import type { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import {
  type ComputedSegment,
  type RefreshedSegment,
  type Segment,
  type SegmentId,
  SegmentNotFound
} from "@posthorn/contract/audience/segments/Segment"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { BadRequest } from "@posthorn/contract/platform/Errors"
import { Array, DateTime, Duration, Effect, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { EventLog } from "../../events/EventLog.ts"
import { failpoint } from "../../platform/Failpoint.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { liveQuery } from "../filters/LiveQuery.ts"
import * as ChangeMarks from "./ChangeMarks.ts"
import * as ChangeQueue from "./ChangeQueue.ts"
import * as SegmentConditions from "./SegmentConditions.ts"
import * as SegmentMemberStore from "./SegmentMemberStore.ts"
import { type CountedSegment, type ReactingSegment, SegmentStore } from "./SegmentStore.ts"

export interface SegmentCompute {
  /**
   * Recomputes the stored members of a tracked dynamic segment, in transactions of at most 1,000 contacts. Records an
   * event for each contact that joins or leaves. A second compute of the same segment waits for the first.
   */
  readonly compute: (project: ProjectId, id: SegmentId) => Effect.Effect<ComputedSegment, SegmentNotFound | BadRequest>
  /** Counts the members, unless the stored count is known to be right, and changes nothing else. */
  readonly refresh: (project: ProjectId, id: SegmentId) => Effect.Effect<RefreshedSegment, SegmentNotFound>
  /** The stored count, if it is known to be what a count would give now. */
  readonly keptCount: (project: ProjectId, id: SegmentId) => Effect.Effect<Option.Option<number>>
  /**
   * Evaluates a segment for changes caused by time alone and for missed changes: counts it, or recomputes its members if
   * they are tracked. Does nothing if `marks` say that nothing has changed since its last count. `again`: count anyway.
   * Returns whether the count can change while the marks stay.
   */
  readonly evaluate: (counted: CountedSegment, marks: ChangeMarks.ChangeMarks, again: boolean) => Effect.Effect<boolean>
  readonly nextChanged: ChangeQueue.ChangeQueue["next"]
  /** Evaluates up to 1,000 changes of the project for the segments that react to them. Returns how many there were. */
  readonly react: (project: ProjectId) => Effect.Effect<number>
  /** Records the events of stored joins or leaves if the segment tracks membership. */
  readonly moved: (
    segment: Segment,
    direction: "entry" | "exit",
    contacts: ReadonlyArray<ContactId>,
    now: DateTime.Utc
  ) => Effect.Effect<void>
}

/** The number of contacts in one transaction. */
const step = 1_000

/** How often to check whether another compute has ended. */
const turnPoll = Duration.millis(100)

const noMoves: SegmentMemberStore.Moved = { contacts: [], next: undefined }

const untracked = () =>
  new BadRequest({
    errors: [
      {
        field: "trackMembership",
        code: "custom",
        message: "The segment does not track its membership. Set `trackMembership` to true first."
      }
    ]
  })

/** The contacts with a change that the segment reacts to. */
const concerned = (
  changes: ReadonlyArray<ChangeQueue.Change>,
  reactsTo: ReadonlyArray<string>
): ReadonlyArray<ContactId> => {
  const names = new Set(reactsTo)
  return Array.dedupe(changes.filter((change) => change.names.some((name) => names.has(name))).map((_) => _.contact))
}

export const make = Effect.gen(function* (): Effect.fn.Return<
  SegmentCompute,
  never,
  EventLog | SecureRandom.SecureRandom | SegmentStore | SqlClient.SqlClient | Transaction
> {
  const store = yield* SegmentStore
  const members = yield* SegmentMemberStore.make
  const queue = yield* ChangeQueue.make
  const conditions = yield* SegmentConditions.make
  const events = yield* EventLog
  const random = yield* SecureRandom.SecureRandom
  const transaction = yield* Transaction
  const sql = yield* SqlClient.SqlClient

  const get = Effect.fnUntraced(function* (project: ProjectId, id: SegmentId) {
    const found = yield* store.find(project, id)
    return Option.isSome(found) ? found.value : yield* new SegmentNotFound({ id })
  })

  const moved: SegmentCompute["moved"] = Effect.fnUntraced(function* (segment, direction, contacts, now) {
    if (contacts.length === 0) return
    const { id: segmentId, name: segmentName, projectId, slug, trackMembership } = segment
    if (!trackMembership) return
    const data = { segmentId, segmentName, slug }
    yield* events.recordForEach(
      projectId,
      contacts,
      { name: `segment.${slug}.${direction}`, source: "system", data },
      now
    )
  })

  /** One step in one direction. Requires the lock of the segment and joins the caller's transaction. */
  const move = Effect.fnUntraced(function* (
    segment: Segment,
    direction: "entry" | "exit",
    scope: SegmentMemberStore.ContactSelection
  ) {
    if (segment.condition === null) return noMoves
    const now = yield* DateTime.now
    const audience = yield* conditions.audienceOf(segment.projectId, segment.condition, now)
    const found = yield* members[direction === "entry" ? "join" : "leave"](segment.id, audience, scope)
    yield* moved(segment, direction, found.contacts, now)
    return found
  })

  /**
   * Runs the work under the lock of the segment, as the owner of its turn. None if the turn or the segment is gone,
   * or the segment is not tracked any more.
   */
  const inTurn = <A>(
    { id, projectId }: Segment,
    owner: string,
    work: (segment: Segment) => Effect.Effect<A>
  ): Effect.Effect<Option.Option<A>> =>
    transaction.run(
      Effect.gen(function* () {
        const held = yield* store.holdTurn(projectId, id, owner)
        if (Option.isNone(held) || !held.value.trackMembership) return Option.none()
        return Option.some(yield* work(held.value))
      })
    )

  /** All joins or all leaves, step by step. Each step uses the condition at that time. */
  const walk = Effect.fnUntraced(function* (segment: Segment, owner: string, direction: "entry" | "exit") {
    let count = 0
    let after: ContactId | undefined
    do {
      const scope = { limit: step, after }
      const found = yield* inTurn(segment, owner, (held) => move(held, direction, scope))
      if (Option.isNone(found)) return count
      if (found.value.contacts.length > 0) yield* failpoint("after_membership_step")
      count += found.value.contacts.length
      after = found.value.next
    } while (after !== undefined)
    return count
  })

  const finish = (segment: Segment, owner: string, mark: string | null) =>
    inTurn(segment, owner, ({ projectId, id, condition }) =>
      Effect.gen(function* () {
        const total = yield* members.countStored(projectId, id)
        yield* store.setCount(projectId, id, total, true, mark)
        return { total, condition }
      })
    )

  const round = Effect.fnUntraced(function* (segment: Segment, owner: string) {
    let { condition } = segment
    let added = 0
    let removed = 0
    while (true) {
      const mark = yield* markNow(segment.projectId, segment.id)
      removed += yield* walk(segment, owner, "exit")
      added += yield* walk(segment, owner, "entry")
      const finished = yield* finish(segment, owner, mark)
      if (Option.isNone(finished)) {
        return { added, removed, total: (yield* get(segment.projectId, segment.id)).memberCount }
      }
      const { total, condition: last } = finished.value
      if (JSON.stringify(last) === JSON.stringify(condition)) return { added, removed, total }
      // The condition changed during the compute, so all contacts are evaluated again.
      condition = last
    }
  })

  const turnTo = Effect.fnUntraced(function* ({ id, projectId }: Segment, owner: string) {
    while (!(yield* store.claimTurn(projectId, id, owner))) {
      yield* get(projectId, id)
      yield* Effect.sleep(turnPoll)
    }
  })

  const compute = Effect.fn("SegmentCompute.compute")(function* (project: ProjectId, id: SegmentId) {
    const segment = yield* get(project, id)
    if (segment.type === "STATIC") return { added: 0, removed: 0, total: yield* members.countStored(project, id) }
    if (!segment.trackMembership) return yield* untracked()
    const owner = yield* random.uuidV7()
    return yield* Effect.uninterruptibleMask((restore) =>
      Effect.andThen(
        restore(turnTo(segment, owner)),
        Effect.ensuring(restore(round(segment, owner)), store.releaseTurn(project, id, owner))
      )
    )
  })

  /** The mark for a count that begins now. Null if such a count must not be relied on later. */
  const markFor = ({ reactsTo }: CountedSegment, marks: ChangeMarks.ChangeMarks, lasts: boolean) =>
    lasts ? ChangeMarks.markFor(marks, reactsTo) : null

  /** Whether its count stays while nothing changes. */
  const lasting = Effect.fnUntraced(function* ({ segment: { condition, projectId } }: CountedSegment) {
    if (condition === null) return true
    return !SegmentConditions.changesAlone(yield* conditions.audienceOf(projectId, condition, yield* DateTime.now))
  })

  const marksNow = (project: ProjectId) =>
    Effect.flatMap(DateTime.now, (now) => Effect.orDie(liveQuery(sql, ChangeMarks.marksOf(sql, project, now))))

  const markNow = Effect.fnUntraced(function* (project: ProjectId, id: SegmentId) {
    const [counted] = yield* store.counted(project, id)
    if (counted === undefined) return null
    // A segment that it names may change during a compute, which would go unnoticed.
    if (SegmentConditions.linksOf(counted.segment.condition).refersTo.length > 0) return null
    return markFor(counted, yield* marksNow(project), yield* lasting(counted))
  })

  const recount = Effect.fnUntraced(function* (counted: CountedSegment, mark: string | null) {
    const { condition, id, projectId } = counted.segment
    if (condition === null) {
      return yield* transaction.run(
        Effect.gen(function* () {
          yield* store.lock(projectId, id)
          const memberCount = yield* members.countStored(projectId, id)
          yield* store.setCount(projectId, id, memberCount, true, mark)
          return memberCount
        })
      )
    }
    const audience = yield* conditions.audienceOf(projectId, condition, yield* DateTime.now)
    const memberCount = yield* members.count(audience)
    yield* store.refreshCount(counted, memberCount, mark)
    return memberCount
  })

  /** The stored count, if it is what a count would give now, and the mark for a count that begins now. */
  const look = Effect.fnUntraced(function* (counted: CountedSegment) {
    const { condition, memberCount, projectId, trackMembership } = counted.segment
    const lasts = yield* lasting(counted)
    const mark = markFor(counted, yield* marksNow(projectId), lasts)
    const isSame = mark !== null && counted.countedMark === mark
    // Stored members change with their count. Only the changes that wait in the queue are missing.
    const isFollowed = condition !== null && trackMembership && counted.settled && lasts
    if (isSame) return { mark, kept: Option.some(memberCount) }
    if (!(isFollowed && (yield* queue.isEmpty(projectId)))) return { mark, kept: Option.none<number>() }
    // A change may have left the queue since the count was read.
    return { mark, kept: Option.map(yield* store.find(projectId, counted.segment.id), (after) => after.memberCount) }
  })

  const refresh = Effect.fn("SegmentCompute.refresh")(function* (project: ProjectId, id: SegmentId) {
    const [counted] = yield* store.counted(project, id)
    if (counted === undefined) return yield* new SegmentNotFound({ id })
    const { kept, mark } = yield* look(counted)
    return { memberCount: Option.isSome(kept) ? kept.value : yield* recount(counted, mark) }
  })

  const keptCount = Effect.fn("SegmentCompute.keptCount")(function* (project: ProjectId, id: SegmentId) {
    const [counted] = yield* store.counted(project, id)
    if (counted === undefined) return Option.none<number>()
    const { condition, memberCount } = counted.segment
    // Members that were added by hand change with their count.
    if (condition === null && counted.settled) return Option.some(memberCount)
    return (yield* look(counted)).kept
  })

  const evaluate: SegmentCompute["evaluate"] = Effect.fn("SegmentCompute.evaluate")(function* (counted, marks, again) {
    const { condition, id, projectId, trackMembership } = counted.segment
    const lasts = yield* lasting(counted)
    const mark = markFor(counted, marks, lasts)
    if (!again && mark !== null && counted.countedMark === mark) return !lasts
    const isTracked = condition !== null && trackMembership
    // A segment that was deleted or changed after it was read is not a failure.
    yield* isTracked ? Effect.result(compute(projectId, id)) : recount(counted, mark)
    return !lasts
  })

  const reactOne = Effect.fnUntraced(function* (
    { segment, reactsTo }: ReactingSegment,
    changes: ReadonlyArray<ChangeQueue.Change>
  ) {
    const contacts = concerned(changes, reactsTo)
    yield* move(segment, "exit", { contacts })
    yield* move(segment, "entry", { contacts })
  })

  const react = Effect.fn("SegmentCompute.react")(function* (project: ProjectId) {
    const changes = yield* queue.take(project, step)
    const names = Array.dedupe(changes.flatMap((change) => change.names))
    const reacting = names.length === 0 ? [] : yield* store.lockReacting(project, names)
    yield* Effect.forEach(reacting, (each) => reactOne(each, changes), { discard: true })
    return changes.length
  }, transaction.run)

  return { compute, evaluate, keptCount, refresh, nextChanged: queue.next, react, moved }
})
