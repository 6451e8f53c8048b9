/** Finds the earliest event that ends each wait, among the events of the contact since the step began. */
import { ExecutionId } from "@posthorn/contract/automation/workflows/Execution"
import { DateTime, Effect, Schema } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { isVisible } from "../../../events/Retracted.ts"
import type { Wait, WaitedFor } from "./RunStore.ts"

const timestamp = Schema.DateTimeUtcFromDate

const waitedRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      execution: ExecutionId,
      id: Schema.String,
      data: Schema.NullOr(Schema.Json),
      createdAt: timestamp
    })
  )
)

const isObject = Schema.is(Schema.JsonObject)

export const waitStatement = (sql: SqlClient.SqlClient, waits: ReadonlyArray<Wait>): Statement.Statement<unknown> => {
  const rows = waits.map(({ projectId, id, contactId, triggerEventId, event, since, until }) => ({
    project_id: projectId,
    execution: id,
    contact: contactId,
    trigger_event: triggerEventId,
    name: event,
    since: DateTime.formatIso(since),
    until: until && DateTime.formatIso(until)
  }))
  return sql`
    select wait.execution, event.id, event.data, event.created_at as "createdAt"
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as wait(
      project_id uuid, execution uuid, contact uuid, trigger_event uuid, name text, since timestamptz,
      until timestamptz)
    cross join lateral (
      select id, data, created_at from events
      where events.project_id = wait.project_id and events.contact_id = wait.contact
        and events.name = wait.name and events.created_at >= wait.since
        and (wait.until is null or events.created_at <= wait.until)
        and events.id is distinct from wait.trigger_event
        and ${isVisible(sql)}
        and not exists (
          select from workflow_step_executions as visit
          where visit.project_id = events.project_id and visit.resumed_by = events.id
            and visit.execution_id = wait.execution)
      order by events.created_at, events.id limit 1
    ) as event`
}

export const readWaited = (
  found: ReadonlyArray<unknown>
): Effect.Effect<ReadonlyMap<ExecutionId, WaitedFor>, Schema.SchemaError> =>
  Effect.map(
    waitedRows(found),
    (decoded) =>
      new Map(
        decoded.map(({ execution, data, ...event }) => [execution, { ...event, data: isObject(data) ? data : {} }])
      )
  )
