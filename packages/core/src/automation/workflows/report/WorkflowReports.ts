/** The report of a workflow: what became of its executions, step by step. */

import type { WorkflowNotFound } from "@posthorn/contract/automation/workflows/Workflow"
import { WorkflowId } from "@posthorn/contract/automation/workflows/WorkflowId"
import type { WorkflowReport, WorkflowReportQuery } from "@posthorn/contract/automation/workflows/WorkflowReport"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { type BadRequest, ResourceNotFound } from "@posthorn/contract/platform/Errors"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { dateRange } from "../../../platform/DateRange.ts"
import { reading } from "../../../platform/ReadSqlClient.ts"
import * as WorkflowGraphs from "../graph/WorkflowGraphs.ts"
import * as Workflows from "../Workflows.ts"
import * as ReportSql from "./ReportSql.ts"
import { wholeWorkflow } from "./StepMoves.ts"

type Refused = BadRequest | ResourceNotFound | WorkflowNotFound

export interface WorkflowReports {
  readonly report: (
    project: ProjectId,
    workflow: WorkflowId,
    query: WorkflowReportQuery
  ) => Effect.Effect<WorkflowReport, Refused>
}

const noSums = { entered: 0, completed: 0, skipped: 0, failed: 0, dropped: 0, waiting: 0 }

const added = (sums: ReadonlyArray<ReportSql.StepSums>): typeof noSums =>
  sums.reduce(
    (sum, each) => ({
      entered: sum.entered + each.entered,
      completed: sum.completed + each.completed,
      skipped: sum.skipped + each.skipped,
      failed: sum.failed + each.failed,
      dropped: sum.dropped + each.dropped,
      waiting: sum.waiting + each.waiting
    }),
    noSums
  )

const mailOf = (found: ReportSql.StepMailSums | undefined): NonNullable<WorkflowReport["steps"][number]["mail"]> => ({
  sent: found?.sent ?? 0,
  delivered: found?.delivered ?? 0,
  humanOpened: (found?.opened ?? 0) - (found?.machineOpened ?? 0),
  humanClicked: (found?.clicked ?? 0) - (found?.machineClicked ?? 0),
  bounced: found?.bounced ?? 0,
  complained: found?.complained ?? 0,
  unsubscribed: found?.unsubscribed ?? 0,
  converted: found?.converted ?? 0
})

/** The executions, which the sums of the workflow count by the status with which they ended. */
const executionsOf = (sums: ReadonlyArray<ReportSql.StepSums>) => {
  const { entered, waiting } = added(sums)
  const ended = (status: string) => sums.find(({ branch }) => branch === status)?.completed ?? 0
  return {
    started: entered,
    live: waiting,
    completed: ended("COMPLETED"),
    exited: ended("EXITED"),
    failed: ended("FAILED"),
    cancelled: ended("CANCELLED")
  }
}

const stepOf = (
  { id, name, type }: ReportSql.KeptStep,
  sums: ReadonlyArray<ReportSql.StepSums>,
  mail: ReportSql.StepMailSums | undefined,
  started: number
): WorkflowReport["steps"][number] => {
  const named = { stepId: id, name, type }
  // No execution visits the TRIGGER: each has passed it when it starts.
  if (type === "TRIGGER") {
    return {
      ...named,
      entered: started,
      waiting: 0,
      completed: started,
      skipped: 0,
      failed: 0,
      left: started,
      mail: null
    }
  }
  const { entered, waiting, completed, skipped, failed, dropped } = added(sums)
  const left = completed + skipped + failed + dropped
  return {
    ...named,
    entered,
    waiting,
    completed,
    skipped,
    failed,
    left,
    mail: type === "SEND_EMAIL" ? mailOf(mail) : null
  }
}

export type Needs = SqlClient.SqlClient | WorkflowGraphs.Needs | Workflows.Needs

export const make: Effect.Effect<WorkflowReports, never, Needs> = Effect.gen(function* () {
  const workflows = yield* Workflows.make
  const graphs = yield* WorkflowGraphs.make
  const store = yield* reading(ReportSql.make)

  const report = Effect.fn("WorkflowReports.report")(function* (
    project: ProjectId,
    workflow: WorkflowId,
    query: WorkflowReportQuery
  ): Effect.fn.Return<WorkflowReport, Refused> {
    const range = yield* dateRange(query, "UTC")
    const { steps: present } = yield* workflows.get(project, workflow)
    const { version } = query
    const filter = { ...range, version }
    const sums = Map.groupBy(yield* store.steps(project, workflow, filter), ({ step }) => step)
    const drawn = version === undefined ? present : yield* store.versionSteps(project, workflow, version)
    if (drawn === undefined) {
      return yield* new ResourceNotFound({ resource: "workflow_version", id: String(version) })
    }
    const known = new Set<string>([wholeWorkflow, ...drawn.map(({ id }) => id)])
    const earlier = yield* store.earlierSteps(
      project,
      workflow,
      [...sums.keys()].filter((step) => !known.has(step))
    )
    const steps: ReadonlyArray<ReportSql.KeptStep> = [...drawn, ...earlier]
    const senders = steps.filter(({ type }) => type === "SEND_EMAIL").map(({ id }) => id)
    const mail = new Map((yield* store.mail(project, senders, filter)).map((each) => [each.step, each]))
    const conversions = yield* store.conversions(project, workflow, filter)
    const executions = executionsOf(sums.get(wholeWorkflow) ?? [])
    return {
      version: version ?? null,
      executions: {
        ...executions,
        converted: conversions.reduce((sum, each) => sum + each.conversions, 0),
        revenue: conversions.flatMap(({ currency, amount }) => (currency === "" ? [] : [{ currency, amount }]))
      },
      steps: steps.map((step) => stepOf(step, sums.get(step.id) ?? [], mail.get(step.id), executions.started)),
      branches: steps.flatMap(({ id, type }) =>
        type === "TRIGGER"
          ? [{ stepId: id, branch: null, taken: executions.started }]
          : (sums.get(id) ?? []).flatMap(({ branch, completed }) =>
              completed === 0 ? [] : [{ stepId: id, branch: branch || null, taken: completed }]
            )
      ),
      experiments: yield* graphs.experiments(project, workflow)
    }
  })

  return { report } satisfies WorkflowReports
})

/** Adds up what executions have done since. */
export const rollUp: Effect.Effect<void, never, SqlClient.SqlClient> = Effect.flatMap(
  ReportSql.make,
  (store) => store.rollUp
)

const someWorkflows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ project: ProjectId, id: WorkflowId })))

/** Workflows that one statement reads. */
const page = 500

/** Counts the live executions of every workflow, and logs where the report says something else. */
export const recount: Effect.Effect<void, never, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const store = yield* ReportSql.make
  let last = { project: wholeWorkflow as string, id: wholeWorkflow as string }
  for (;;) {
    const some = yield* someWorkflows(
      yield* sql`
        select project_id as project, id from workflows
        where (project_id, id) > (${last.project}::uuid, ${last.id}::uuid) order by project_id, id limit ${page}`
    )
    for (const { project, id } of some) {
      const differences = yield* store.differences(project, id)
      if (differences.length === 0) continue
      yield* Effect.logError("The report of a workflow differs from its executions").pipe(
        Effect.annotateLogs({ project, workflow: id, differences: JSON.stringify(differences) })
      )
    }
    const end = some.at(-1)
    if (end === undefined || some.length < page) return
    last = end
  }
}).pipe(Effect.orDie, Effect.withSpan("WorkflowReports.recount"))
