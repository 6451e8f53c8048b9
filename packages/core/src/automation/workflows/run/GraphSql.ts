/** Reads the graphs of workflows and of versions, each in one row with its steps and transitions. */

import { ExitRule, WorkflowGoal } from "@posthorn/contract/automation/workflows/Journey"
import { StepId } from "@posthorn/contract/automation/workflows/Step"
import { StepType } from "@posthorn/contract/automation/workflows/StepType"
import { WorkflowId } from "@posthorn/contract/automation/workflows/WorkflowId"
import { Effect, Schema } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { graphKey, type LockedExecution, type RunnableGraph } from "./RunStore.ts"

const graphRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      id: WorkflowId,
      version: Schema.NullOr(Schema.Int),
      name: Schema.String,
      goal: Schema.NullOr(WorkflowGoal),
      exitRules: Schema.Array(ExitRule),
      steps: Schema.Array(
        Schema.Struct({
          id: StepId,
          type: StepType,
          name: Schema.String,
          config: Schema.JsonObject,
          templateId: Schema.NullOr(Schema.String)
        })
      ),
      transitions: Schema.Array(Schema.Struct({ from: StepId, to: StepId, branch: Schema.NullOr(Schema.String) }))
    })
  )
)

type GraphRow = Effect.Success<ReturnType<typeof graphRows>>[number]

const named = (executions: ReadonlyArray<Pick<LockedExecution, "projectId" | "workflowId" | "version">>) =>
  executions.map(({ projectId, workflowId, version }) => ({ project_id: projectId, id: workflowId, version }))

export const graphStatement = (
  sql: SqlClient.SqlClient,
  executions: ReadonlyArray<Pick<LockedExecution, "projectId" | "workflowId" | "version">>
): Statement.Statement<unknown> => sql`
  select workflows.id, named.version, workflows.name,
    case when named.version is null then workflows.goal else kept.goal end as goal,
    case when named.version is null then workflows.exit_rules else kept.exit_rules end as "exitRules",
    case when named.version is null then
      (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'type', type, 'name', name, 'config', config,
                                                    'templateId', template_id)), '[]')
       from workflow_steps as step
       where step.project_id = workflows.project_id and step.workflow_id = workflows.id)
    else
      (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'type', type, 'name', name, 'config', config,
                                                    'templateId', template_id)), '[]')
       from jsonb_each(kept.steps) as each(key, value)
       cross join lateral jsonb_populate_record(null::workflow_steps, each.value) as step)
    end as steps,
    case when named.version is null then
      (select coalesce(jsonb_agg(jsonb_build_object('from', from_step_id, 'to', to_step_id, 'branch', branch)), '[]')
       from workflow_transitions as transition
       where transition.project_id = workflows.project_id and transition.workflow_id = workflows.id)
    else
      (select coalesce(jsonb_agg(jsonb_build_object('from', from_step_id, 'to', to_step_id, 'branch', branch)), '[]')
       from jsonb_populate_recordset(null::workflow_transitions, kept.transitions) as transition)
    end as transitions
  from (
    select distinct project_id, id, version
    from jsonb_to_recordset(${JSON.stringify(named(executions))}::text::jsonb)
      as named (project_id uuid, id uuid, version int)
  ) as named
  join workflows using (project_id, id)
  left join workflow_versions as kept
    on kept.project_id = named.project_id and kept.workflow_id = named.id and kept.version = named.version
  where named.version is null or kept.version is not null`

const graph = ({ id, version, steps, transitions, ...named }: GraphRow): readonly [string, RunnableGraph] => {
  const routes = new Map<StepId, Map<string, StepId>>()
  for (const { from, to, branch } of transitions) {
    const own = routes.get(from) ?? new Map()
    routes.set(from, own.set(branch ?? "", to))
  }
  return [graphKey(id, version), { ...named, steps: new Map(steps.map((step) => [step.id, step])), routes }]
}

export const readGraphs = (
  found: ReadonlyArray<unknown>
): Effect.Effect<ReadonlyMap<string, RunnableGraph>, Schema.SchemaError> =>
  Effect.map(graphRows(found), (decoded) => new Map(decoded.map(graph)))
