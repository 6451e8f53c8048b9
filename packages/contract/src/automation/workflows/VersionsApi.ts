/** Endpoints of the versions of a workflow. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiSchema, OpenApi } from "effect/http-api"
import { JobQueued } from "../../audience/contacts/ContactJob.ts"
import { Conflict, envelope, ResourceInUse, ResourceNotFound } from "../../platform/Errors.ts"
import { body } from "../../platform/Primitives.ts"
import { InvalidWorkflow, WorkflowDetail, WorkflowNotFound } from "./Workflow.ts"
import { WorkflowId } from "./WorkflowId.ts"
import {
  DiffQuery,
  MigrateExecutions,
  MigrationJob,
  MigrationPlan,
  PublishWorkflow,
  WorkflowDiff,
  WorkflowVersion,
  WorkflowVersionNumber,
  WorkflowVersionPage,
  WorkflowVersionQuery
} from "./WorkflowVersion.ts"

const notFound = envelope(WorkflowNotFound)
const noVersion = envelope(ResourceNotFound)
const invalid = envelope(InvalidWorkflow)
const conflict = envelope(Conflict)

/** Not checked to be an id: a malformed one is the same 404 as an unknown one. */
const UncheckedId = Schema.String.annotate({ format: "uuid" })
const ofWorkflow = { id: WorkflowId }
const ofVersion = { id: WorkflowId, n: WorkflowVersionNumber }

export const versionEndpoints = [
  HttpApiEndpoint.post("publish", "/:id/publish", {
    params: ofWorkflow,
    payload: body(PublishWorkflow),
    success: WorkflowDetail,
    error: [notFound, invalid, conflict]
  }).annotateMerge(
    OpenApi.annotations({
      summary: "Publish the draft",
      description:
        "Makes the draft the next version, with which executions start from then on. Live executions stay on theirs. Refused with 422 and all faults. 409 with reason `no_draft` when nothing has changed, `version_changed`, `not_versioned` for a workflow that is edited live, or `migration_running` while its executions are still pinned after a change of `versioning`."
    })
  ),
  HttpApiEndpoint.delete("removeDraft", "/:id/draft", {
    params: ofWorkflow,
    success: HttpApiSchema.NoContent,
    error: [notFound, conflict]
  }).annotateMerge(
    OpenApi.annotations({
      summary: "Discard the draft",
      description: "The draft is the published version again. 409 with reason `not_versioned`."
    })
  ),
  HttpApiEndpoint.get("versions", "/:id/versions", {
    params: ofWorkflow,
    query: WorkflowVersionQuery,
    success: WorkflowVersionPage,
    error: notFound
  }).annotateMerge(
    OpenApi.annotations({
      summary: "List the versions of a workflow",
      description:
        "Newest first, without their graphs. A workflow that is edited live gets a version when it is enabled and by edits while it is; the edits of one caller within 10 minutes are one. At most 100 are kept, beside those with live executions."
    })
  ),
  HttpApiEndpoint.get("version", "/:id/versions/:n", {
    params: ofVersion,
    success: WorkflowVersion,
    error: [notFound, noVersion]
  }).annotateMerge(
    OpenApi.annotations({
      summary: "Read a version of a workflow",
      description: "With trigger, settings, steps and transitions."
    })
  ),
  HttpApiEndpoint.get("diff", "/:id/versions/:n/diff", {
    params: ofVersion,
    query: DiffQuery,
    success: WorkflowDiff,
    error: [notFound, noVersion]
  }).annotateMerge(
    OpenApi.annotations({
      summary: "Compare two versions of a workflow",
      description:
        "What changes from this version to the other one, or to the draft. Steps have the same id in all versions."
    })
  ),
  HttpApiEndpoint.post("restore", "/:id/versions/:n/restore", {
    params: ofVersion,
    success: WorkflowDetail,
    error: [notFound, noVersion, invalid, envelope(ResourceInUse)]
  }).annotateMerge(
    OpenApi.annotations({
      summary: "Restore a version of a workflow",
      description:
        "The draft becomes this version; in a workflow that is edited live, the graph does, checked while it is enabled. Removed steps return with their ids. 409 RESOURCE_IN_USE with `steps` when a live execution is at a step of a live workflow that would go."
    })
  ),
  HttpApiEndpoint.post("migrate", "/:id/migrations", {
    params: ofWorkflow,
    payload: body(MigrateExecutions),
    success: [MigrationPlan, JobQueued],
    error: [notFound, noVersion, conflict]
  }).annotateMerge(
    OpenApi.annotations({
      summary: "Move live executions to a version",
      description:
        "An execution at a step that maps to itself goes on as it was; a wait that has begun keeps its config and its instant. At another step, its visit ends SKIPPED with the reason `migrated`, and the target step begins. Without a target it stays, or ends EXITED with exitReason `migrated`. `dryRun` counts. Queued; `GET /workflows/{id}/migrations/{jobId}` has the progress and the result. 409 with reason `migration_running` or `not_versioned`."
    })
  ),
  HttpApiEndpoint.get("migration", "/:id/migrations/:jobId", {
    params: { id: WorkflowId, jobId: UncheckedId },
    success: MigrationJob,
    error: [notFound, envelope(ResourceNotFound)]
  }).annotateMerge(
    OpenApi.annotations({ summary: "Read a migration", description: "Its progress, and the counts so far." })
  )
] as const
