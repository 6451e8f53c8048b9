/** The sums that the report of a workflow is made of. */
import { StepId } from "@posthorn/contract/automation/workflows/Step"
import { StepType } from "@posthorn/contract/automation/workflows/StepType"
import type { WorkflowId } from "@posthorn/contract/automation/workflows/WorkflowId"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { dayFrom, dayOf } from "../../../platform/QuarterHours.ts"
import * as RollUp from "../../../platform/RollUp.ts"
import { countedVersion, wholeWorkflow } from "./StepMoves.ts"

/** Whose numbers are asked for. A range counts whole days in UTC. */
export interface ReportFilter {
  readonly version: number | undefined
  readonly from: DateTime.Utc | undefined
  /** Exclusive. */
  readonly until: DateTime.Utc | undefined
}

/** What happened at a step on a branch. `waiting` counts visits up to the end of the range, whenever they began. */
export interface StepSums {
  readonly step: string
  readonly branch: string
  readonly entered: number
  readonly completed: number
  readonly skipped: number
  readonly failed: number
  readonly dropped: number
  readonly waiting: number
}

export interface StepMailSums {
  readonly step: string
  readonly sent: number
  readonly delivered: number
  readonly opened: number
  readonly clicked: number
  readonly bounced: number
  readonly complained: number
  readonly unsubscribed: number
  readonly machineOpened: number
  readonly machineClicked: number
  readonly converted: number
}

/** A step whose stored numbers are not those of its executions. */
export interface Difference {
  readonly version: number
  readonly step: string
  readonly counted: number
  readonly live: number
}

const moves = ["entered", "completed", "skipped", "failed", "dropped"] as const
const mailCounts = {
  sent: "sent",
  delivered: "delivered",
  opened: "opened",
  clicked: "clicked",
  bounced: "bounced",
  complained: "complained",
  unsubscribed: "unsubscribed",
  machineOpened: "machine_opened",
  machineClicked: "machine_clicked",
  converted: "converted"
}

const stepRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      step: Schema.String,
      branch: Schema.String,
      entered: Schema.Int,
      completed: Schema.Int,
      skipped: Schema.Int,
      failed: Schema.Int,
      dropped: Schema.Int,
      waiting: Schema.Int
    })
  )
)
const mailRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      step: Schema.String,
      sent: Schema.Int,
      delivered: Schema.Int,
      opened: Schema.Int,
      clicked: Schema.Int,
      bounced: Schema.Int,
      complained: Schema.Int,
      unsubscribed: Schema.Int,
      machineOpened: Schema.Int,
      machineClicked: Schema.Int,
      converted: Schema.Int
    })
  )
)
const conversionRows = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ currency: Schema.String, conversions: Schema.Int, amount: Schema.Finite }))
)
const differences = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ version: Schema.Int, step: Schema.String, counted: Schema.Int, live: Schema.Int }))
)

const KeptStep = Schema.Struct({ id: StepId, name: Schema.String, type: StepType, config: Schema.JsonObject })
/** A step as a version has it. */
export type KeptStep = typeof KeptStep.Type
const keptSteps = Schema.decodeUnknownEffect(Schema.Array(KeptStep))
const versionRows = Schema.decodeUnknownEffect(
  Schema.Tuple([Schema.Struct({ steps: Schema.NullOr(Schema.Array(KeptStep)), isCounted: Schema.Boolean })])
)

const net = "entered - completed - skipped - failed - dropped"

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  const day = (at: DateTime.Utc) => sql`${DateTime.formatIsoDateUtc(at)}::date`
  const fromDay = ({ from }: ReportFilter) => (from === undefined ? sql`true` : sql`day >= ${day(dayOf(from))}`)
  const untilDay = ({ until }: ReportFilter) => (until === undefined ? sql`true` : sql`day < ${day(dayFrom(until))}`)
  const isRange = ({ from, until }: ReportFilter) => from !== undefined || until !== undefined

  const isVersion = ({ version }: ReportFilter) => (version === undefined ? sql`true` : sql`version = ${version}`)

  return {
    steps: Effect.fn("ReportSql.steps")(function* (
      project: ProjectId,
      workflow: WorkflowId,
      filter: ReportFilter
    ): Effect.fn.Return<ReadonlyArray<StepSums>, unknown> {
      const own = sql`project_id = ${project} and workflow_id = ${workflow} and ${isVersion(filter)}`
      const columns = sql.literal(moves.join(", "))
      const part = (table: string, dayColumn: string, condition: Statement.Fragment) => sql`
        select step_id, branch, ${sql.literal(dayColumn)} as day, ${columns} from ${sql(table)} where ${condition}`
      const parts = isRange(filter)
        ? sql`
            ${part("workflow_step_days", "day", sql`${own} and ${untilDay(filter)}`)}
            union all ${part("workflow_step_deltas", "day", sql`${own} and ${untilDay(filter)}`)}`
        : sql`
            ${part("workflow_step_totals", "null::date", own)}
            union all ${part("workflow_step_deltas", "null::date", own)}`
      const sums = sql.csv(
        moves.map((name) => sql`coalesce(sum(${sql(name)}) filter (where ${fromDay(filter)}), 0)::int as ${sql(name)}`)
      )
      return yield* stepRows(
        yield* sql`
          select step_id as step, branch, ${sums}, sum(${sql.literal(net)})::int as waiting
          from (${parts}) as parts group by step_id, branch order by step_id, branch`
      )
    }, Effect.orDie),
    /** By SEND_EMAIL step. */
    mail: Effect.fn("ReportSql.mail")(function* (
      project: ProjectId,
      steps: ReadonlyArray<string>,
      filter: ReportFilter
    ): Effect.fn.Return<ReadonlyArray<StepMailSums>, unknown> {
      if (steps.length === 0) return []
      const own = sql`project_id = ${project} and owner_id = any(${steps}::uuid[])`
      const ofDay = sql`${own} and version > 0 and ${isVersion(filter)} and ${fromDay(filter)} and ${untilDay(filter)}`
      const columns = sql.literal(["owner_id", ...Object.values(mailCounts)].join(", "))
      const parts =
        isRange(filter) || filter.version !== undefined
          ? sql`
              select ${columns} from result_days where ${ofDay} union all
              select ${columns} from result_deltas where ${ofDay}`
          : sql`
              select ${columns} from result_totals where ${own} union all
              select ${columns} from result_deltas where ${own}`
      const sums = Object.entries(mailCounts).map(([name, column]) => `sum(${column})::int as "${name}"`)
      return yield* mailRows(
        yield* sql`select owner_id as step, ${sql.literal(sums.join(", "))} from (${parts}) as parts group by owner_id`
      )
    }, Effect.orDie),
    /** By currency; blank for conversions without revenue. */
    conversions: Effect.fn("ReportSql.conversions")(function* (
      project: ProjectId,
      workflow: WorkflowId,
      filter: ReportFilter
    ): Effect.fn.Return<
      ReadonlyArray<{ readonly currency: string; readonly conversions: number; readonly amount: number }>,
      unknown
    > {
      // Those of one version are counted, so those of deleted contacts are missing.
      if (filter.version !== undefined) {
        return yield* conversionRows(
          yield* sql`
            select coalesce(currency, '') as currency, count(*)::int as conversions,
                   coalesce(sum(amount), 0)::float8 as amount
            from (
              select conversions.*, (conversions.created_at at time zone 'UTC')::date as day
              from conversions
              join workflow_executions as execution on execution.project_id = conversions.project_id
                and execution.id = execution_id and ${sql.literal(countedVersion("execution"))} = ${filter.version}
              where conversions.project_id = ${project} and owner = 'WORKFLOW' and owner_id = ${workflow}
            ) as own
            where ${fromDay(filter)} and ${untilDay(filter)} group by 1 order by 1`
        )
      }
      return yield* conversionRows(
        yield* sql`
          select currency, sum(conversions)::int as conversions, sum(amount)::float8 as amount from conversion_totals
          where project_id = ${project} and owner = 'WORKFLOW' and owner_id = ${workflow}
            and ${fromDay(filter)} and ${untilDay(filter)}
          group by currency order by currency`
      )
    }, Effect.orDie),
    /** The steps of a version. Undefined: there is no such version, and no execution counts with it. */
    versionSteps: Effect.fn("ReportSql.versionSteps")(function* (
      project: ProjectId,
      workflow: WorkflowId,
      version: number
    ): Effect.fn.Return<ReadonlyArray<KeptStep> | undefined, unknown> {
      const own = sql`project_id = ${project} and workflow_id = ${workflow} and version = ${version}`
      const [found] = yield* versionRows(
        yield* sql`
          select (select jsonb_agg(value order by (value ->> 'ordinal')::int)
                  from workflow_versions cross join lateral jsonb_each(steps) where ${own}) as steps,
                 exists (select from workflow_step_totals where ${own})
                   or exists (select from workflow_step_deltas where ${own}) as "isCounted"`
      )
      return found.steps ?? (found.isCounted ? [] : undefined)
    }, Effect.orDie),
    /** Steps of any version that are not in the graph any more, as they were last. */
    earlierSteps: Effect.fn("ReportSql.earlierSteps")(function* (
      project: ProjectId,
      workflow: WorkflowId,
      steps: ReadonlyArray<string>
    ): Effect.fn.Return<ReadonlyArray<KeptStep>, unknown> {
      if (steps.length === 0) return []
      return yield* keptSteps(
        yield* sql`
          select distinct on (key) key as id, value ->> 'name' as name, value ->> 'type' as type, value -> 'config' as config
          from workflow_versions cross join lateral jsonb_each(steps)
          where project_id = ${project} and workflow_id = ${workflow} and key = any(${steps}::text[])
          order by key, version desc`
      )
    }, Effect.orDie),
    /** Adds the pending deltas to the totals. Those of deleted workflows are dropped. */
    rollUp: Effect.suspend(() => {
      const exists = `exists (select from workflows where project_id = taken.project_id and id = taken.workflow_id)`
      const key = ["project_id", "workflow_id", "version", "step_id", "branch"]
      return RollUp.rollUp(sql, {
        deltas: "workflow_step_deltas",
        totals: "workflow_step_totals",
        key,
        deltaKey: [...key, "day"],
        sums: moves,
        where: exists,
        also: [
          {
            totals: "workflow_step_days",
            key: Object.fromEntries([...key, "day"].map((name) => [name, name])),
            sums: moves,
            where: exists
          }
        ]
      })
    }).pipe(
      // While executions run, new deltas arrive all the time. A batch that is not full is the last.
      Effect.repeat({ while: (isFull) => isFull }),
      Effect.asVoid,
      Effect.orDie,
      Effect.withSpan("ReportSql.rollUp")
    ),
    /** The steps of a workflow at which other numbers of executions are than the stored sums say. One snapshot. */
    differences: Effect.fn("ReportSql.differences")(function* (
      project: ProjectId,
      workflow: WorkflowId
    ): Effect.fn.Return<ReadonlyArray<Difference>, unknown> {
      const own = sql`project_id = ${project} and workflow_id = ${workflow}`
      return yield* differences(
        yield* sql`
          with counted as (
            select version, step_id, sum(${sql.literal(net)})::int as count
            from (
              select version, step_id, ${sql.literal(moves.join(", "))} from workflow_step_totals where ${own} union all
              select version, step_id, ${sql.literal(moves.join(", "))} from workflow_step_deltas where ${own}
            ) as parts
            group by 1, 2
          ),
          live as (
            select ${sql.literal(countedVersion("execution"))} as version, step_id, count(*)::int as count
            from workflow_executions as execution
            cross join lateral (values (${wholeWorkflow}::uuid), (current_step_id)) as places (step_id)
            where ${own} and status in ('RUNNING', 'WAITING') and step_id is not null
            group by 1, 2
          )
          select version, step_id as step,
                 coalesce(counted.count, 0) as counted, coalesce(live.count, 0) as live
          from counted full join live using (version, step_id)
          where coalesce(counted.count, 0) <> coalesce(live.count, 0)
          order by 2 limit 20`
      )
    }, Effect.orDie)
  }
})
