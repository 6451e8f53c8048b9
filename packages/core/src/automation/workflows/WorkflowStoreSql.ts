/** Workflows and their graphs in PostgreSQL or PGlite. */

import { StepId } from "@posthorn/contract/automation/workflows/Step"
import { StepType } from "@posthorn/contract/automation/workflows/StepType"
import { TransitionId } from "@posthorn/contract/automation/workflows/Transition"
import { Firing, ListedWorkflow, WorkflowRecord } from "@posthorn/contract/automation/workflows/Workflow"
import { WorkflowId } from "@posthorn/contract/automation/workflows/WorkflowId"
import { TemplateId } from "@posthorn/contract/content/templates/Template"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Array, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { dropTotals } from "../../content/links/DropTotals.ts"
import { changedAt, contains, countOf, isUnchanged } from "../../platform/Queries.ts"
import { rowCounts } from "../../platform/RowCounts.ts"
import * as Listeners from "./goals/Listeners.ts"
import { type GraphChange, type GraphStep, type GraphTransition, noChange } from "./graph/Graph.ts"
import { eventOf, segmentOf } from "./graph/TriggerContents.ts"
import { usesOf } from "./steps/Steps.ts"
import { type WorkflowContent, type WorkflowFilter, type WorkflowOrder, WorkflowStore } from "./WorkflowStore.ts"

const at = Schema.DateTimeUtcFromDate
const dates = { createdAt: at, updatedAt: at }
const ids = { id: WorkflowId, projectId: ProjectId }

const Row = Schema.Struct({ ...WorkflowRecord.fields, ...ids, nextRunAt: Schema.NullOr(at), ...dates })
const rows = Schema.decodeUnknownEffect(Schema.Array(Row))
const listedRows = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ ...ListedWorkflow.fields, ...ids, nextRunAt: Schema.NullOr(at), ...dates }))
)
const stepRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      id: StepId,
      ordinal: Schema.Int,
      type: StepType,
      name: Schema.String,
      position: Schema.Struct({ x: Schema.Finite, y: Schema.Finite }),
      config: Schema.JsonObject,
      templateId: Schema.NullOr(TemplateId),
      ...dates
    })
  )
)
const transitionRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      id: TransitionId,
      fromStepId: Schema.String,
      toStepId: Schema.String,
      branch: Schema.NullOr(Schema.String),
      auto: Schema.Boolean,
      ...dates
    })
  )
)
const formerRows = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ id: StepId, type: StepType, ordinal: Schema.Int, createdAt: at }))
)
const activeRows = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ stepId: StepId, activeExecutions: Schema.Int }))
)
const templateRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: TemplateId, name: Schema.String })))
const firingRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ ...Firing.fields, scheduledFor: at })))

const workflowColumns = `id, project_id as "projectId", name, description, trigger_type as "triggerType",
  trigger_config as "triggerConfig", enabled, allow_reentry as "allowReentry",
  reentry_after_hours as "reentryAfterHours", goal, exit_rules as "exitRules", next_run_at as "nextRunAt",
  created_at as "createdAt", updated_at as "updatedAt"`

const live = `status in ('RUNNING', 'WAITING')`

const countedSteps = `(select count(*) from workflow_steps as step
           where step.project_id = workflows.project_id and step.workflow_id = workflows.id)`

/** The number of executions comes from stored totals, because counting the rows could take long. */
const counted = (sql: SqlClient.SqlClient) => {
  const executions = (keys: string) => sql`
    (select coalesce(sum(count), 0)
     from ${rowCounts(sql, sql`workflows.project_id`, "workflow_executions", sql.literal(keys))} as kept)`
  return sql`
    jsonb_build_object(
      'steps', ${sql.literal(countedSteps)},
      'executions', ${executions("key > array[workflows.id::text] and key <= array[workflows.id::text, 'over']")},
      'activeExecutions', ${executions("key = array[workflows.id::text, 'live']")}) as "_count"`
}

const sortColumns = {
  name: "name",
  createdAt: "created_at",
  updatedAt: "updated_at",
  steps: countedSteps
}

const record = (content: WorkflowContent) => {
  const { name, description, triggerType, triggerConfig, enabled, allowReentry, nextRunAt } = content
  const { reentryAfterHours, goal, exitRules } = content
  const segment = segmentOf(content)
  return JSON.stringify({
    name,
    description,
    trigger_type: triggerType,
    trigger_config: triggerConfig,
    event_name: eventOf(content),
    refers_to: [...(segment === null ? [] : [segment]), ...exitRules.flatMap(({ segmentId }) => segmentId ?? [])],
    enabled,
    allow_reentry: allowReentry,
    reentry_after_hours: reentryAfterHours,
    goal,
    exit_rules: exitRules,
    next_run_at: nextRunAt === null ? null : DateTime.formatIso(nextRunAt)
  })
}

const stepRecord = (step: GraphStep) => {
  const { segments, names } = usesOf(step.type, step.config)
  return {
    id: step.id,
    ordinal: step.ordinal,
    type: step.type,
    name: step.name,
    position: step.position,
    config: step.config,
    template_id: step.templateId,
    refers_to: segments,
    looks_at: names,
    created_at: DateTime.formatIso(step.createdAt),
    updated_at: DateTime.formatIso(step.updatedAt)
  }
}

const transitionRecord = ({ id, fromStepId, toStepId, branch, auto, createdAt, updatedAt }: GraphTransition) => ({
  id,
  from_step_id: fromStepId,
  to_step_id: toStepId,
  branch,
  auto,
  created_at: DateTime.formatIso(createdAt),
  updated_at: DateTime.formatIso(updatedAt)
})

export const layer: Layer.Layer<WorkflowStore, never, SqlClient.SqlClient> = Layer.effect(
  WorkflowStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(workflowColumns)
    const withCounts = sql`${columns}, ${counted(sql)}`

    const byId = (project: ProjectId, id: WorkflowId) => sql`project_id = ${project} and id = ${id}`
    const ofWorkflow = (project: ProjectId, id: WorkflowId) => sql`project_id = ${project} and workflow_id = ${id}`

    const matching = (project: ProjectId, { search, status, triggerType }: WorkflowFilter) =>
      sql.and([
        sql`project_id = ${project}`,
        ...(status === undefined ? [] : [sql`enabled = ${status === "active"}`]),
        ...(triggerType === undefined ? [] : [sql`trigger_type = ${triggerType}`]),
        ...(search ? [sql.or(["name", "description"].map((column) => contains(sql, column, search)))] : [])
      ])

    const ordered = ({ sort, dir }: WorkflowOrder) => sql.literal(`${sortColumns[sort]} ${dir}, id ${dir}`)

    const count = (project: ProjectId, filter: WorkflowFilter) =>
      countOf(sql`select count(*)::int as count from workflows where ${matching(project, filter)}`)

    const writeGraph = Effect.fnUntraced(function* (
      project: ProjectId,
      id: WorkflowId,
      { putSteps, dropSteps, putTransitions, dropTransitions }: GraphChange
    ) {
      if (dropTransitions.length > 0) {
        yield* sql`
          delete from workflow_transitions where ${ofWorkflow(project, id)} and id = any(${dropTransitions}::uuid[])`
      }
      if (dropSteps.length > 0) {
        yield* sql`
          with gone as (
            delete from workflow_steps where ${ofWorkflow(project, id)} and id = any(${dropSteps}::uuid[])
            returning project_id, workflow_id, id, type, ordinal, created_at
          )
          insert into workflow_former_steps (project_id, workflow_id, id, type, ordinal, created_at)
          select * from gone on conflict do nothing`
      }
      if (putSteps.length > 0) {
        yield* sql`
          insert into workflow_steps (id, project_id, workflow_id, ordinal, type, name, position, config, template_id,
            refers_to, looks_at, created_at, updated_at)
          select id, ${project}::uuid, ${id}::uuid, ordinal, type, name, position, config, template_id, refers_to,
                 looks_at, created_at, updated_at
          from jsonb_populate_recordset(null::workflow_steps, ${JSON.stringify(putSteps.map(stepRecord))}::text::jsonb)
          on conflict (project_id, id) do update set
            name = excluded.name, position = excluded.position, config = excluded.config,
            template_id = excluded.template_id, refers_to = excluded.refers_to, looks_at = excluded.looks_at,
            updated_at = excluded.updated_at`
      }
      if (putTransitions.length > 0) {
        yield* sql`
          insert into workflow_transitions (id, project_id, workflow_id, from_step_id, to_step_id, branch, auto,
            created_at, updated_at)
          select id, ${project}::uuid, ${id}::uuid, from_step_id, to_step_id, branch, auto, created_at, updated_at
          from jsonb_populate_recordset(null::workflow_transitions,
            ${JSON.stringify(putTransitions.map(transitionRecord))}::text::jsonb)
          on conflict (project_id, id) do update set
            to_step_id = excluded.to_step_id, auto = excluded.auto, updated_at = excluded.updated_at`
      }
    })

    const remove = Effect.fn("WorkflowStore.delete")(function* (project: ProjectId, id: WorkflowId) {
      yield* sql`
        with ${dropTotals(
          sql,
          project,
          sql`select id from workflow_steps where ${ofWorkflow(project, id)}
              union all select id from workflow_former_steps where ${ofWorkflow(project, id)}`
        )} select 1`
      yield* Listeners.remove(sql, project, id)
      for (const table of ["conversions", "conversion_totals"]) {
        yield* sql`
          delete from ${sql(table)} where project_id = ${project} and owner = 'WORKFLOW' and owner_id = ${id}`
      }
      for (const table of [
        "workflow_executions",
        "workflow_firings",
        "workflow_rate_limits",
        "workflow_experiments",
        "workflow_step_totals",
        "workflow_step_days",
        "workflow_step_deltas",
        "workflow_transitions",
        "workflow_steps",
        "workflow_former_steps"
      ]) {
        yield* sql`delete from ${sql(table)} where ${ofWorkflow(project, id)}`
      }
      yield* sql`delete from workflows where ${byId(project, id)}`
    }, Effect.orDie)

    return WorkflowStore.of({
      lockCount: (project) =>
        Effect.andThen(
          Effect.orDie(
            sql`select pg_advisory_xact_lock(hashtextextended('posthorn:workflows:' || ${project}::text, 0))`
          ),
          count(project, {})
        ),
      insert: Effect.fn("WorkflowStore.insert")(function* (project, id, content, { steps, transitions }, now) {
        const found = yield* Effect.flatMap(
          sql`
          insert into workflows (id, project_id, name, description, trigger_type, trigger_config, event_name, refers_to,
            enabled, allow_reentry, reentry_after_hours, goal, exit_rules, next_run_at, created_at, updated_at)
          select ${id}::uuid, ${project}::uuid, name, description, trigger_type, trigger_config, event_name, refers_to,
                 enabled, allow_reentry, reentry_after_hours, goal, exit_rules, next_run_at, ${DateTime.toDate(now)}::timestamptz,
                 ${DateTime.toDate(now)}::timestamptz
          from jsonb_populate_record(null::workflows, ${record(content)}::text::jsonb)
          returning ${columns}`,
          rows
        )
        yield* writeGraph(project, id, { ...noChange, putSteps: steps, putTransitions: transitions })
        yield* Listeners.store(sql, project, id, content)
        return yield* Effect.fromOption(Array.head(found))
      }, Effect.orDie),
      list: (project, filter, order, { limit, offset }) =>
        sql`
          select ${withCounts} from workflows where ${matching(project, filter)}
          order by ${ordered(order)} limit ${limit} offset ${offset}`.pipe(Effect.flatMap(listedRows), Effect.orDie),
      count,
      find: (project, id) =>
        sql`select ${withCounts} from workflows where ${byId(project, id)}`.pipe(
          Effect.flatMap(listedRows),
          Effect.map(Array.head),
          Effect.orDie
        ),
      lock: (project, id) =>
        sql`select ${columns} from workflows where ${byId(project, id)} for update`.pipe(
          Effect.flatMap(rows),
          Effect.map(Array.head),
          Effect.orDie
        ),
      update: Effect.fn("WorkflowStore.update")(function* (project, id, content, now, updatedAt) {
        const updated = yield* sql`
          update workflows as stored set (name, description, trigger_type, trigger_config, event_name, refers_to, enabled,
            allow_reentry, reentry_after_hours, goal, exit_rules, next_run_at, updated_at) = (
            select name, description, trigger_type, trigger_config, event_name, refers_to, enabled, allow_reentry,
                   reentry_after_hours, goal, exit_rules, next_run_at,
                   case when next is distinct from stored then ${changedAt(sql, "stored.updated_at", now)}
                        else stored.updated_at end
            from jsonb_populate_record(stored, ${record(content)}::text::jsonb) as next
          )
          where ${byId(project, id)} and ${isUnchanged(sql, "updated_at", updatedAt)} returning id`
        if (updated.length === 0) return false
        yield* Listeners.store(sql, project, id, content)
        return true
      }, Effect.orDie),
      delete: remove,
      graph: Effect.fn("WorkflowStore.graph")(function* (project, id) {
        const steps = yield* Effect.flatMap(
          sql`
            select id, ordinal, type, name, position, config, template_id as "templateId", created_at as "createdAt",
                   updated_at as "updatedAt"
            from workflow_steps where ${ofWorkflow(project, id)} order by ordinal, id`,
          stepRows
        )
        const transitions = yield* Effect.flatMap(
          sql`
            select id, from_step_id as "fromStepId", to_step_id as "toStepId", branch, auto, created_at as "createdAt",
                   updated_at as "updatedAt"
            from workflow_transitions where ${ofWorkflow(project, id)} order by created_at, id`,
          transitionRows
        )
        return { steps, transitions }
      }, Effect.orDie),
      templatesOf: (project, id) =>
        sql`
          select id, name from templates where project_id = ${project} and id in (
            select template_id from workflow_steps where ${ofWorkflow(project, id)} and template_id is not null
          )`.pipe(
          Effect.flatMap(templateRows),
          Effect.map((found) => new Map(found.map((template) => [template.id, template]))),
          Effect.orDie
        ),
      changeGraph: Effect.fn("WorkflowStore.changeGraph")(function* (project, id, change, now) {
        yield* writeGraph(project, id, change)
        yield* sql`update workflows set updated_at = ${changedAt(sql, "updated_at", now)} where ${byId(project, id)}`
      }, Effect.orDie),
      formerSteps: (project, id, steps) =>
        sql`
          select id, type, ordinal, created_at as "createdAt" from workflow_former_steps
          where ${ofWorkflow(project, id)} and id = any(${steps}::uuid[])`.pipe(
          Effect.flatMap(formerRows),
          Effect.orDie
        ),
      activeExecutions: (project, id) =>
        countOf(sql`
          select count(*)::int as count from workflow_executions
          where ${ofWorkflow(project, id)} and ${sql.literal(live)}`),
      activeAt: (project, id, steps) =>
        sql`
          select current_step_id as "stepId", count(*)::int as "activeExecutions" from workflow_executions
          where ${ofWorkflow(project, id)} and ${sql.literal(live)} and current_step_id = any(${steps}::uuid[])
          group by current_step_id order by current_step_id`.pipe(Effect.flatMap(activeRows), Effect.orDie),
      firings: (project, id, limit) =>
        sql`
          select scheduled_for as "scheduledFor", started, blocked, error from workflow_firings
          where ${ofWorkflow(project, id)} order by scheduled_for desc limit ${limit}`.pipe(
          Effect.flatMap(firingRows),
          Effect.orDie
        )
    })
  })
)
