/** Starts executions by events and by calls, and ends those that events end. */

import type { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import { ExecutionId } from "@posthorn/contract/automation/workflows/Execution"
import { WorkflowId } from "@posthorn/contract/automation/workflows/WorkflowId"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Array, DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { batchRows, type EventBatch } from "../../../events/EventHandler.ts"
import * as Endings from "../goals/Endings.ts"
import * as EntryChecks from "../goals/EntryChecks.ts"
import { type ListenerHit, probe } from "../goals/Listeners.ts"
import { isStartedBy, startByEvents, wakeByEvents } from "./EventStartSql.ts"
import { candidateColumns, heldWorkflow, lockEntries, startParts } from "./StartSql.ts"

const ids = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: ExecutionId })))
const workflows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: WorkflowId })))
const contacts = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ project: ProjectId, id: Schema.String, contact: Schema.NullOr(Schema.String) }))
)

/** A contact that enters a workflow by a call. */
export interface StartEntry {
  readonly contact: ContactId
  readonly context: Schema.JsonObject
  readonly key: string
}

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const follow = yield* Endings.make
  const judge = yield* EntryChecks.make

  /**
   * The events in parts, which have the result of one event after the other: whatever a contact did until an event that
   * may end executions, and what it did afterwards. One part if no event ends anything.
   */
  const partsOf = Effect.fnUntraced(function* (batch: EventBatch, hits: ReadonlyArray<ListenerHit>) {
    const ending = new Set(hits.flatMap(({ event, kind }) => (kind === "exit" || kind === "goal" ? [event] : [])))
    if (ending.size === 0 || batch.events.length === 1) return [batch.events]
    const found = yield* contacts(
      yield* sql`
        select event.project_id as project, event.id, event.contact_id as contact
        from ${batchRows(sql, batch)} join events as event using (project_id, id) order by position`.unprepared
    )
    const before = new Map<string, number>()
    const parts: Array<Array<EventBatch["events"][number]>> = []
    for (const { project, id, contact } of found) {
      const place = contact === null ? 0 : (before.get(contact) ?? 0)
      const part = parts[place] ?? []
      parts[place] = part
      part.push({ project, id })
      if (contact !== null && ending.has(id)) before.set(contact, place + 1)
    }
    return parts
  })

  const startJudged = Effect.fnUntraced(function* (
    batch: EventBatch,
    hits: ReadonlyArray<ListenerHit>,
    only: WorkflowId | undefined
  ) {
    const own = hits.filter(({ kind, workflow }) => kind === "start" && (only === undefined || workflow === only))
    const judged = yield* judge(own, batch.now)
    const keyed = new Set(judged.flatMap(({ isKeyed, event, workflow }) => (isKeyed ? [`${event} ${workflow}`] : [])))
    const entries = own.filter(({ event, workflow }) => keyed.has(`${event} ${workflow}`))
    if (entries.length > 0) yield* lockEntries(sql, entries)
    // Not prepared: a cached plan from small tables would stay in use after they have grown.
    const started = yield* startByEvents(sql, batch, DateTime.toDate(batch.now), {
      judged,
      ...(only !== undefined && { only })
    }).unprepared
    return started.length
  })

  const wake = (batch: EventBatch) =>
    Effect.map(wakeByEvents(sql, batch, DateTime.toDate(batch.now)).unprepared, (woken) => woken.length)

  return {
    /**
     * Starts the workflows of these events, ends the executions that they end, and wakes those that wait for them.
     * Returns the number of executions that are due. Joins the caller's transaction. An event that is dispatched twice
     * starts a workflow once.
     */
    byEvents: Effect.fn("Starts.byEvents")(function* (batch: EventBatch) {
      const hits = yield* probe(sql, batch)
      let started = 0
      for (const events of yield* partsOf(batch, hits)) {
        const part = { ...batch, events }
        const isIn = new Set(events.map(({ id }) => id))
        const own = hits.filter(({ event }) => isIn.has(event))
        started += yield* startJudged(part, own, undefined)
        yield* follow(own, batch.now)
      }
      return started + (yield* wake(batch))
    }, Effect.orDie),
    /** Starts one workflow only. */
    oneByEvents: Effect.fn("Starts.oneByEvents")(function* (batch: EventBatch, only: WorkflowId) {
      return yield* startJudged(batch, yield* probe(sql, batch), only)
    }, Effect.orDie),
    /** Ends and wakes executions, and starts none. */
    followEvents: Effect.fn("Starts.followEvents")(function* (batch: EventBatch) {
      yield* follow(yield* probe(sql, batch), batch.now)
      return yield* wake(batch)
    }, Effect.orDie),
    /** The workflows that these events may start. */
    workflowsOf: Effect.fn("Starts.workflowsOf")(function* (batch: EventBatch) {
      const found = yield* workflows(
        yield* sql`
        select id from workflows where ${isStartedBy(sql, batch)} order by project_id, id`
      )
      return found.map(({ id }) => id)
    }, Effect.orDie),
    /** Starts one execution. None if the contact may not enter or is missing, or the workflow is disabled. */
    byCall: Effect.fn("Starts.byCall")(function* (
      project: ProjectId,
      workflow: WorkflowId,
      { contact, context, key }: StartEntry,
      now: DateTime.Utc
    ) {
      yield* lockEntries(sql, [{ workflow, contact }])
      const started = yield* sql`
        with ${heldWorkflow(sql, project, workflow)},
        candidates as (
          select ${sql.literal(candidateColumns)}
          from (
            select held.*, contacts.id as contact_id, has_key or ${key !== ""} as is_keyed, ${key}::text as entry_key,
                   null::timestamptz as entered_at, null::uuid as event_id,
                   ${JSON.stringify(context)}::text::jsonb as context, false as context_dropped, 0 as chain,
                   1 as position
            from held join contacts using (project_id) where contacts.id = ${contact}
            -- Skips a contact that another transaction deletes.
            for key share of contacts
          ) as asked
        ),
        ${startParts(sql, "MANUAL", DateTime.toDate(now))}
        select id from started`
      return Array.head((yield* ids(started)).map(({ id }) => id))
    }, Effect.orDie)
  }
})
