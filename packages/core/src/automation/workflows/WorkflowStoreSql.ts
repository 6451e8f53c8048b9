/** Workflows and their graphs in PostgreSQL or PGlite. */

import { StepId } from "@posthorn/contract/automation/workflows/Step"
import { StepType } from "@posthorn/contract/automation/workflows/StepType"
import { TransitionId } from "@posthorn/contract/automation/workflows/Transition"
import { Firing, ListedWorkflow, WorkflowRecord } from "@posthorn/contract/automation/workflows/Workflow"
import { WorkflowId } from "@posthorn/contract/automation/workflows/WorkflowId"
import { TemplateId } from "@posthorn/contract/content/templates/Template"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Array, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { dropTotals } from "../../content/links/DropTotals.ts"
import { changedAt, contains, countOf, isUnchanged } from "../../platform/Queries.ts"
import { rowCounts } from "../../platform/RowCounts.ts"
import * as Listeners from "./goals/Listeners.ts"
import { applied, type GraphChange, type GraphStep, noChange } from "./graph/Graph.ts"
import { hasSameContent, settingsOf, type VersionContent } from "./versions/VersionContent.ts"
import { contentRecord, stepRecord, transitionRecord } from "./versions/VersionRows.ts"
import * as VersionSql from "./versions/VersionSql.ts"
import { type WorkflowContent, type WorkflowFilter, type WorkflowOrder, WorkflowStore } from "./WorkflowStore.ts"

const at = Schema.DateTimeUtcFromDate
const dates = { createdAt: at, updatedAt: at }
const ids = { id: WorkflowId, projectId: ProjectId }

const own = {
  ...ids,
  nextRunAt: Schema.NullOr(at),
  draft: Schema.NullOr(
    Schema.Struct({ changed: Schema.Boolean, changedAt: Schema.NullOr(Schema.DateTimeUtcFromString) })
  ),
  ...dates
}
const rows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ ...WorkflowRecord.fields, ...own })))
const listedRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ ...ListedWorkflow.fields, ...own })))
const settingRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      triggerType: WorkflowRecord.fields.triggerType,
      triggerConfig: WorkflowRecord.fields.triggerConfig,
      allowReentry: WorkflowRecord.fields.allowReentry,
      reentryAfterHours: WorkflowRecord.fields.reentryAfterHours,
      goal: WorkflowRecord.fields.goal,
      exitRules: WorkflowRecord.fields.exitRules
    })
  )
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

/** The columns that belong to a version, from this table. */
const settingColumns = (
  from: string
) => `${from}.trigger_type as "triggerType", ${from}.trigger_config as "triggerConfig",
  ${from}.allow_reentry as "allowReentry", ${from}.reentry_after_hours as "reentryAfterHours", ${from}.goal,
  ${from}.exit_rules as "exitRules"`

/** Whether the draft of the workflow is a row of its own. Before the first version it is the graph. */
const isDrafted = "workflows.versioning = 'PUBLISHED' and workflows.version is not null"

const plainColumns = `workflows.id, workflows.project_id as "projectId", workflows.name, workflows.description,
  workflows.enabled, workflows.next_run_at as "nextRunAt", workflows.versioning,
  case when workflows.versioning = 'PUBLISHED' then workflows.version end as "publishedVersion",
  case when workflows.versioning = 'PUBLISHED' then jsonb_build_object(
    'changed', draft.version is not null or workflows.version is null,
    'changedAt', case when workflows.version is null then workflows.updated_at else draft.updated_at end) end as draft,
  workflows.created_at as "createdAt", workflows.updated_at as "updatedAt"`

const withDraft = `workflows left join workflow_versions as draft
  on draft.project_id = workflows.project_id and draft.workflow_id = workflows.id and draft.version = ${VersionSql.draftNumber}`

const live = `status in ('RUNNING', 'WAITING')`

const countedSteps = `(select count(*) from workflow_steps as step
           where step.project_id = workflows.project_id and step.workflow_id = workflows.id)`

const editedSteps = `case when draft.version is null then ${countedSteps}
  else (select count(*) from jsonb_object_keys(draft.steps)) end`

/** The number of executions comes from stored totals, because counting the rows could take long. */
const counted = (sql: SqlClient.SqlClient, steps = countedSteps) => {
  const executions = (keys: string) => sql`
    (select coalesce(sum(count), 0)
     from ${rowCounts(sql, sql`workflows.project_id`, "workflow_executions", sql.literal(keys))} as kept)`
  return sql`
    jsonb_build_object(
      'steps', ${sql.literal(steps)},
      'executions', ${executions("key > array[workflows.id::text] and key <= array[workflows.id::text, 'over']")},
      'activeExecutions', ${executions("key = array[workflows.id::text, 'live']")}) as "_count"`
}

const sortColumns = {
  name: "workflows.name",
  createdAt: "workflows.created_at",
  updatedAt: "workflows.updated_at",
  steps: countedSteps
}

const record = (content: WorkflowContent) =>
  JSON.stringify({
    ...contentRecord(content),
    name: content.name,
    description: content.description,
    enabled: content.enabled,
    versioning: content.versioning,
    next_run_at: content.nextRunAt === null ? null : DateTime.formatIso(content.nextRunAt)
  })

export const layer: Layer.Layer<WorkflowStore, never, SqlClient.SqlClient> = Layer.effect(
  WorkflowStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const versions = VersionSql.make(sql)
    const byId = (project: ProjectId, id: WorkflowId) => sql`project_id = ${project} and id = ${id}`
    const ofWorkflow = (project: ProjectId, id: WorkflowId) => sql`project_id = ${project} and workflow_id = ${id}`

    const matching = (project: ProjectId, { search, status, triggerType }: WorkflowFilter) =>
      sql.and([
        sql`workflows.project_id = ${project}`,
        ...(status === undefined ? [] : [sql`workflows.enabled = ${status === "active"}`]),
        ...(triggerType === undefined ? [] : [sql`workflows.trigger_type = ${triggerType}`]),
        ...(search
          ? [sql.or(["workflows.name", "workflows.description"].map((column) => contains(sql, column, search)))]
          : [])
      ])

    const ordered = ({ sort, dir }: WorkflowOrder) => sql.literal(`${sortColumns[sort]} ${dir}, workflows.id ${dir}`)

    const count = (project: ProjectId, filter: WorkflowFilter) =>
      countOf(sql`select count(*)::int as count from workflows where ${matching(project, filter)}`)

    const isThis = (project: ProjectId, id: WorkflowId) =>
      sql`workflows.project_id = ${project} and workflows.id = ${id}`

    /** A workflow as it is edited: the draft, where there is one. */
    const edited = (project: ProjectId, id: WorkflowId, more: Statement.Fragment) => {
      const columns = (from: string) => sql.literal(`${plainColumns}, ${settingColumns(from)}`)
      const read = (from: string, which: Statement.Fragment) => sql`
        select ${columns(from)}${more} from ${sql.literal(withDraft)} where ${isThis(project, id)} and ${which}`
      return sql`
        ${read("workflows", sql`draft.version is null`)} union all ${read("draft", sql`draft.version is not null`)}`
    }

    const runningGraph = Effect.fnUntraced(function* (project: ProjectId, id: WorkflowId) {
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
    })

    const running = Effect.fn("WorkflowStore.running")(function* (project: ProjectId, id: WorkflowId) {
      const [settings] = yield* Effect.flatMap(
        sql`select ${sql.literal(settingColumns("workflows"))} from workflows where ${isThis(project, id)}`,
        settingRows
      )
      if (settings === undefined) return yield* Effect.die(new Error("The workflow is gone"))
      return { settings, ...(yield* runningGraph(project, id)) }
    }, Effect.orDie)

    /** The draft, or what it would be: the published version. */
    const draft = Effect.fnUntraced(function* (project: ProjectId, id: WorkflowId) {
      const found = yield* versions.read(project, id, VersionSql.draftNumber)
      return Option.isSome(found) ? found.value : yield* running(project, id)
    })

    const hasDraft = Effect.fnUntraced(function* (project: ProjectId, id: WorkflowId) {
      const found = yield* sql`
        select 1 from workflows where ${isThis(project, id)} and ${sql.literal(isDrafted)}`
      return found.length > 0
    })

    const touch = (project: ProjectId, id: WorkflowId, now: DateTime.Utc) =>
      sql`update workflows set updated_at = ${changedAt(sql, "updated_at", now)} where ${byId(project, id)}`

    const writeDraft = Effect.fn("WorkflowStore.writeDraft")(function* (
      project: ProjectId,
      id: WorkflowId,
      content: VersionContent,
      now: DateTime.Utc
    ) {
      if (hasSameContent(content, yield* running(project, id)))
        yield* versions.drop(project, id, VersionSql.draftNumber)
      else {
        const head = { version: VersionSql.draftNumber, published: false, edited: true, note: null, createdAt: now }
        yield* versions.write(project, id, { ...head, author: yield* VersionSql.currentAuthor }, content, now)
      }
      yield* touch(project, id, now)
    }, Effect.orDie)

    const keepFormer = (project: ProjectId, id: WorkflowId, steps: ReadonlyArray<GraphStep>) =>
      sql`
        insert into workflow_former_steps (project_id, workflow_id, id, type, ordinal, created_at)
        select ${project}::uuid, ${id}::uuid, former.id, former.type, former.ordinal, former.created_at
        from jsonb_populate_recordset(null::workflow_former_steps, ${JSON.stringify(steps.map(stepRecord))}::text::jsonb) as former
        on conflict do nothing`

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

    /** Name, description and whether it is enabled act at once. The rest is written to the draft. */
    const updateDrafted = Effect.fnUntraced(function* (
      project: ProjectId,
      id: WorkflowId,
      { name, description, enabled, nextRunAt, ...settings }: WorkflowContent,
      now: DateTime.Utc,
      updatedAt: DateTime.Utc | null | undefined
    ) {
      const plain = JSON.stringify({
        name,
        description,
        enabled,
        next_run_at: nextRunAt && DateTime.formatIso(nextRunAt)
      })
      const updated = yield* sql`
        update workflows as stored set (name, description, enabled, next_run_at, updated_at) = (
          select name, description, enabled, next_run_at,
                 case when next is distinct from stored then ${changedAt(sql, "stored.updated_at", now)}
                      else stored.updated_at end
          from jsonb_populate_record(stored, ${plain}::text::jsonb) as next
        )
        where ${byId(project, id)} and ${isUnchanged(sql, "updated_at", updatedAt)} returning id`
      if (updated.length === 0) return false
      const before = yield* draft(project, id)
      const after = { ...before, settings: settingsOf(settings) }
      if (!hasSameContent(before, after)) yield* writeDraft(project, id, after, now)
      return true
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
        "workflow_former_steps",
        "workflow_versions"
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
        yield* sql`
          insert into workflows (id, project_id, name, description, trigger_type, trigger_config, event_name, refers_to,
            enabled, allow_reentry, reentry_after_hours, goal, exit_rules, versioning, next_run_at, created_at, updated_at)
          select ${id}::uuid, ${project}::uuid, name, description, trigger_type, trigger_config, event_name, refers_to,
                 enabled, allow_reentry, reentry_after_hours, goal, exit_rules, versioning, next_run_at,
                 ${DateTime.toDate(now)}::timestamptz, ${DateTime.toDate(now)}::timestamptz
          from jsonb_populate_record(null::workflows, ${record(content)}::text::jsonb)`
        const found = yield* Effect.flatMap(edited(project, id, sql``), rows)
        yield* writeGraph(project, id, { ...noChange, putSteps: steps, putTransitions: transitions })
        yield* Listeners.store(sql, project, id, content)
        return yield* Effect.fromOption(Array.head(found))
      }, Effect.orDie),
      list: (project, filter, order, { limit, offset }) =>
        sql`
          select ${sql.literal(`${plainColumns}, ${settingColumns("workflows")}`)}, ${counted(sql)}
          from ${sql.literal(withDraft)} where ${matching(project, filter)}
          order by ${ordered(order)} limit ${limit} offset ${offset}`.pipe(Effect.flatMap(listedRows), Effect.orDie),
      count,
      find: (project, id) =>
        edited(project, id, sql`, ${counted(sql, editedSteps)}`).pipe(
          Effect.flatMap(listedRows),
          Effect.map(Array.head),
          Effect.orDie
        ),
      lock: (project, id) =>
        Effect.andThen(
          sql`select 1 from workflows where ${byId(project, id)} for update`,
          edited(project, id, sql``)
        ).pipe(Effect.flatMap(rows), Effect.map(Array.head), Effect.orDie),
      update: Effect.fn("WorkflowStore.update")(function* (project, id, content, now, updatedAt) {
        if (yield* hasDraft(project, id)) return yield* updateDrafted(project, id, content, now, updatedAt)
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
      runningGraph: (project, id) => Effect.orDie(runningGraph(project, id)),
      graph: Effect.fn("WorkflowStore.graph")(function* (project, id) {
        const found = yield* versions.read(project, id, VersionSql.draftNumber)
        return Option.isSome(found) ? found.value : yield* runningGraph(project, id)
      }, Effect.orDie),
      running,
      become: Effect.fn("WorkflowStore.become")(function* (project, id, content, version, nextRunAt, now) {
        const before = yield* runningGraph(project, id)
        const present = new Set(content.steps.map((step) => step.id))
        yield* writeGraph(project, id, {
          dropTransitions: before.transitions.map((transition) => transition.id),
          dropSteps: before.steps.flatMap((step) => (present.has(step.id) ? [] : [step.id])),
          putSteps: content.steps,
          putTransitions: content.transitions
        })
        yield* versions.drop(project, id, VersionSql.draftNumber)
        yield* sql`
          update workflows as stored set (trigger_type, trigger_config, event_name, refers_to, allow_reentry,
            reentry_after_hours, goal, exit_rules) = (
            select trigger_type, trigger_config, event_name, refers_to, allow_reentry, reentry_after_hours, goal, exit_rules
            from jsonb_populate_record(stored, ${JSON.stringify(contentRecord(content.settings))}::text::jsonb)
          ),
          version = ${version}, next_run_at = ${nextRunAt && DateTime.toDate(nextRunAt)},
          updated_at = ${changedAt(sql, "stored.updated_at", now)}
          where ${byId(project, id)}`
        yield* Listeners.store(sql, project, id, content.settings)
      }, Effect.orDie),
      writeDraft,
      dropDraft: Effect.fn("WorkflowStore.dropDraft")(function* (project, id, now) {
        const found = yield* versions.head(project, id, VersionSql.draftNumber)
        if (Option.isNone(found)) return false
        yield* versions.drop(project, id, VersionSql.draftNumber)
        yield* touch(project, id, now)
        return true
      }, Effect.orDie),
      setVersioning: Effect.fn("WorkflowStore.setVersioning")(function* (project, id, versioning, version) {
        yield* sql`
          update workflows set versioning = ${versioning}, version = ${version} where ${byId(project, id)}`
      }, Effect.orDie),
      templatesOf: (project, id) =>
        sql`
          select id, name from templates where project_id = ${project} and id in (
            select template_id from workflow_steps where ${ofWorkflow(project, id)} and template_id is not null
            union all
            select (step.value ->> 'template_id')::uuid
            from workflow_versions as kept cross join lateral jsonb_each(kept.steps) as step(key, value)
            where kept.project_id = ${project} and kept.workflow_id = ${id} and step.value ->> 'template_id' is not null
          )`.pipe(
          Effect.flatMap(templateRows),
          Effect.map((found) => new Map(found.map((template) => [template.id, template]))),
          Effect.orDie
        ),
      changeGraph: Effect.fn("WorkflowStore.changeGraph")(function* (project, id, change, now) {
        if (yield* hasDraft(project, id)) {
          const before = yield* draft(project, id)
          const dropped = new Set<string>(change.dropSteps)
          yield* keepFormer(
            project,
            id,
            before.steps.filter((step) => dropped.has(step.id))
          )
          yield* writeDraft(project, id, { settings: before.settings, ...applied(before, change) }, now)
          return
        }
        yield* writeGraph(project, id, change)
        yield* touch(project, id, now)
      }, Effect.orDie),
      formerSteps: (project, id, steps) =>
        sql`
          select id, type, ordinal, created_at as "createdAt" from (
            select * from workflow_former_steps where ${ofWorkflow(project, id)}
            union
            select project_id, workflow_id, id, type, ordinal, created_at from workflow_steps
            where ${ofWorkflow(project, id)}
          ) as former
          where id = any(${steps}::uuid[])`.pipe(Effect.flatMap(formerRows), Effect.orDie),
      activeExecutions: (project, id) =>
        countOf(sql`
          select count(*)::int as count from workflow_executions
          where ${ofWorkflow(project, id)} and ${sql.literal(live)}`),
      activeAt: (project, id, steps) =>
        sql`
          select current_step_id as "stepId", count(*)::int as "activeExecutions" from workflow_executions
          where ${ofWorkflow(project, id)} and ${sql.literal(live)}
            and (not pinned
              or version = (select released_version from workflows where project_id = ${project} and id = ${id}))
            and current_step_id = any(${steps}::uuid[])
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
