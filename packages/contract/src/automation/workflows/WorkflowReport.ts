/** What became of the executions of a workflow, step by step. */
import { Schema } from "effect"
import { AtLeastOne, DateQuery, described, Id } from "../../platform/Primitives.ts"
import { SplitExperiment } from "./SplitExperiment.ts"
import { StepType } from "./StepType.ts"

export const WorkflowReportQuery = Schema.Struct({
  version: Schema.optionalKey(AtLeastOne).pipe(
    described("Only executions that started with this version or were migrated to it. Default: all.")
  ),
  startDate: Schema.optionalKey(DateQuery).pipe(
    described("Start, inclusive: a date (`2026-03-01`) or a date-time, ISO 8601. Its whole day in UTC counts.")
  ),
  endDate: Schema.optionalKey(DateQuery).pipe(
    described("End: a date or a date-time, ISO 8601. Its whole day in UTC counts.")
  )
})
export type WorkflowReportQuery = typeof WorkflowReportQuery.Type

export const RevenueSum = Schema.Struct({
  currency: Schema.String.pipe(described("Three letters, such as `EUR`.")),
  amount: Schema.Finite
}).annotate({ identifier: "RevenueSum", description: "Revenue in one currency." })
export type RevenueSum = typeof RevenueSum.Type

const MailOfStep = Schema.Struct({
  sent: Schema.Int,
  delivered: Schema.Int,
  humanOpened: Schema.Int.pipe(described("Mails that a person opened.")),
  humanClicked: Schema.Int.pipe(described("Mails with a link that a person followed.")),
  bounced: Schema.Int,
  complained: Schema.Int,
  unsubscribed: Schema.Int,
  converted: Schema.Int.pipe(
    described("Executions that reached the goal, and whose last mail before was of this step.")
  )
}).annotate({ identifier: "StepMail", description: "Results of the mail of a step. Each counts a mail once." })

const StepReport = Schema.Struct({
  stepId: Id,
  name: Schema.String,
  type: StepType,
  entered: Schema.Int.pipe(described("Visits that began.")),
  waiting: Schema.Int.pipe(described("Visits that have not ended: `entered` minus `left`.")),
  completed: Schema.Int,
  skipped: Schema.Int.pipe(described("Visits that did nothing, or during which the execution ended.")),
  failed: Schema.Int,
  left: Schema.Int.pipe(
    described("Visits that ended for any reason, even because the contact was deleted or the execution was cancelled.")
  ),
  mail: Schema.NullOr(MailOfStep).annotateKey({ description: "Only of a SEND_EMAIL step." })
}).annotate({ identifier: "StepReport", description: "What happened at one step." })

const BranchReport = Schema.Struct({
  stepId: Id,
  branch: Schema.NullOr(Schema.String).pipe(described("`null`: completed without a branch.")),
  taken: Schema.Int.pipe(described("Visits that were completed on this branch."))
}).annotate({ identifier: "BranchReport", description: "How often a branch was taken." })

const ExecutionSums = Schema.Struct({
  started: Schema.Int,
  live: Schema.Int.pipe(described("Executions that have not ended.")),
  completed: Schema.Int,
  exited: Schema.Int,
  failed: Schema.Int,
  cancelled: Schema.Int,
  converted: Schema.Int.pipe(
    described("Executions that reached the goal. Of one version: without those of deleted contacts.")
  ),
  revenue: Schema.Array(RevenueSum).pipe(described("Of the goal, by currency."))
}).annotate({
  identifier: "ExecutionSums",
  description: "Numbers of executions. Those of deleted contacts stay counted, so they may have started without an end."
})

export const WorkflowReport = Schema.Struct({
  version: Schema.NullOr(Schema.Int).pipe(described("`null`: all versions.")),
  executions: ExecutionSums,
  steps: Schema.Array(StepReport).pipe(described("In order of creation.")),
  branches: Schema.Array(BranchReport),
  experiments: Schema.Array(SplitExperiment).annotateKey({
    description: "Of SPLIT steps with an experiment, since its start."
  })
}).annotate({
  identifier: "WorkflowReport",
  description:
    "Numbers of a workflow. With a range they count what happened in it; `waiting` and `live` are then those at its end."
})
export type WorkflowReport = typeof WorkflowReport.Type
