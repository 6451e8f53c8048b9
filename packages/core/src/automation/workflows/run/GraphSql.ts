/** Reads the current graphs of workflows, each in one row with its steps and transitions. */

import { ExitRule, WorkflowGoal } from "@posthorn/contract/automation/workflows/Journey"
import { StepId } from "@posthorn/contract/automation/workflows/Step"
import { StepType } from "@posthorn/contract/automation/workflows/StepType"
import { WorkflowId } from "@posthorn/contract/automation/workflows/WorkflowId"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Effect, Schema } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import type { RunnableGraph } from "./RunStore.ts"

const graphRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      id: WorkflowId,
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

export const graphStatement = (
  sql: SqlClient.SqlClient,
  executions: ReadonlyArray<{ readonly projectId: ProjectId; readonly workflowId: WorkflowId }>
): Statement.Statement<unknown> => sql`
  select workflows.id, workflows.name, goal, exit_rules as "exitRules",
    (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'type', type, 'name', name, 'config', config,
                                                  'templateId', template_id)), '[]')
     from workflow_steps as step
     where step.project_id = workflows.project_id and step.workflow_id = workflows.id) as steps,
    (select coalesce(jsonb_agg(jsonb_build_object('from', from_step_id, 'to', to_step_id, 'branch', branch)), '[]')
     from workflow_transitions as transition
     where transition.project_id = workflows.project_id and transition.workflow_id = workflows.id) as transitions
  from (
    select distinct project_id, id
    from unnest(${executions.map(({ projectId }) => projectId)}::uuid[],
                ${executions.map(({ workflowId }) => workflowId)}::uuid[]) as named (project_id, id)
  ) as named
  join workflows using (project_id, id)`

const graph = ({ id, steps, transitions, ...named }: GraphRow): readonly [WorkflowId, RunnableGraph] => {
  const routes = new Map<StepId, Map<string, StepId>>()
  for (const { from, to, branch } of transitions) {
    const own = routes.get(from) ?? new Map()
    routes.set(from, own.set(branch ?? "", to))
  }
  return [id, { ...named, steps: new Map(steps.map((step) => [step.id, step])), routes }]
}

export const readGraphs = (
  found: ReadonlyArray<unknown>
): Effect.Effect<ReadonlyMap<WorkflowId, RunnableGraph>, Schema.SchemaError> =>
  Effect.map(graphRows(found), (decoded) => new Map(decoded.map(graph)))
