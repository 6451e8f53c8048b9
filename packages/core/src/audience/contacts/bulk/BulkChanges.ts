/** Queues changes of many contacts, and shows and cancels their jobs. */
import {
  type BulkPreview,
  type BulkSelect,
  type ChangeContacts,
  InvalidConfirmation
} from "@posthorn/contract/audience/contacts/BulkChange"
import type { JobQueued } from "@posthorn/contract/audience/contacts/ContactJob"
import type { FilterTree } from "@posthorn/contract/audience/filters/FilterTree"
import { SegmentId, type SegmentNotFound } from "@posthorn/contract/audience/segments/Segment"
import { Actor, Forbidden, type ProjectId } from "@posthorn/contract/platform/Auth"
import { Conflict, ValidationError } from "@posthorn/contract/platform/Errors"
import { DateTime, Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { recorded } from "../../../platform/audit/Audited.ts"
import { Cursors } from "../../../platform/Cursors.ts"
import type { JobId } from "../../../platform/jobs/Job.ts"
import { JobQueue } from "../../../platform/jobs/JobQueue.ts"
import { Transaction } from "../../../platform/Transaction.ts"
import * as ConsentProofs from "../../consents/ConsentProofs.ts"
import { conditionSql } from "../../filters/FilterSql.ts"
import { isDue } from "../../optins/OptInRules.ts"
import * as Audiences from "../../segments/Audiences.ts"
import { Segments } from "../../segments/Segments.ts"
import { AudienceRules, senderFaults } from "../../settings/AudienceRules.ts"
import { Topics } from "../../topics/Topics.ts"
import * as BulkChangeJob from "./BulkChangeJob.ts"
import * as BulkTargets from "./BulkTargets.ts"

/** Above this number of contacts, a dry run must confirm the change. */
const unconfirmed = (operation: ChangeContacts["operation"]): number => (operation === "delete" ? 100 : 1_000)

const validFor = Duration.minutes(15)
const sampleSize = 5
const maxWaiting = 20

/** The same text for the same JSON, whatever the order of its keys. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, nested) =>
    typeof nested === "object" && nested !== null && !Array.isArray(nested)
      ? Object.fromEntries(Object.entries(nested).sort(([one], [other]) => (one < other ? -1 : 1)))
      : nested
  )

export interface BulkChanges {
  /**
   * Queues the change for the contacts that are selected now; or, as a dry run, counts them and returns the token that
   * confirms the change.
   */
  readonly change: (
    project: ProjectId,
    input: ChangeContacts
  ) => Effect.Effect<
    BulkPreview | JobQueued,
    Conflict | Forbidden | InvalidConfirmation | SegmentNotFound | ValidationError
  >
  /** Removes what a cancelled job did not reach. Joins the caller's transaction. */
  readonly drop: (project: ProjectId, id: JobId) => Effect.Effect<void>
}

export const make = Effect.gen(function* (): Effect.fn.Return<
  BulkChanges,
  never,
  AudienceRules | Audiences.Needs | Cursors | JobQueue | Segments | SqlClient.SqlClient | Topics | Transaction
> {
  const audiences = yield* Audiences.make
  const cursors = yield* Cursors
  const queue = yield* JobQueue
  const segments = yield* Segments
  const sql = yield* SqlClient.SqlClient
  const rules = yield* AudienceRules
  const topics = yield* Topics
  const transaction = yield* Transaction
  const proofs = yield* ConsentProofs.make
  const targets = yield* BulkTargets.make
  const audit = recorded(sql)

  const selected = Effect.fnUntraced(function* (
    project: ProjectId,
    { condition, segmentId, contactIds }: BulkSelect
  ): Effect.fn.Return<BulkTargets.Selection, SegmentNotFound | ValidationError> {
    if (contactIds != null) return { ids: [...new Set(contactIds)] }
    if (condition != null) yield* audiences.requireSound(project, condition, "select.condition")
    if (segmentId != null) yield* segments.get(project, SegmentId.make(segmentId))
    const tree: FilterTree = condition ?? (segmentId == null ? { groups: [] } : Audiences.membersOf(segmentId))
    const { condition: parsed, scope } = yield* audiences.of(project, tree, yield* DateTime.now)
    return { holds: conditionSql(sql, parsed, scope) }
  })

  /** The order that the job gets. Refuses what the operation lacks. */
  const orderOf = Effect.fnUntraced(function* (project: ProjectId, input: ChangeContacts) {
    const { operation, data, consent, silent } = input
    const required = (field: string) => ValidationError.one(field, "required", `Required for \`${operation}\`.`)
    yield* proofs.read(project, consent)
    const settings = yield* rules.get(project)
    const asksFor = (topic?: boolean | null) => isDue(settings, { isPublic: false, call: input.doubleOptIn }, topic)
    const requireSender = Effect.suspend(() => {
      const errors = senderFaults(settings)
      return errors.length > 0 ? new ValidationError({ errors }) : Effect.void
    })
    const common = {
      operation,
      ...(consent != null && { consent }),
      ...(silent === true && { silent })
    }
    switch (operation) {
      case "set-topics": {
        const { topics: states } = input
        if (states == null) return yield* required("topics")
        yield* topics.readStates(project, states)
        const known = yield* topics.resolve(project, Object.keys(states))
        const byId = Object.entries(states).map(([name, state]) => ({
          id: known.get(name)?.id ?? name,
          state,
          topic: known.get(name)
        }))
        const asked = byId.filter(({ state, topic }) => state === "subscribed" && asksFor(topic?.doubleOptIn))
        if (asked.length > 0) yield* requireSender
        const others = byId.filter((each) => !asked.includes(each)).map(({ id, state }) => [id, state] as const)
        return { ...common, topics: Object.fromEntries(others), askedTopics: asked.map(({ id }) => id as string) }
      }
      case "set-data":
        return data == null ? yield* required("data") : { ...common, data }
      case "add-to-segment":
      case "remove-from-segment": {
        if (input.targetSegmentId == null) return yield* required("targetSegmentId")
        const targetSegmentId = SegmentId.make(input.targetSegmentId)
        const { type } = yield* segments.get(project, targetSegmentId)
        if (type !== "STATIC") return yield* new Conflict({ reason: "segment_not_static" })
        return { ...common, targetSegmentId }
      }
      case "subscribe":
        if (!asksFor()) return common
        yield* requireSender
        return { ...common, asks: true }
      default:
        return common
    }
  })

  const mayDelete = Effect.gen(function* () {
    const actor = yield* Actor
    if ("role" in actor && actor.role === "MEMBER") return yield* new Forbidden({ reason: "role" })
  })

  const scopeOf = (project: ProjectId, { dryRun: _, confirmationToken: __, ...body }: ChangeContacts) =>
    canonical(["contacts/bulk", project, body])

  const confirmed = Effect.fnUntraced(function* (
    project: ProjectId,
    input: ChangeContacts,
    count: number,
    now: DateTime.Utc
  ) {
    const { operation, confirmationToken: token } = input
    if (token == null) {
      if (count > unconfirmed(operation)) return yield* new Conflict({ reason: "confirmation_required", count })
      return
    }
    const opened = yield* Effect.mapError(cursors.open(scopeOf(project, input), token), () => new InvalidConfirmation())
    if (DateTime.isGreaterThanOrEqualTo(now, DateTime.makeUnsafe(opened.key))) return yield* new InvalidConfirmation()
    const seen = Number(opened.id)
    if (count > seen * 1.1 && count > seen + 100) {
      return yield* new Conflict({ reason: "audience_changed", count, confirmed: seen })
    }
  })

  const preview = Effect.fnUntraced(function* (
    project: ProjectId,
    input: ChangeContacts,
    selection: BulkTargets.Selection,
    now: DateTime.Utc
  ) {
    const count = yield* targets.count(project, selection)
    const expiresAt = DateTime.addDuration(now, validFor)
    const position = { key: DateTime.formatIso(expiresAt), id: String(count) }
    return {
      count,
      sample: yield* targets.sample(project, selection, sampleSize),
      confirmationToken: yield* cursors.seal(scopeOf(project, input), position),
      expiresAt
    }
  })

  const change = Effect.fn("BulkChanges.change")(function* (project: ProjectId, input: ChangeContacts) {
    const { operation, select, dryRun } = input
    if (operation === "delete") yield* mayDelete
    const now = yield* DateTime.now
    const order = yield* orderOf(project, input)
    const selection = yield* selected(project, select)
    if (dryRun === true) return yield* preview(project, input, selection, now)
    yield* confirmed(project, input, yield* targets.count(project, selection), now)
    if ((yield* queue.count(project, [BulkChangeJob.job], { state: "waiting" })) >= maxWaiting) {
      return yield* ValidationError.one("operation", "too_big", `${maxWaiting} changes are waiting already.`)
    }
    const jobId = yield* queue.enqueue(project, BulkChangeJob.job, order, now)
    const count = yield* targets.freeze(project, jobId, selection)
    const { condition, segmentId, all } = select
    const details = {
      jobId,
      operation,
      count,
      ...(condition != null && { condition: canonical(condition) }),
      ...(segmentId != null && { segmentId }),
      ...(all != null && { all })
    }
    yield* audit({ project, action: "contacts.bulk_started", details })
    return { message: count === 1 ? "1 contact queued." : `${count} contacts queued.`, jobId }
  }, transaction.run)

  return { change, drop: targets.drop }
})
