/** How executions begin: by events, by hand and by the clock. */

import type { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import { ExecutionId } from "@posthorn/contract/automation/workflows/Execution"
import { WorkflowId } from "@posthorn/contract/automation/workflows/WorkflowId"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Array, DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { EventBatch } from "../../../events/EventHandler.ts"
import { isStartedBy, startByEvents, wakeByEvents } from "./EventStartSql.ts"
import { candidateColumns, heldWorkflow, startParts } from "./StartSql.ts"

const ids = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: ExecutionId })))
const workflows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: WorkflowId })))

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return {
    /**
     * Starts the workflows of these events and wakes those that wait for them; tells how many executions a worker should
     * look at. Joins the caller's transaction; an event that comes twice starts nothing twice. `only` leaves the other
     * workflows out.
     */
    byEvents: Effect.fn("Starts.byEvents")(function* (batch: EventBatch, only?: WorkflowId) {
      const now = DateTime.toDate(batch.now)
      // Planned each time: a plan made while the tables were small would be kept when they have grown.
      const started = yield* startByEvents(sql, batch, now, only).unprepared
      const woken = yield* wakeByEvents(sql, batch, now).unprepared
      return started.length + woken.length
    }, Effect.orDie),
    /** The workflows that these events may start. */
    listeners: Effect.fn("Starts.listeners")(function* (batch: EventBatch) {
      const found = yield* workflows(
        yield* sql`
        select id from workflows where ${isStartedBy(sql, batch)} order by project_id, id`
      )
      return found.map(({ id }) => id)
    }, Effect.orDie),
    /** Starts one by hand; none where the contact may not enter, is not there, or the workflow is not enabled. */
    byHand: Effect.fn("Starts.byHand")(function* (
      project: ProjectId,
      workflow: WorkflowId,
      contact: ContactId,
      context: Schema.JsonObject,
      now: DateTime.Utc
    ) {
      const started = yield* sql`
        with ${heldWorkflow(sql, project, workflow)},
        candidates as (
          select ${sql.literal(candidateColumns)}
          from (
            select held.*, contacts.id as contact_id, null::uuid as event_id,
                   ${JSON.stringify(context)}::text::jsonb as context, false as context_dropped, 0 as chain,
                   1 as position
            from held join contacts using (project_id) where contacts.id = ${contact}
            -- One that is being deleted is gone.
            for key share of contacts
          ) as asked
        ),
        ${startParts(sql, "MANUAL", DateTime.toDate(now))}
        select id from started`
      return Array.head((yield* ids(started)).map(({ id }) => id))
    }, Effect.orDie)
  }
})
