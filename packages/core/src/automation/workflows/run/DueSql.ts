/**
 * The claim of the runner: due executions, oldest first, past those that somebody else has. It reads one range of a
 * partial index over (due_at, id), however many sleep behind it. Requests to servers outside have an index of their own,
 * so that a peer that hangs holds nobody back.
 *
 * Planned each time, as are all hot statements of the runner: a plan made while the tables were small would be kept when
 * a storm of events has filled them, until statistics are made.
 */
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import type { ExecutionKey } from "./RunStore.ts"

/** Whether nothing of a project may go on: it is disabled, or its data is being wiped. */
export const isHeld = (sql: SqlClient.SqlClient, project: Statement.Fragment): Statement.Fragment => sql`
  exists (
    select from projects
    where projects.id = ${project} and (disabled_reason is not null or resetting_since is not null))`

/** Keys, and whether their project is held. */
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

/** The one whose lease is still of that generation. */
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

/** Keys as a table `named (project_id, id, position)`. */
export const named = (sql: SqlClient.SqlClient, keys: ReadonlyArray<ExecutionKey>): Statement.Fragment => sql`
  unnest(${keys.map(({ projectId }) => projectId)}::uuid[], ${keys.map(({ id }) => id)}::uuid[])
    with ordinality as named (project_id, id, position)`
