/** The statements of experiments of SPLIT steps: their state, their visitors, and the results of these. */
import type { ExecutionId } from "@posthorn/contract/automation/workflows/Execution"
import { DecidedBy, type ExperimentRules } from "@posthorn/contract/automation/workflows/SplitExperiment"
import { StepId } from "@posthorn/contract/automation/workflows/Step"
import { WorkflowId } from "@posthorn/contract/automation/workflows/WorkflowId"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { nilId } from "@posthorn/contract/platform/Primitives"
import { Array, Context, DateTime, Effect, Layer, type Option, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { isHeld } from "../run/DueSql.ts"

export interface ExperimentKey {
  readonly projectId: ProjectId
  readonly workflowId: WorkflowId
  readonly stepId: StepId
}

/** Judged visitors and successes, by branch. */
export type BranchCounts = { readonly [branch: string]: { readonly sent: number; readonly successes: number } }

export interface ExperimentState extends ExperimentKey {
  readonly counts: BranchCounts
  readonly cursorAt: DateTime.Utc | null
  readonly cursorId: string | null
  readonly decidedAt: DateTime.Utc | null
  readonly decidedBy: DecidedBy | null
  readonly winner: string | null
  readonly significant: boolean
}

export interface Visitor extends ExperimentKey {
  readonly executionId: ExecutionId
  readonly branch: string
}

export interface Judged {
  readonly counts: BranchCounts
  readonly visitors: number
  readonly cursorAt: DateTime.Utc | null
  readonly cursorId: string | null
}

const moment = Schema.NullOr(Schema.DateTimeUtcFromDate)
const Count = Schema.Struct({ sent: Schema.Int, successes: Schema.Int })

const states = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      projectId: ProjectId,
      workflowId: WorkflowId,
      stepId: StepId,
      counts: Schema.Record(Schema.String, Count),
      cursorAt: moment,
      cursorId: Schema.NullOr(Schema.String),
      decidedAt: moment,
      decidedBy: Schema.NullOr(DecidedBy),
      winner: Schema.NullOr(Schema.String),
      significant: Schema.Boolean
    })
  )
)

const keys = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({ projectId: ProjectId, workflowId: WorkflowId, stepId: StepId, config: Schema.JsonObject })
  )
)

const judgedRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      branch: Schema.String,
      ...Count.fields,
      cursorAt: Schema.DateTimeUtcFromDate,
      cursorId: Schema.String
    })
  )
)

const stateColumns = `project_id as "projectId", workflow_id as "workflowId", step_id as "stepId", counts,
  cursor_at as "cursorAt", cursor_id as "cursorId", decided_at as "decidedAt", decided_by as "decidedBy", winner,
  significant`

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  const table = (given: ReadonlyArray<ExperimentKey>) => sql`
    jsonb_to_recordset(${JSON.stringify(given)}::text::jsonb) as given("projectId" uuid, "workflowId" uuid, "stepId" uuid,
      "executionId" uuid, branch text)`
  const isOne = ({ projectId, workflowId, stepId }: ExperimentKey) =>
    sql`project_id = ${projectId} and workflow_id = ${workflowId} and step_id = ${stepId}`

  const create = (given: ReadonlyArray<ExperimentKey>) => sql`
    insert into workflow_experiments (project_id, workflow_id, step_id)
    select distinct "projectId", "workflowId", "stepId" from ${table(given)} order by 1, 2, 3
    on conflict do nothing`

  /** A person acted on a mail of the execution within the window, or the execution reached the goal in it. */
  const isSuccess = (projectId: ProjectId, metric: ExperimentRules["metric"], hours: number): Statement.Fragment => {
    const within = (at: Statement.Fragment) =>
      sql`${at} >= due.visited_at and ${at} < due.visited_at + ${hours}::int * interval '1 hour'`
    return metric === "GOAL"
      ? sql`
          exists (
            select from conversions as reached
            where reached.project_id = ${projectId} and reached.execution_id = due.execution_id
              and ${within(sql`reached.occurred_at`)})`
      : sql`
          exists (
            select from workflow_step_executions as sent
            join emails on emails.project_id = sent.project_id and emails.workflow_step_execution_id = sent.id
            join email_hits as hit on hit.project_id = emails.project_id and hit.email_id = emails.id
            where sent.project_id = ${projectId} and sent.execution_id = due.execution_id
              and sent.step_type = 'SEND_EMAIL' and hit.kind = ${metric === "HUMAN_CLICK" ? "click" : "open"}
              and hit.verdict = 'human' and ${within(sql`hit.at`)})`
  }

  return {
    states: Effect.fn("ExperimentSql.states")(function* (
      given: ReadonlyArray<ExperimentKey>
    ): Effect.fn.Return<ReadonlyArray<ExperimentState>, unknown> {
      if (given.length === 0) return []
      return yield* states(
        yield* sql`
          select ${sql.literal(stateColumns)} from workflow_experiments
          where (project_id, workflow_id, step_id) in (select "projectId", "workflowId", "stepId" from ${table(given)})`
      )
    }, Effect.orDie),
    /** Stores visitors of experiments that are not decided. A contact counts once, on its first visit. */
    note: Effect.fn("ExperimentSql.note")(function* (visitors: ReadonlyArray<Visitor>, now: DateTime.Utc) {
      if (visitors.length === 0) return
      yield* create(visitors)
      yield* sql`
        insert into workflow_experiment_visits (project_id, execution_id, step_id, workflow_id, branch, visited_at)
        select "projectId", "executionId", "stepId", "workflowId", branch, ${DateTime.toDate(now)}::timestamptz
        from ${table(visitors)}
        join workflow_executions as own on own.project_id = "projectId" and own.id = "executionId"
        where not exists (
          select from workflow_executions as earlier
          join workflow_experiment_visits as visit on visit.project_id = earlier.project_id
            and visit.execution_id = earlier.id and visit.step_id = given."stepId"
          where earlier.project_id = own.project_id and earlier.workflow_id = own.workflow_id
            and earlier.contact_id = own.contact_id)
        on conflict do nothing`
    }, Effect.orDie),
    /** Experiments that are not decided, with the config of their step, after a key in the order of the keys. */
    open: Effect.fn("ExperimentSql.open")(function* (
      after: ExperimentKey | undefined,
      limit: number
    ): Effect.fn.Return<ReadonlyArray<ExperimentKey & { readonly config: Schema.JsonObject }>, unknown> {
      const { projectId, workflowId, stepId } = after ?? { projectId: nilId, workflowId: nilId, stepId: nilId }
      return yield* keys(
        yield* sql`
          select experiment.project_id as "projectId", experiment.workflow_id as "workflowId", step_id as "stepId", config
          from workflow_experiments as experiment
          join workflow_steps as step on step.project_id = experiment.project_id and step.id = step_id
          where decided_at is null and config -> 'experiment' is not null
            and (experiment.project_id, experiment.workflow_id, step_id)
              > (${projectId}::uuid, ${workflowId}::uuid, ${stepId}::uuid)
            and not ${isHeld(sql, sql`experiment.project_id`)}
          order by 1, 2, 3 limit ${limit}`
      )
    }, Effect.orDie),
    /** Locks the experiment until the transaction ends, and creates it if it has no row. */
    lock: Effect.fn("ExperimentSql.lock")(function* (
      key: ExperimentKey
    ): Effect.fn.Return<Option.Option<ExperimentState>, unknown> {
      yield* create([key])
      return Array.head(
        yield* states(
          yield* sql`select ${sql.literal(stateColumns)} from workflow_experiments where ${isOne(key)} for update`
        )
      )
    }, Effect.orDie),
    /** The next visitors after the cursor whose window has ended at `until`. */
    judge: Effect.fn("ExperimentSql.judge")(function* (
      { projectId, stepId, cursorAt, cursorId }: ExperimentState,
      { metric, hours }: { readonly metric: ExperimentRules["metric"]; readonly hours: number },
      until: DateTime.Utc,
      limit: number
    ): Effect.fn.Return<Judged, unknown> {
      const rows = yield* judgedRows(
        yield* sql`
          with due as materialized (
            select execution_id, branch, visited_at from workflow_experiment_visits
            where project_id = ${projectId} and step_id = ${stepId}
              and visited_at <= ${DateTime.toDate(until)}::timestamptz - ${hours}::int * interval '1 hour'
              and (visited_at, execution_id)
                > (${DateTime.toDate(cursorAt ?? DateTime.makeUnsafe(0))}::timestamptz, ${cursorId ?? nilId}::uuid)
            order by visited_at, execution_id limit ${limit}
          ),
          last as (select visited_at, execution_id from due order by visited_at desc, execution_id desc limit 1)
          select branch, count(*)::int as sent, (count(*) filter (where succeeded))::int as successes,
                 last.visited_at as "cursorAt", last.execution_id as "cursorId"
          from (select branch, ${isSuccess(projectId, metric, hours)} as succeeded from due) as judged, last
          group by branch, last.visited_at, last.execution_id`
      )
      return {
        counts: Object.fromEntries(rows.map(({ branch, sent, successes }) => [branch, { sent, successes }])),
        visitors: rows.reduce((sum, { sent }) => sum + sent, 0),
        cursorAt: rows[0]?.cursorAt ?? cursorAt,
        cursorId: rows[0]?.cursorId ?? cursorId
      }
    }, Effect.orDie),
    /** Stores a locked experiment. The visitors of a decided one are not needed any more. */
    store: Effect.fn("ExperimentSql.store")(function* (state: ExperimentState) {
      const { counts, cursorAt, cursorId, decidedAt, decidedBy, winner, significant } = state
      yield* sql`
        update workflow_experiments
        set counts = ${JSON.stringify(counts)}::text::jsonb, cursor_at = ${cursorAt && DateTime.toDate(cursorAt)},
            cursor_id = ${cursorId}, decided_at = ${decidedAt && DateTime.toDate(decidedAt)},
            decided_by = ${decidedBy && JSON.stringify(decidedBy)}::text::jsonb, winner = ${winner},
            significant = ${significant}
        where ${isOne(state)}`
    }, Effect.orDie),
    forget: Effect.fn("ExperimentSql.forget")(function* ({ projectId, stepId }: ExperimentKey) {
      yield* sql`delete from workflow_experiment_visits where project_id = ${projectId} and step_id = ${stepId}`
    }, Effect.orDie)
  }
})

/** A service, because a test run replaces it: it reads experiments, and its visitor is none of them. */
export class Experiments extends Context.Service<Experiments, Pick<Effect.Success<typeof make>, "note" | "states">>()(
  "@posthorn/core/automation/workflows/steps/ExperimentSql/Experiments"
) {}

export const layer: Layer.Layer<Experiments, never, SqlClient.SqlClient> = Layer.effect(Experiments, make)
