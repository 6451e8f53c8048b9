/**
 * Starts the workflows of a batch of events, and wakes the executions that wait for them, with one statement each.
 *
 * The decision for each pair of workflow and event is stored, so an event that is dispatched twice starts a workflow
 * once. Events that a workflow caused do not start it again, and a chain of workflows that start each other ends after
 * ten. Opens, clicks and complaints come from outside and do not count as caused by a workflow.
 */

import type { WorkflowId } from "@posthorn/contract/automation/workflows/WorkflowId"
import type { SqlClient, Statement } from "effect/sql"
import { isNotFeigned } from "../../../audience/filters/ServiceEvents.ts"
import { batchRows, type EventBatch } from "../../../events/EventHandler.ts"
import type { JudgedEvent } from "../goals/EntryChecks.ts"
import { candidateColumns, startParts } from "./StartSql.ts"

const maxChain = 10
/** Executions of a contact in an hour. Above this limit, events of the service itself start no more. */
const maxHourly = 100
/** Limit for events of the service itself. Those of callers are checked when they are tracked. */
const maxContextBytes = 64 * 1024

/**
 * The workflow that caused the event, and its chain. Only for system events: callers choose the data of tracked ones.
 */
const origin = (sql: SqlClient.SqlClient) => sql`
  left join lateral (
    select workflow_id, chain from workflow_event_origins as caused
    where caused.project_id = event.project_id and caused.event_id = event.id
    union all
    select workflow_id, chain from workflow_executions as execution
    where event.name in ('email.sent', 'email.delivery', 'email.failed', 'email.bounce',
                         'workflow.execution.completed', 'workflow.execution.failed',
                         'workflow.execution.converted')
      and execution.project_id = event.project_id
      and execution.id = case when event.source = 'system'
        then coalesce(event.data ->> 'workflowExecutionId', event.data ->> 'executionId')::uuid end
    limit 1
  ) as origin on event.source = 'system'`

/** A condition on rows of `workflows`. */
export const isStartedBy = (sql: SqlClient.SqlClient, batch: EventBatch): Statement.Fragment => sql`
  enabled and trigger_type = 'EVENT' and (project_id, event_name) in (
    select event.project_id, event.name
    from ${batchRows(sql, batch)} join events as event using (project_id, id))`

const judgedRows = (sql: SqlClient.SqlClient, judged: ReadonlyArray<JudgedEvent>) => sql`
  jsonb_to_recordset(${JSON.stringify(judged)}::text::jsonb)
    as judged(event uuid, workflow uuid, passes boolean, "isKeyed" boolean, "entryKey" text)`

/** With `only`, other workflows are ignored. Events that were not judged start what they name. */
export const startByEvents = (
  sql: SqlClient.SqlClient,
  batch: EventBatch,
  now: Date,
  { only, judged = [] }: { readonly only?: WorkflowId; readonly judged?: ReadonlyArray<JudgedEvent> } = {}
): Statement.Statement<unknown> => sql`
  with triggered as materialized (
    select workflows.project_id, workflows.id, allow_reentry, reentry_after_hours, event_name
    from workflows
    where ${isStartedBy(sql, batch)} and ${only === undefined ? sql`true` : sql`id = ${only}`}
    order by workflows.project_id, workflows.id
    for share
  ),
  asked as materialized (
    select event.project_id, triggered.id as workflow_id, triggered.allow_reentry, triggered.reentry_after_hours,
           event.contact_id, event.occurred_at as entered_at, event.id as event_id,
           ${
             judged.length === 0
               ? sql`true as passes, false as is_keyed, '' as entry_key,`
               : sql`coalesce(passes, true) as passes, coalesce("isKeyed", false) as is_keyed,
                     coalesce("entryKey", '') as entry_key,`
           } position, event.source, origin.workflow_id as caused_by,
           coalesce(origin.chain, 0) + 1 as chain,
           case when is_context then event.data else '{}' end as context,
           not is_context and event.data is not null as context_dropped
    from ${batchRows(sql, batch)}
    join events as event using (project_id, id)
    join triggered on triggered.project_id = event.project_id and triggered.event_name = event.name
    ${
      judged.length === 0
        ? sql``
        : sql`left join ${judgedRows(sql, judged)} on judged.event = event.id and judged.workflow = triggered.id`
    }
    ${origin(sql)}
    cross join lateral (
      select coalesce(jsonb_typeof(event.data) = 'object'
        and (event.source = 'tracked' or octet_length(event.data::text) <= ${maxContextBytes}), false) as is_context
    ) as form
    where event.contact_id is not null and ${isNotFeigned(sql, "event")} and not exists (
      select from workflow_decisions as decision
      where decision.project_id = event.project_id and decision.event_id = event.id
        and decision.workflow_id = triggered.id)
  ),
  candidates as materialized (
    select ${sql.literal(candidateColumns)} from asked
    where passes and caused_by is distinct from workflow_id and chain <= ${maxChain}
      and not exists (
        select from workflow_step_executions as visit
        where visit.project_id = asked.project_id and visit.resumed_by = asked.event_id
          and visit.workflow_id = asked.workflow_id)
      and (source = 'tracked' or ${maxHourly} > (
        select count(*) from workflow_executions as recent
        where recent.project_id = asked.project_id and recent.contact_id = asked.contact_id
          and recent.created_at > ${now}::timestamptz - interval '1 hour'))
  ),
  ${startParts(sql, "EVENT", now)},
  decided as (
    insert into workflow_decisions (project_id, event_id, workflow_id)
    select project_id, event_id, workflow_id from asked
    on conflict do nothing
  )
  select id from started`

/** Makes executions due that wait for such events. The worker decides which events end the wait. */
export const wakeByEvents = (
  sql: SqlClient.SqlClient,
  batch: EventBatch,
  now: Date
): Statement.Statement<unknown> => sql`
  update workflow_executions as execution set due_at = ${now}::timestamptz
  from ${batchRows(sql, batch)} join events as event using (project_id, id)
  where execution.project_id = event.project_id and execution.wait_event = event.name
    and execution.contact_id = event.contact_id and event.created_at >= execution.current_since
    and event.id is distinct from execution.trigger_event_id
    and (execution.due_at is null or execution.due_at > ${now}::timestamptz)
  returning execution.id`
