/** Versions of a workflow: what is published or was recorded, how two of them differ, and the migration of executions. */
import { Schema, SchemaIssue } from "effect"
import { JobState } from "../../audience/contacts/ContactJob.ts"
import { AccountId } from "../../platform/Auth.ts"
import {
  described,
  Id,
  IntBetween,
  isLength,
  listOf,
  Note,
  OffsetPage,
  OffsetQuery,
  optional,
  required,
  Timestamp
} from "../../platform/Primitives.ts"
import { ExitRule, WorkflowGoal } from "./Journey.ts"
import { Step } from "./Step.ts"
import { StepType } from "./StepType.ts"
import { Transition } from "./Transition.ts"
import { TriggerType } from "./Trigger.ts"

/** Versions of one workflow that are kept. */
export const maxVersions = 100

const maxNumber = 2_147_483_647
const maxMapped = 100

/** The number of a version in a body. */
const VersionReference = IntBetween(1, maxNumber)

/** The number of a version in a path: a text that is no number is the same 404 as an unknown one. */
export const WorkflowVersionNumber = Schema.String.check(isLength(0, 100)).pipe(described("Number of the version."))

/** The author of a version. */
export const VersionAuthor = Schema.Struct({
  kind: Schema.Literals(["USER", "KEY", "SERVICE"]).pipe(
    described("`KEY`: a caller with a key. `SERVICE`: the service itself.")
  ),
  userId: Schema.NullOr(AccountId)
}).annotate({ identifier: "WorkflowVersionAuthor", description: "The author of a version of a workflow." })
export type VersionAuthor = typeof VersionAuthor.Type

const summary = {
  version: Schema.Int,
  note: Schema.NullOr(Schema.String),
  publishedAt: Timestamp.pipe(described("When it was published or, in a `LIVE` workflow, recorded.")),
  publishedBy: VersionAuthor
}

export const WorkflowVersionSummary = Schema.Struct({
  ...summary,
  steps: Schema.Int.pipe(described("The TRIGGER counts too.")),
  liveExecutions: Schema.Int.pipe(described("Executions with this `version` that are RUNNING or WAITING.")),
  executions: Schema.Int
}).annotate({ identifier: "WorkflowVersionSummary", description: "A version of a workflow without its graph." })
export type WorkflowVersionSummary = typeof WorkflowVersionSummary.Type

export const WorkflowVersionQuery = Schema.Struct(OffsetQuery)
export type WorkflowVersionQuery = typeof WorkflowVersionQuery.Type

export const WorkflowVersionPage = OffsetPage("WorkflowVersionPage", WorkflowVersionSummary)
export type WorkflowVersionPage = typeof WorkflowVersionPage.Type

export const WorkflowVersion = Schema.Struct({
  ...summary,
  triggerType: TriggerType,
  triggerConfig: Schema.JsonObject,
  allowReentry: Schema.Boolean,
  reentryAfterHours: Schema.NullOr(Schema.Int),
  goal: Schema.NullOr(WorkflowGoal),
  exitRules: Schema.Array(ExitRule),
  steps: Schema.Array(Step).pipe(described("In order of creation, the TRIGGER first.")),
  transitions: Schema.Array(Transition)
}).annotate({
  identifier: "WorkflowVersion",
  description: "A version of a workflow with its trigger, settings and graph."
})
export type WorkflowVersion = typeof WorkflowVersion.Type

/** Body of `POST /workflows/{id}/publish`. */
export const PublishWorkflow = Schema.Struct({
  note: optional(Note(500)).pipe(described("What is new, at most 500 characters.")),
  expectedVersion: optional(IntBetween(0, maxNumber)).pipe(
    described(
      "The published version that the draft is based on; 0: none. If another one is published: 409 with reason `version_changed`."
    )
  )
}).annotate({ identifier: "PublishWorkflow" })
export type PublishWorkflow = typeof PublishWorkflow.Type

export const DiffQuery = Schema.Struct({
  with: Schema.optionalKey(Schema.String.check(isLength(0, 100))).pipe(
    described("The number of the other version, or `draft`; default `draft`.")
  )
})
export type DiffQuery = typeof DiffQuery.Type

/** A value that differs. */
export const FieldDiff = Schema.Struct({
  path: Schema.String.pipe(described("Such as `config.amount`.")),
  from: Schema.Json.pipe(described("`null` where the field is not there.")),
  to: Schema.Json
}).annotate({ identifier: "WorkflowFieldDiff", description: "A field that differs." })
export type FieldDiff = typeof FieldDiff.Type

const NamedStep = Schema.Struct({ id: Id, name: Schema.String, type: StepType })
const Edge = Schema.Struct({ fromStepId: Id, toStepId: Id, branch: Schema.NullOr(Schema.String) })

export const WorkflowDiff = Schema.Struct({
  steps: Schema.Struct({
    added: Schema.Array(NamedStep).pipe(described("Steps that only the other version has.")),
    removed: Schema.Array(NamedStep).pipe(described("Steps that only this version has.")),
    changed: Schema.Array(Schema.Struct({ id: Id, name: Schema.String, fields: Schema.Array(FieldDiff) })).pipe(
      described("Name, config or template differ.")
    ),
    moved: Schema.Array(Id).pipe(described("Steps with another position."))
  }),
  transitions: Schema.Struct({ added: Schema.Array(Edge), removed: Schema.Array(Edge) }),
  settings: Schema.Array(FieldDiff).pipe(described("Trigger, re-entry, goal and exit rules."))
}).annotate({ identifier: "WorkflowDiff", description: "What differs from this version to the other one." })
export type WorkflowDiff = typeof WorkflowDiff.Type

/** Body of `POST /workflows/{id}/migrations`. */
export const MigrateExecutions = Schema.Struct({
  toVersion: required(VersionReference),
  fromVersions: required(
    Schema.Union([
      Schema.Literal("ALL"),
      listOf(VersionReference, Schema.isMinLength(1), Schema.isMaxLength(maxVersions))
    ])
  ).pipe(described("Numbers of versions, or `ALL`: every other version with live executions.")),
  mapping: optional(
    Schema.Record(Schema.String, Id).check(
      Schema.makeFilter<object>((mapping) =>
        Object.keys(mapping).length <= maxMapped
          ? []
          : [
              {
                path: [],
                issue: new SchemaIssue.InvalidValue({ code: "too_big", message: `At most ${maxMapped} steps.` })
              }
            ]
      )
    )
  ).pipe(
    described("Where executions go on, by the id of their step. A step that the target version has maps to itself.")
  ),
  unmapped: optional(Schema.Literals(["STAY", "EXIT"])).pipe(
    described("What becomes of executions at other steps.", "STAY")
  ),
  dryRun: optional(Schema.Boolean).pipe(described("Counts, and moves nothing.", "false"))
}).annotate({ identifier: "MigrateExecutions" })
export type MigrateExecutions = typeof MigrateExecutions.Type

export const MigrationPlan = Schema.Struct({
  total: Schema.Int.pipe(described("Live executions of the named versions.")),
  steps: Schema.Array(
    Schema.Struct({
      stepId: Id,
      executions: Schema.Int,
      toStepId: Schema.NullOr(Id),
      action: Schema.Literals(["MOVE", "STAY", "EXIT"])
    })
  )
}).annotate({ identifier: "WorkflowMigrationPlan", description: "What a migration would do now." })
export type MigrationPlan = typeof MigrationPlan.Type

export const MigrationResult = Schema.Struct({
  moved: Schema.Int,
  stayed: Schema.Int,
  exited: Schema.Int,
  failed: Schema.Int
}).annotate({ identifier: "WorkflowMigrationResult", description: "The executions of a migration." })
export type MigrationResult = typeof MigrationResult.Type

const moment = Schema.NullOr(Timestamp)

export const MigrationJob = Schema.Struct({
  id: Id,
  type: Schema.Literal("workflow-migration"),
  state: JobState,
  progress: Schema.Int.pipe(described("Percent, 0 to 100.")),
  result: Schema.NullOr(MigrationResult).pipe(
    described("Null while the job waits; the counts so far while it is active.")
  ),
  failedReason: Schema.NullOr(Schema.String).pipe(described("Why the job itself failed, after 3 tries.")),
  createdAt: Timestamp,
  startedAt: moment,
  finishedAt: moment
}).annotate({ identifier: "WorkflowMigrationJob", description: "A migration of executions. Kept for 30 days." })
export type MigrationJob = typeof MigrationJob.Type
