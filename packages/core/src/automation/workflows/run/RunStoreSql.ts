/** Executions for the runner, in PostgreSQL or PGlite. */

import { ExecutionId } from "@posthorn/contract/automation/workflows/Execution"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Duration, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { anyOf, nextDue } from "../../../platform/jobs/Agenda.ts"
import { appendLateEnd } from "../report/StepMoves.ts"
import { advanceStatement, visitStatement } from "./AdvanceSql.ts"
import { dueStatement, leasedStatement, nextOf } from "./DueSql.ts"
import { graphStatement, readGraphs } from "./GraphSql.ts"
import { lockedStatement, readLocked } from "./LockedSql.ts"
import * as RunCleanup from "./RunCleanupSql.ts"
import { type ExecutionKey, RunStore } from "./RunStore.ts"
import { readWaited, waitStatement } from "./WaitSql.ts"

const keys = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ projectId: ProjectId, id: ExecutionId, held: Schema.Boolean }))
)

export const layer: Layer.Layer<RunStore, never, SqlClient.SqlClient> = Layer.effect(
  RunStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const read = Effect.fnUntraced(function* (keys: ReadonlyArray<ExecutionKey>) {
      if (keys.length === 0) return []
      return yield* readLocked(yield* lockedStatement(sql, keys).unprepared)
    })

    return RunStore.of({
      lockDue: Effect.fn("RunStore.lockDue")(function* (now, limit, outside) {
        const locked = yield* keys(yield* dueStatement(sql, now, limit, outside).unprepared)
        yield* RunCleanup.freeze(
          sql,
          locked.filter(({ held }) => held)
        )
        return yield* read(locked.filter(({ held }) => !held))
      }, Effect.orDie),
      lockLeased: Effect.fn("RunStore.lockLeased")(function* (key, generation) {
        const [found] = yield* read(yield* keys(yield* leasedStatement(sql, key, generation)))
        return found
      }, Effect.orDie),
      graphs: Effect.fn("RunStore.graphs")(function* (executions) {
        return yield* readGraphs(yield* graphStatement(sql, executions))
      }, Effect.orDie),
      advance: Effect.fn("RunStore.advance")(function* (advances, now) {
        if (advances.length === 0) return
        const written = yield* advanceStatement(sql, advances, now).unprepared
        if (written.length !== advances.length)
          return yield* Effect.die(new Error("Another process changed an execution"))
      }, Effect.orDie),
      begin: Effect.fn("RunStore.begin")(function* (begun, lease, now) {
        if (begun.length === 0) return
        yield* sql`
          with visited as (${visitStatement(
            sql,
            begun.map(({ visit, ...of }) => ({ of, visit })),
            DateTime.toDate(now)
          )} returning project_id, execution_id, ordinal)
          update workflow_executions as execution
          set status = 'RUNNING', resume_at = null, generation = generation + 1,
              updated_at = greatest(execution.updated_at, ${DateTime.toDate(now)}),
              steps_taken = greatest(steps_taken, visited.ordinal),
              lease_until = clock_timestamp() + ${Duration.toMillis(lease)}::double precision * interval '1 millisecond'
          from visited where execution.project_id = visited.project_id and execution.id = visited.execution_id`
          .unprepared
      }, Effect.orDie),
      close: Effect.fn("RunStore.close")(function* (of, visit, now) {
        yield* sql`
          with visited as (${visitStatement(sql, [{ of, visit }], DateTime.toDate(now))}),
          moved as (${appendLateEnd(sql, of, visit, DateTime.toDate(now))})
          update workflow_executions set due_at = null, lease_until = null
          where project_id = ${of.projectId} and id = ${of.id}`
      }, Effect.orDie),
      eventsFor: Effect.fn("RunStore.eventsFor")(function* (waits, now) {
        if (waits.length === 0) return new Map()
        return yield* readWaited(yield* waitStatement(sql, waits, now).unprepared)
      }, Effect.orDie),
      noteOrigins: Effect.fn("RunStore.noteOrigins")(function* ({ projectId, workflowId, chain }, events) {
        if (events.length === 0) return
        yield* sql`
          insert into workflow_event_origins (project_id, event_id, workflow_id, chain)
          select ${projectId}::uuid, id, ${workflowId}::uuid, ${chain}::int from unnest(${events}::uuid[]) as event(id)`
      }, Effect.orDie),
      postpone: Effect.fn("RunStore.postpone")(function* ({ projectId, id }, dueAt) {
        yield* sql`
          update workflow_executions set due_at = ${DateTime.toDate(dueAt)}, failures = failures + 1
          where project_id = ${projectId} and id = ${id} and due_at is not null`
      }, Effect.orDie),
      nextDue: {
        inside: nextOf(sql, "not outside"),
        outside: nextOf(sql, "outside"),
        frozen: nextDue(anyOf(sql, sql`workflow_executions where frozen order by project_id`))
      },
      thaw: RunCleanup.thaw(sql),
      deleteDecisions: RunCleanup.deleteDecisions(sql)
    })
  })
)
