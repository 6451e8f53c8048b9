/**
 * Starts executions: every start of a workflow uses these parts of a statement, for any number of contacts.
 *
 * The last execution of a contact decides whether it may enter. Simultaneous statements do not see each other's rows,
 * so a unique key decides between them: `nth` numbers the executions of a contact in a workflow with the same entry key,
 * and of two starts with the same number only one is inserted. The lookup of the last execution orders by the columns of an index, so that the
 * planner uses it even without statistics. The statement that selects the candidates locks the workflows (`for share`),
 * so nothing starts after a workflow was disabled or deleted. The version and the entry are read in one snapshot.
 */

import type { WorkflowId } from "@posthorn/contract/automation/workflows/WorkflowId"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import type { SqlClient, Statement } from "effect/sql"
import { appendStarts } from "../report/StepMoves.ts"

/** The columns that `candidates` must have. */
export const candidateColumns =
  "project_id, workflow_id, allow_reentry, reentry_after_hours, contact_id, is_keyed, entry_key, entered_at, event_id, context, context_dropped, chain, position"

/** Live executions of a contact in a workflow that tells them apart. */
const maxLive = 20

/** A contact in a workflow. */
export interface EntryRow {
  readonly workflow: WorkflowId
  readonly contact: string
}

/** Locks these contacts in these workflows: a transaction must see all live executions to count them. */
export const lockEntries = (
  sql: SqlClient.SqlClient,
  entries: ReadonlyArray<EntryRow>
): Statement.Statement<unknown> => {
  const names = [...new Set(entries.map(({ workflow, contact }) => `posthorn:entries:${workflow}:${contact}`))]
  return sql`
    select pg_advisory_xact_lock(key)
    from (select distinct hashtextextended(name, 0) as key from unnest(${names}::text[]) as name order by 1) as keys`
}

/** One enabled workflow, locked until the transaction ends. */
export const heldWorkflow = (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  workflow: WorkflowId
): Statement.Fragment => sql`
  held as materialized (
    select project_id, id as workflow_id, allow_reentry, reentry_after_hours, trigger_config ? 'entryKey' as has_key
    from workflows
    where project_id = ${project} and id = ${workflow} and enabled
    for share
  )`

/**
 * Parts of a `with` after one called `candidates`: `starting` has the candidates that may enter, `started` their new
 * executions.
 */
export const startParts = (
  sql: SqlClient.SqlClient,
  source: "EVENT" | "MANUAL" | "SCHEDULE",
  now: Date
): Statement.Fragment => sql`
  starting as materialized (
    select entering.*, row_number() over (order by position) as n
    from (
      select first.*, row_number() over (partition by project_id, workflow_id, contact_id order by position) as more
      from (
        select candidates.*, coalesce(last.nth, 0) + 1 as nth,
               row_number() over (partition by project_id, workflow_id, contact_id, entry_key order by position) as place
        from candidates
        left join lateral (
          select nth, status, started_at from workflow_executions as earlier
          where earlier.project_id = candidates.project_id and earlier.contact_id = candidates.contact_id
            and earlier.workflow_id = candidates.workflow_id and earlier.entry_key = candidates.entry_key
          order by nth desc limit 1
        ) as last on true
        where last.nth is null or (candidates.allow_reentry and last.status not in ('RUNNING', 'WAITING')
          and coalesce(last.started_at <= ${now}::timestamptz - candidates.reentry_after_hours * interval '1 hour', true))
      ) as first
      where place = 1
    ) as entering
    where not is_keyed or more <= ${maxLive} - (
      select count(*) from workflow_executions as live
      where live.project_id = entering.project_id and live.workflow_id = entering.workflow_id
        and live.contact_id = entering.contact_id and live.status in ('RUNNING', 'WAITING'))
  ),
  versioned as materialized (
    select id as workflow_id, version, versioning = 'PUBLISHED' as pinned from workflows
    where (project_id, id) in (select project_id, workflow_id from starting)
  ),
  started as (
    insert into workflow_executions (project_id, id, workflow_id, version, pinned, contact_id, entry_key, entered_at, nth, status, source, trigger_event_id,
      chain, context, current_step_id, step_execution_id, current_since, due_at, started_at, created_at, updated_at)
    select project_id, ${idAt(sql, now)}, workflow_id, version, pinned, contact_id, entry_key, entered_at, nth, 'RUNNING', ${source}::text, event_id, chain,
           context, ${entry(sql)}, ${idAt(sql, now)}, ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz,
           ${now}::timestamptz, ${now}::timestamptz
    from starting join versioned using (workflow_id)
    order by n
    on conflict do nothing
    returning project_id, id, workflow_id, contact_id, entry_key, current_step_id, version
  ),
  entered as (${appendStarts(sql, now)}),
  dropping as materialized (select * from starting where context_dropped),
  passed as (
    insert into workflow_step_executions (project_id, id, execution_id, workflow_id, step_id, step_name, step_type,
      iteration, ordinal, status, attempts, config, output, started_at, completed_at, created_at, updated_at)
    select started.project_id, ${idAt(sql, now)}, started.id, started.workflow_id, step.id, step.name, step.type, 1, 0,
           'COMPLETED', 1, step.config, '{"contextDropped": true}', ${now}::timestamptz, ${now}::timestamptz,
           ${now}::timestamptz, ${now}::timestamptz
    from started
    join dropping using (project_id, workflow_id, contact_id, entry_key)
    join workflow_steps as step
      on step.project_id = started.project_id and step.workflow_id = started.workflow_id and step.type = 'TRIGGER'
  )`

/** A UUID of version 7 in the order of the rows, built as in `campaigns/ExpandSql.ts`. */
const idAt = (sql: SqlClient.SqlClient, now: Date) => sql`
  (lpad(to_hex(${now.getTime()}::bigint), 12, '0') || '7' || lpad(to_hex(n & 4095), 3, '0')
   || substr(replace(gen_random_uuid()::text, '-', ''), 17))::uuid`

const entry = (sql: SqlClient.SqlClient) => sql`
  (select transition.to_step_id
   from workflow_steps as step
   join workflow_transitions as transition
     on transition.project_id = step.project_id and transition.from_step_id = step.id
   where step.project_id = starting.project_id and step.workflow_id = starting.workflow_id and step.type = 'TRIGGER')`
