/** A workflow: a graph of steps that contacts go through, and its trigger. */
import { Schema } from "effect"
import { AnyEventName } from "../../audience/events/Event.ts"
import { EventName } from "../../events/EventName.ts"
import { ProjectId } from "../../platform/Auth.ts"
import { Fault } from "../../platform/Errors.ts"
import {
  described,
  IfUpdatedAt,
  IntBetween,
  lenient,
  Name,
  Note,
  OffsetPage,
  OffsetQuery,
  optional,
  required,
  Search,
  Timestamp
} from "../../platform/Primitives.ts"
import { ExitRule, ExitRules, WorkflowGoal } from "./Journey.ts"
import { Step } from "./Step.ts"
import { Transition } from "./Transition.ts"
import { EventTrigger, TriggerType } from "./Trigger.ts"
import { Versioning } from "./Versioning.ts"
import { WorkflowId } from "./WorkflowId.ts"

const WorkflowDraft = Schema.Struct({
  changed: Schema.Boolean.pipe(described("Whether the draft differs from the published version.")),
  changedAt: Schema.NullOr(Timestamp)
}).annotate({ identifier: "WorkflowDraft", description: "The state of the draft of a workflow." })

const record = {
  id: WorkflowId,
  projectId: ProjectId,
  name: Schema.String,
  description: Schema.NullOr(Schema.String).pipe(described("Internal note.")),
  triggerType: TriggerType,
  triggerConfig: Schema.JsonObject.pipe(
    described(
      "`EVENT`: `{eventName}`, and `where`, `verdict`, `condition` and `entryKey` if they are set. `MANUAL`: `{}`. `SCHEDULE`: `schedule`, `timezone`, and `segmentId` or `audienceType`."
    )
  ),
  enabled: Schema.Boolean,
  allowReentry: Schema.Boolean.pipe(
    described("Whether a contact may enter again after its execution ended; never while one is active.")
  ),
  reentryAfterHours: Schema.NullOr(Schema.Int).pipe(
    described("A contact may enter again so many hours after the start of its last execution. `null`: at once.")
  ),
  goal: Schema.NullOr(WorkflowGoal),
  exitRules: Schema.Array(ExitRule).pipe(described("In the order in which they are tried.")),
  nextRunAt: Schema.NullOr(Timestamp).pipe(described("Next firing of an enabled `SCHEDULE` workflow.")),
  versioning: Versioning.pipe(
    described(
      "`LIVE`: edits act on the graph that runs. `PUBLISHED`: edits act on a draft; executions stay on the version with which they started."
    )
  ),
  publishedVersion: Schema.NullOr(Schema.Int).pipe(
    described("Of a `PUBLISHED` workflow, the version that new executions start with.")
  ),
  draft: Schema.NullOr(WorkflowDraft).pipe(described("Of a `PUBLISHED` workflow."))
}

const dates = { createdAt: Timestamp, updatedAt: Timestamp }

const counts = {
  _count: Schema.Struct({
    steps: Schema.Int.pipe(described("The TRIGGER counts too.")),
    executions: Schema.Int,
    activeExecutions: Schema.Int.pipe(described("Executions that are RUNNING or WAITING."))
  })
}

const graph = {
  steps: Schema.Array(Step).pipe(described("In order of creation, the TRIGGER first.")),
  transitions: Schema.Array(Transition)
}

/** The record without the graph. */
export const WorkflowRecord = Schema.Struct({ ...record, ...dates })
export type WorkflowRecord = typeof WorkflowRecord.Type

/** A workflow in a list. */
export const ListedWorkflow = Schema.Struct({ ...record, ...counts, ...dates }).annotate({
  identifier: "ListedWorkflow",
  description: "A workflow without its graph."
})
export type ListedWorkflow = typeof ListedWorkflow.Type

/** The answer of POST and duplicate. */
export const Workflow = Schema.Struct({ ...record, ...graph, ...dates }).annotate({
  identifier: "Workflow",
  description: "A workflow with its graph."
})
export type Workflow = typeof Workflow.Type

export const Firing = Schema.Struct({
  scheduledFor: Timestamp,
  started: Schema.Int.pipe(described("Executions that it started.")),
  blocked: Schema.Int.pipe(described("Contacts for which no execution started, because they may not enter again.")),
  error: Schema.NullOr(Schema.String)
}).annotate({ identifier: "Firing", description: "One firing of a schedule." })
export type Firing = typeof Firing.Type

export const WorkflowDetail = Schema.Struct({
  ...record,
  ...counts,
  ...graph,
  recentFirings: Schema.optionalKey(Schema.Array(Firing)).pipe(
    described("The last 20 firings, newest first; only of a `SCHEDULE` workflow.")
  ),
  ...dates
}).annotate({ identifier: "WorkflowDetail", description: "A workflow with its graph and its counts." })
export type WorkflowDetail = typeof WorkflowDetail.Type

export const WorkflowQuery = Schema.Struct({
  ...OffsetQuery,
  search: Schema.optionalKey(Search),
  status: Schema.optionalKey(Schema.Literals(["active", "disabled"])).pipe(
    described("`active`: only enabled workflows. `disabled`: only disabled ones.")
  ),
  triggerType: Schema.optionalKey(TriggerType),
  sort: lenient("createdAt", "name", "updatedAt", "steps"),
  dir: lenient("desc", "asc")
})
export type WorkflowQuery = typeof WorkflowQuery.Type

export const WorkflowPage = OffsetPage("WorkflowPage", ListedWorkflow)
export type WorkflowPage = typeof WorkflowPage.Type

const nameText = "1 to 100 characters on one line."
const noteText = "Internal note, at most 500 characters."
const eventText = "Shorthand for `triggerConfig.eventName`."

/** Body of `POST /workflows`. `null` counts as absent. `enabled`, `triggerType`, `versioning` and `steps` are ignored. */
export const CreateWorkflow = Schema.Struct({
  name: required(Name(100)).pipe(described(nameText)),
  description: optional(Note(500)).pipe(described(noteText)),
  eventName: optional(EventName).pipe(described(eventText)),
  triggerConfig: optional(EventTrigger).annotateKey({
    description: "The event may be missing until the workflow is enabled."
  }),
  allowReentry: optional(Schema.Boolean).pipe(described("Default false."))
}).annotate({ identifier: "CreateWorkflow" })
export type CreateWorkflow = typeof CreateWorkflow.Type

/** Body of `PATCH /workflows/{id}`. Absent fields keep their values. `null` clears the description. */
export const UpdateWorkflow = Schema.Struct({
  name: Schema.optionalKey(Name(100)).pipe(described(nameText)),
  description: optional(Note(500)).pipe(described(noteText)),
  triggerType: Schema.optionalKey(TriggerType),
  triggerConfig: Schema.optionalKey(Schema.JsonObject).pipe(
    described("Its fields depend on the trigger type. Replaced as a whole; `{}` when only the type changes.")
  ),
  eventName: Schema.optionalKey(EventName).pipe(described(eventText)),
  enabled: Schema.optionalKey(Schema.Boolean).pipe(
    described("Enabling checks the whole workflow and is refused with all faults if it is invalid.")
  ),
  allowReentry: Schema.optionalKey(Schema.Boolean).pipe(
    described("With `entryKey`, it is judged for each value of the key.")
  ),
  reentryAfterHours: optional(IntBetween(1, 8_760)).pipe(
    described("1 to 8,760; needs `allowReentry`. Before so many hours after its last start a contact does not enter.")
  ),
  goal: optional(WorkflowGoal).annotateKey({ description: "`null` removes it." }),
  exitRules: Schema.optionalKey(ExitRules).annotateKey({ description: "At most 10. Replaced as a whole." }),
  versioning: Schema.optionalKey(Versioning).pipe(
    described(
      "To `PUBLISHED`: publishes the present graph, and live executions stay on it. To `LIVE`: needs an unchanged draft, and executions of the published version follow the graph."
    )
  ),
  ifUpdatedAt: IfUpdatedAt
}).annotate({ identifier: "UpdateWorkflow" })
export type UpdateWorkflow = typeof UpdateWorkflow.Type

export const WorkflowFieldsQuery = Schema.Struct({
  eventName: Schema.optionalKey(AnyEventName).pipe(
    described("The event whose data keys are listed as `event.<key>`; default: any event.")
  )
})
export type WorkflowFieldsQuery = typeof WorkflowFieldsQuery.Type

export const WorkflowField = Schema.Struct({
  field: Schema.String,
  type: Schema.Literals(["string", "number", "boolean", "date", "array", "object"]),
  category: Schema.Literals(["Contact Fields", "Custom Data", "Event Data"])
}).annotate({ identifier: "WorkflowField", description: "A field that a CONDITION can compare." })
export type WorkflowField = typeof WorkflowField.Type

export const WorkflowFields = Schema.Struct({
  fields: Schema.Array(Schema.String).pipe(described("Sorted by name, at most 1,000.")),
  typedFields: Schema.Array(WorkflowField),
  count: Schema.Int
}).annotate({ identifier: "WorkflowFields", description: "Names that a CONDITION can use as `field`." })
export type WorkflowFields = typeof WorkflowFields.Type

export const Validity = Schema.Struct({
  valid: Schema.Boolean.pipe(described("Whether it could be enabled.")),
  errors: Schema.Array(Fault),
  warnings: Schema.Array(Fault).pipe(described("Allowed, but probably a mistake."))
}).annotate({ identifier: "WorkflowValidity", description: "Faults of a workflow." })
export type Validity = typeof Validity.Type

export const SigningSecret = Schema.Struct({
  secret: Schema.String.pipe(described("`whsec_` and base64; signs the requests of WEBHOOK steps.")),
  createdAt: Timestamp
}).annotate({ identifier: "WorkflowSigningSecret", description: "The secret that WEBHOOK steps sign with." })
export type SigningSecret = typeof SigningSecret.Type

export const RotatedSigningSecret = Schema.Struct({
  ...SigningSecret.fields,
  previousValidUntil: Timestamp.pipe(described("Until then requests are signed with the previous secret as well."))
}).annotate({ identifier: "RotatedWorkflowSigningSecret", description: "The new secret." })
export type RotatedSigningSecret = typeof RotatedSigningSecret.Type

export class WorkflowNotFound extends Schema.TaggedError<WorkflowNotFound>()("WORKFLOW_NOT_FOUND", {
  resource: Schema.tag("workflow"),
  id: Schema.String
}) {
  override readonly message = `No workflow ${this.id} in this project.`
}

/**
 * The workflow to enable is not valid, or an edit would make an enabled workflow invalid. Fields are paths in the
 * workflow.
 */
export class InvalidWorkflow extends Schema.TaggedError<InvalidWorkflow>()("VALIDATION_ERROR", {
  errors: Schema.Array(Fault)
}) {
  override readonly message = `The workflow has ${this.errors.length} fault${this.errors.length === 1 ? "" : "s"}.`
}
