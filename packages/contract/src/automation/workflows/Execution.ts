/** An execution: one contact in one workflow, and the steps that it runs. */
import { Schema } from "effect"
import { ContactId } from "../../audience/contacts/Contact.ts"
import { isContactData } from "../../audience/contacts/ContactData.ts"
import { commaSeparated } from "../../mail/emails/Email.ts"
import {
  described,
  Id,
  IntBetween,
  isLength,
  isStorable,
  OffsetPage,
  OffsetQuery,
  optional,
  Page,
  PageQuery,
  required,
  Timestamp
} from "../../platform/Primitives.ts"
import { StepType } from "./StepType.ts"
import { TriggerType } from "./Trigger.ts"
import { WorkflowId } from "./WorkflowId.ts"

export const ExecutionId = Id.pipe(Schema.brand("ExecutionId"))
export type ExecutionId = typeof ExecutionId.Type

export const StepExecutionId = Id.pipe(Schema.brand("StepExecutionId"))
export type StepExecutionId = typeof StepExecutionId.Type

export const ExecutionStatus = Schema.Literals(["RUNNING", "WAITING", "COMPLETED", "EXITED", "FAILED", "CANCELLED"])
export type ExecutionStatus = typeof ExecutionStatus.Type

export const StepExecutionStatus = Schema.Literals([
  "PENDING",
  "RUNNING",
  "SCHEDULED",
  "WAITING",
  "COMPLETED",
  "SKIPPED",
  "FAILED"
])
export type StepExecutionStatus = typeof StepExecutionStatus.Type

const timestampOrNull = Schema.NullOr(Timestamp)
const VisitedStep = Schema.Struct({ id: Schema.NullOr(Id), name: Schema.String, type: StepType })

/** `code` is from a closed list of error codes. */
const StepError = Schema.Struct({ code: Schema.String, message: Schema.String })
/** The error of the step that failed. */
export const ExecutionError = Schema.Struct({ ...StepError.fields, stepId: Schema.NullOr(Id) })

export const StepExecution = Schema.Struct({
  id: StepExecutionId,
  executionId: ExecutionId,
  stepId: Schema.NullOr(Id).pipe(described("`null` after the step was deleted.")),
  step: VisitedStep.pipe(described("Name and type are kept after the step is deleted.")),
  iteration: Schema.Int.pipe(described("Number of this run of the step, from 1.")),
  status: StepExecutionStatus,
  attempts: Schema.Int,
  config: Schema.JsonObject.pipe(described("The config of the step when this run started.")),
  output: Schema.NullOr(Schema.JsonObject).pipe(
    described("The result, depending on the type of the step; at most 16 KB.")
  ),
  error: Schema.NullOr(StepError),
  branch: Schema.NullOr(Schema.String),
  scheduledFor: timestampOrNull.pipe(described("When it continues without an event.")),
  startedAt: timestampOrNull,
  completedAt: timestampOrNull,
  createdAt: Timestamp,
  updatedAt: Timestamp
}).annotate({ identifier: "StepExecution", description: "One run of a step in an execution." })
export type StepExecution = typeof StepExecution.Type

const record = {
  id: ExecutionId,
  workflowId: WorkflowId,
  contactId: ContactId,
  contact: Schema.Struct({ id: ContactId, email: Schema.String }),
  status: ExecutionStatus,
  currentStepId: Schema.NullOr(Id),
  currentStep: Schema.NullOr(Schema.Struct({ id: Id, name: Schema.String, type: StepType })).pipe(
    described("Of a finished execution, the last step that it reached; `null` after that step was deleted.")
  ),
  version: Schema.NullOr(Schema.Int).pipe(
    described(
      "The version of the workflow with which it started, or to which it was migrated; `null` before versions were kept."
    )
  ),
  source: TriggerType.pipe(described("How it started.")),
  triggerEventId: Schema.NullOr(Id).pipe(described("The event that started it.")),
  context: Schema.JsonObject.pipe(
    described("Variables of the execution; texts and conditions refer to them as `event.<key>`.")
  ),
  entryKey: Schema.String.pipe(
    described("The value that tells it from other executions of the contact; empty without `entryKey`.")
  ),
  converted: Schema.Boolean.pipe(described("Whether the goal of the workflow was reached.")),
  exitReason: Schema.NullOr(Schema.String),
  exitRuleId: Schema.NullOr(Schema.String).pipe(described("The exit rule that ended it.")),
  error: Schema.NullOr(ExecutionError),
  resumeAt: timestampOrNull.pipe(described("While WAITING: when it continues by itself.")),
  startedAt: Timestamp,
  completedAt: timestampOrNull,
  createdAt: Timestamp,
  updatedAt: Timestamp
}

export const Execution = Schema.Struct(record).annotate({
  identifier: "Execution",
  description: "One contact in one workflow."
})
export type Execution = typeof Execution.Type

const ofWorkflow = { workflow: Schema.Struct({ id: WorkflowId, name: Schema.String }) }

export const ExecutionDetail = Schema.Struct({
  ...record,
  ...ofWorkflow,
  stepExecutions: Schema.Array(StepExecution).pipe(described("Oldest first."))
}).annotate({ identifier: "ExecutionDetail", description: "An execution with its step executions." })
export type ExecutionDetail = typeof ExecutionDetail.Type

export const ExecutionPage = OffsetPage("ExecutionPage", Execution)
export type ExecutionPage = typeof ExecutionPage.Type

export const ContactExecution = Schema.Struct({ ...record, ...ofWorkflow }).annotate({
  identifier: "ContactExecution",
  description: "An execution of a contact with its workflow."
})
export type ContactExecution = typeof ContactExecution.Type

export const ContactExecutionPage = Page("ContactExecutionPage", ContactExecution)
export type ContactExecutionPage = typeof ContactExecutionPage.Type

export const StartExecution = Schema.Struct({
  contactId: required(ContactId),
  context: optional(Schema.JsonObject.check(isContactData)).pipe(
    described("Variables of the execution; default `{}`. At most 64 KB as JSON, 10 levels, 500 keys in an object.")
  ),
  entryKey: optional(Schema.String.check(isLength(0, 200), isStorable)).pipe(
    described("Tells executions of the contact apart, as the `entryKey` of the trigger does; default empty.")
  )
}).annotate({ identifier: "StartExecution" })
export type StartExecution = typeof StartExecution.Type

const status = Schema.optionalKey(commaSeparated(ExecutionStatus)).pipe(
  described("Only executions in one of these states: separated by commas, such as `RUNNING,WAITING`.")
)

export const ContactExecutionQuery = Schema.Struct({ ...PageQuery, status })
export type ContactExecutionQuery = typeof ContactExecutionQuery.Type

export const ExecutionQuery = Schema.Struct({
  ...OffsetQuery,
  status,
  contactId: Schema.optionalKey(Id),
  version: Schema.optionalKey(IntBetween(1, 2_147_483_647)).pipe(described("Only executions with this version.")),
  currentStepId: Schema.optionalKey(Id).pipe(described("Only executions that wait at this step."))
})
export type ExecutionQuery = typeof ExecutionQuery.Type

export const CancelledExecutions = Schema.Struct({ cancelled: Schema.Int }).annotate({
  identifier: "CancelledExecutions",
  description: "How many executions were cancelled."
})
export type CancelledExecutions = typeof CancelledExecutions.Type
