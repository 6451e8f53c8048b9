/** Starts executions by events and by calls. */

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
     * Starts the workflows of these events, and wakes the executions that wait for them. Returns the number of
     * executions that are due. Joins the caller's transaction. An event that is dispatched twice starts a workflow
     * once. With `only`, other workflows are not started.
     */
    byEvents: Effect.fn("Starts.byEvents")(function* (batch: EventBatch, only?: WorkflowId) {
      const now = DateTime.toDate(batch.now)
      // Not prepared: a cached plan from small tables would stay in use after they have grown.
      const started = yield* startByEvents(sql, batch, now, only).unprepared
      const woken = yield* wakeByEvents(sql, batch, now).unprepared
      return started.length + woken.length
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
