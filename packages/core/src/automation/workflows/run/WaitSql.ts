/** Finds the earliest event that ends each wait, among the events of the contact since the step began. */

import { ExecutionId } from "@posthorn/contract/automation/workflows/Execution"
import { DateTime, Effect, Schema } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { eventDataSql } from "../../../audience/filters/JsonSql.ts"
import { isNotFeigned } from "../../../audience/filters/ServiceEvents.ts"
import { isWaiting } from "../../../events/EventOutbox.ts"
import { isVisible } from "../../../events/Retracted.ts"
import type { Wait, WaitedFor } from "./RunStore.ts"

const timestamp = Schema.DateTimeUtcFromDate

const waitedRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      execution: ExecutionId,
      id: Schema.String,
      data: Schema.NullOr(Schema.Json),
      createdAt: timestamp,
      occurredAt: timestamp,
      isDispatched: Schema.Boolean
    })
  )
)

const isObject = Schema.is(Schema.JsonObject)

export const waitStatement = (
  sql: SqlClient.SqlClient,
  waits: ReadonlyArray<Wait>,
  now: DateTime.Utc
): Statement.Statement<unknown> => {
  const cases = new Map<string, Case>()
  const caseOf = ({ tests }: Wait): number | null => {
    if (tests.length === 0) return null
    const key = JSON.stringify(tests)
    const known = cases.get(key) ?? { n: cases.size, tests }
    cases.set(key, known)
    return known.n
  }
  const rows = waits.map((wait) => ({
    project_id: wait.projectId,
    execution: wait.id,
    contact: wait.contactId,
    trigger_event: wait.triggerEventId,
    name: wait.event,
    since: DateTime.formatIso(wait.since),
    until: wait.until && DateTime.formatIso(wait.until),
    tests: caseOf(wait)
  }))
  return sql`
    select wait.execution, event.id, event.data, event.created_at as "createdAt", event.occurred_at as "occurredAt",
           not ${isWaiting(sql, sql`wait.project_id`, sql`event.id`)} as "isDispatched"
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as wait(
      project_id uuid, execution uuid, contact uuid, trigger_event uuid, name text, since timestamptz,
      until timestamptz, tests int)
    cross join lateral (
      select id, data, created_at, occurred_at from events
      where events.project_id = wait.project_id and events.contact_id = wait.contact
        and events.name = wait.name and events.created_at >= wait.since
        and (wait.until is null or events.created_at <= wait.until)
        and events.id is distinct from wait.trigger_event
        and events.dispatched_at is distinct from '-infinity'
        and ${isVisible(sql)}
        ${passing(sql, [...cases.values()], now)}
        and ${isNotFeigned(sql, "events")}
        and not exists (
          select from workflow_step_executions as visit
          where visit.project_id = events.project_id and visit.resumed_by = events.id
            and visit.execution_id = wait.execution)
      order by events.created_at, events.id limit 1
    ) as event`
}

interface Case {
  readonly n: number
  readonly tests: Wait["tests"]
}

/** Waits with the same tests share a case. */
const passing = (sql: SqlClient.SqlClient, cases: ReadonlyArray<Case>, now: DateTime.Utc): Statement.Fragment => {
  if (cases.length === 0) return sql``
  const tested = (tests: Case["tests"]) => sql.and(tests.map((test) => eventDataSql(sql, test, now.epochMilliseconds)))
  const arms = cases.reduce(
    (before, { n, tests }) => sql`${before} when ${sql.literal(String(n))} then ${tested(tests)}`,
    sql``
  )
  return sql`
    and (wait.tests is null or exists (
      select from (select events.data) as event(data) where case wait.tests ${arms} end))`
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
