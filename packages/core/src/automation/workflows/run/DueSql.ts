/**
 * Locks due executions, oldest first, and skips those locked by others. It reads one range of a partial index on
 * (due_at, id), so executions that are not due cost nothing. Outbound requests have their own index, so that a slow
 * peer does not delay other executions.
 *
 * Frequent statements of the runner are not prepared: a cached plan from small tables would stay in use after a burst
 * of events has filled them, until the next ANALYZE.
 */
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { type NextDue, nextDue } from "../../../platform/jobs/Agenda.ts"
import type { ExecutionKey } from "./RunStore.ts"

/** Whether the project is disabled or being reset. Its executions do not run then. */
export const isHeld = (sql: SqlClient.SqlClient, project: Statement.Fragment): Statement.Fragment => sql`
  exists (
    select from projects
    where projects.id = ${project} and (disabled_reason is not null or resetting_since is not null))`

/** Keys of executions, and whether their project is held. */
const lock = (sql: SqlClient.SqlClient, which: Statement.Fragment) => sql`
  select project_id as "projectId", id, ${isHeld(sql, sql`project_id`)} as held
  from workflow_executions where ${which}`

export const dueStatement = (
  sql: SqlClient.SqlClient,
  now: DateTime.Utc,
  limit: number,
  outside: { readonly not: ReadonlyArray<ProjectId> } | null
): Statement.Statement<unknown> =>
  lock(
    sql,
    sql`
      due_at is not null and due_at <= ${DateTime.toDate(now)}::timestamptz and not frozen
        and ${outside === null ? sql`not outside` : sql`outside and project_id <> all(${outside.not}::uuid[])`}
        and (lease_until is null or lease_until < clock_timestamp())
      order by due_at, id limit ${limit} for update skip locked`
  )

export const nextOf = (sql: SqlClient.SqlClient, which: "outside" | "not outside"): NextDue =>
  nextDue(sql`
    select min(due_at) from workflow_executions where due_at is not null and not frozen and ${sql.literal(which)}`)

/** The execution, if its lease still has this generation. */
export const leasedStatement = (
  sql: SqlClient.SqlClient,
  { projectId, id }: ExecutionKey,
  generation: number
): Statement.Statement<unknown> =>
  lock(
    sql,
    sql`
      project_id = ${projectId} and id = ${id} and generation = ${generation} and outside and due_at is not null
      for update`
  )

/** The keys as a table `named (project_id, id, position)`. */
export const named = (sql: SqlClient.SqlClient, keys: ReadonlyArray<ExecutionKey>): Statement.Fragment => sql`
  unnest(${keys.map(({ projectId }) => projectId)}::uuid[], ${keys.map(({ id }) => id)}::uuid[])
    with ordinality as named (project_id, id, position)`
