/** Maintenance of the tables of the runner, in batches: executions of held projects, and old decisions. */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { isWaiting } from "../../../events/EventOutbox.ts"
import { isHeld, named } from "./DueSql.ts"
import type { ExecutionKey } from "./RunStore.ts"

/** Executions that one statement thaws. */
const thawBatch = 5_000
const deleteBatch = 5_000

/** Excludes executions from the index of due ones. */
export const freeze = (sql: SqlClient.SqlClient, frozen: ReadonlyArray<ExecutionKey>) =>
  frozen.length === 0
    ? Effect.void
    : sql`
        update workflow_executions as execution set frozen = true
        from ${named(sql, frozen)} where execution.project_id = named.project_id and execution.id = named.id`

/** Thaws executions whose project is no longer held. Returns their number. */
export const thaw = (sql: SqlClient.SqlClient): Effect.Effect<number> =>
  Effect.gen(function* () {
    const thawed = yield* sql`
      with recursive holding (project_id) as (
        (select project_id from workflow_executions where frozen order by project_id limit 1)
        union all
        select next.project_id from holding cross join lateral (
          select project_id from workflow_executions
          where frozen and project_id > holding.project_id order by project_id limit 1
        ) as next
      ),
      thawing as materialized (
        select execution.project_id, execution.id
        from holding cross join lateral (
          select project_id, id from workflow_executions
          where frozen and workflow_executions.project_id = holding.project_id
            and not ${isHeld(sql, sql`holding.project_id`)}
          limit ${thawBatch} for update skip locked
        ) as execution
        limit ${thawBatch}
      )
      update workflow_executions as execution set frozen = false
      from thawing where execution.project_id = thawing.project_id and execution.id = thawing.id
      returning execution.id`
    return thawed.length
  }).pipe(Effect.orDie, Effect.withSpan("RunStore.thaw"))

export const deleteDecisions = (sql: SqlClient.SqlClient): Effect.Effect<void> =>
  Effect.gen(function* () {
    for (const table of ["workflow_decisions", "workflow_event_origins"]) {
      let deleted: ReadonlyArray<unknown>
      do {
        deleted = yield* sql`
          delete from ${sql(table)} where ctid = any(array(
            select settled.ctid from ${sql(table)} as settled
            where not ${isWaiting(sql, sql`settled.project_id`, sql`settled.event_id`)}
              and not exists (
                select from event_dispatch_failures as failure
                where failure.project_id = settled.project_id and failure.event_id = settled.event_id)
            limit ${deleteBatch} for update of settled skip locked))
          returning event_id`
      } while (deleted.length === deleteBatch)
    }
  }).pipe(Effect.orDie, Effect.withSpan("RunStore.deleteDecisions"))
