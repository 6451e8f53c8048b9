/** Endpoints of workflows. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ProjectAccess } from "../../platform/Auth.ts"
import { Conflict, envelope, ResourceInUse, ResourceNotFound } from "../../platform/Errors.ts"
import { body } from "../../platform/Primitives.ts"
import { JsonBody, MalformedId, Validation } from "../../platform/Request.ts"
import { graphEndpoints } from "./GraphApi.ts"
import { versionEndpoints } from "./VersionsApi.ts"
import {
  CreateWorkflow,
  InvalidWorkflow,
  RotatedSigningSecret,
  SigningSecret,
  UpdateWorkflow,
  Validity,
  Workflow,
  WorkflowDetail,
  WorkflowFields,
  WorkflowFieldsQuery,
  WorkflowNotFound,
  WorkflowPage,
  WorkflowQuery
} from "./Workflow.ts"
import { WorkflowId } from "./WorkflowId.ts"
import { WorkflowReport, WorkflowReportQuery } from "./WorkflowReport.ts"

const notFound = envelope(WorkflowNotFound)
const params = { id: WorkflowId }

export class WorkflowsApi extends HttpApiGroup.make("workflows")
  .add(
    HttpApiEndpoint.get("list", "/", { query: WorkflowQuery, success: WorkflowPage }).annotateMerge(
      OpenApi.annotations({
        summary: "List workflows",
        description:
          "Newest first unless sorted otherwise, without their graphs. `search` matches name and description."
      })
    ),
    HttpApiEndpoint.get("fields", "/fields", { query: WorkflowFieldsQuery, success: WorkflowFields }).annotateMerge(
      OpenApi.annotations({
        summary: "List fields for a CONDITION",
        description:
          "Fields of contacts, and data keys of the newest 100 events; with `eventName`, only of events with that name."
      })
    ),
    HttpApiEndpoint.get("signingSecret", "/signing-secret", { success: SigningSecret }).annotateMerge(
      OpenApi.annotations({
        summary: "Read the signing secret",
        description: "For OWNER and ADMIN. The requests of WEBHOOK steps are signed with it."
      })
    ),
    HttpApiEndpoint.post("rotateSigningSecret", "/signing-secret/rotate", {
      success: RotatedSigningSecret
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Replace the signing secret",
        description:
          "For OWNER and ADMIN. For 24 hours every request carries two signatures, one with the new secret and one with the old."
      })
    ),
    HttpApiEndpoint.post("create", "/", {
      payload: body(CreateWorkflow),
      success: Workflow.pipe(HttpApiSchema.status(201))
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Create a workflow",
        description:
          "The new workflow is disabled, is started by an event, and has a TRIGGER but no other step. A project has at most 500 workflows."
      })
    ),
    HttpApiEndpoint.get("get", "/:id", { params, success: WorkflowDetail, error: notFound }).annotateMerge(
      OpenApi.annotations({ summary: "Read a workflow", description: "With its steps and transitions." })
    ),
    HttpApiEndpoint.get("validate", "/:id/validate", { params, success: Validity, error: notFound }).annotateMerge(
      OpenApi.annotations({
        summary: "Check a workflow",
        description:
          "Returns the faults that prevent enabling it, and warnings about probable mistakes. Changes nothing."
      })
    ),
    HttpApiEndpoint.get("report", "/:id/report", {
      params,
      query: WorkflowReportQuery,
      success: WorkflowReport,
      error: [notFound, envelope(ResourceNotFound)]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Report of a workflow",
        description:
          "How many executions started and ended, and how many entered and left each step: what a drawing of the workflow with numbers needs. Exact as of the answer. Counts stay when contacts and mails are deleted."
      })
    ),
    HttpApiEndpoint.patch("update", "/:id", {
      params,
      payload: body(UpdateWorkflow),
      success: WorkflowDetail,
      error: [notFound, envelope(Conflict), envelope(InvalidWorkflow)]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Change, enable or disable a workflow",
        description:
          "Absent fields keep their values. With `ifUpdatedAt`, only if nothing has changed the workflow or its graph since, else 409 with reason `changed_meanwhile`. Refused with 422 and all faults if it would leave an invalid workflow enabled. Running executions are not affected. With `versioning: PUBLISHED`, trigger, re-entry, goal and exit rules of the draft change; enabling a workflow without a version publishes the draft. 409 with reason `draft_changed` for `versioning: LIVE` beside a changed draft, or `migration_running` while many live executions are still pinned or released after the last change of `versioning`."
      })
    ),
    HttpApiEndpoint.delete("delete", "/:id", {
      params,
      success: HttpApiSchema.NoContent,
      error: [notFound, envelope(ResourceInUse)]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Delete a workflow",
        description:
          "Deletes its graph and its finished executions too; mails and events stay. Refused while an execution is RUNNING or WAITING."
      })
    ),
    HttpApiEndpoint.post("duplicate", "/:id/duplicate", {
      params,
      success: Workflow.pipe(HttpApiSchema.status(201)),
      error: notFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Copy a workflow",
        description:
          "The copy is disabled and has ` (Copy)` after its name, the same trigger and graph, and no executions."
      })
    ),
    ...graphEndpoints,
    ...versionEndpoints
  )
  .middleware(Validation)
  .middleware(JsonBody)
  .middleware(ProjectAccess)
  .annotate(MalformedId, (id) => Schema.encodeEffect(notFound)(new WorkflowNotFound({ id })))
  .annotate(OpenApi.Description, "Graphs of steps that contacts go through.")
  .prefix("/workflows") {}
