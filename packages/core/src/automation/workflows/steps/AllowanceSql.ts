/**
 * The stored allowances of RATE_LIMIT steps. `lock` creates and locks the row of each step until the transaction ends, in
 * the order of their keys, so the limit holds for all workers.
 */
import { StepId } from "@posthorn/contract/automation/workflows/Step"
import { WorkflowId } from "@posthorn/contract/automation/workflows/WorkflowId"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { Allowance } from "./Allowance.ts"

export interface LimitedStep {
  readonly projectId: ProjectId
  readonly workflowId: WorkflowId
  readonly stepId: StepId
}

const millis = Schema.NullOr(Schema.Finite)

const rows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      projectId: ProjectId,
      workflowId: WorkflowId,
      stepId: StepId,
      nextAt: millis,
      windowAt: millis,
      used: Schema.Int
    })
  )
)

/** A service, because a test run replaces it by allowances of its own. */
export class Allowances extends Context.Service<
  Allowances,
  {
    readonly lock: (given: ReadonlyArray<LimitedStep>) => Effect.Effect<ReadonlyArray<LimitedStep & Allowance>>
    readonly store: (given: ReadonlyArray<LimitedStep & Allowance>) => Effect.Effect<void>
  }
>()("@posthorn/core/automation/workflows/steps/AllowanceSql/Allowances") {}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const steps = (given: ReadonlyArray<LimitedStep>) => sql`
    jsonb_to_recordset(${JSON.stringify(given)}::text::jsonb) as step("projectId" uuid, "workflowId" uuid, "stepId" uuid,
      "nextAt" double precision, "windowAt" double precision, used integer)`
  return Allowances.of({
    lock: Effect.fn("AllowanceSql.lock")(function* (given) {
      return yield* rows(
        yield* sql`
          insert into workflow_rate_limits as stored (project_id, workflow_id, step_id)
          select "projectId", "workflowId", "stepId" from ${steps(given)} order by 1, 2, 3
          on conflict (project_id, workflow_id, step_id) do update set used = stored.used
          returning project_id as "projectId", workflow_id as "workflowId", step_id as "stepId",
                    (extract(epoch from next_at) * 1000)::float8 as "nextAt",
                    (extract(epoch from window_at) * 1000)::float8 as "windowAt", used`
      )
    }, Effect.orDie),
    store: Effect.fn("AllowanceSql.store")(function* (given) {
      yield* sql`
        update workflow_rate_limits as stored
        set next_at = to_timestamp("nextAt" / 1000), window_at = to_timestamp("windowAt" / 1000), used = step.used
        from ${steps(given)}
        where stored.project_id = "projectId" and stored.workflow_id = "workflowId" and stored.step_id = "stepId"`
    }, Effect.orDie)
  })
})

export const layer: Layer.Layer<Allowances, never, SqlClient.SqlClient> = Layer.effect(Allowances, make)
