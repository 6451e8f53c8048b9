/** Endpoints of workflows. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ProjectAccess } from "../../platform/Auth.ts"
import { envelope, ResourceInUse } from "../../platform/Errors.ts"
import { body } from "../../platform/Primitives.ts"
import { JsonBody, MalformedId, Validation } from "../../platform/Request.ts"
import { graphEndpoints } from "./GraphApi.ts"
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

const notFound = envelope(WorkflowNotFound)
const params = { id: WorkflowId }

export class WorkflowsApi extends HttpApiGroup.make("workflows")
  .add(
    HttpApiEndpoint.get("list", "/", { query: WorkflowQuery, success: WorkflowPage }).annotateMerge(
      OpenApi.annotations({
        summary: "List workflows",
        description:
          "Newest first unless sorted otherwise, without their graphs. `search` looks in name and description."
      })
    ),
    HttpApiEndpoint.get("fields", "/fields", { query: WorkflowFieldsQuery, success: WorkflowFields }).annotateMerge(
      OpenApi.annotations({
        summary: "List what a CONDITION can look at",
        description:
          "Fields of contacts, and keys of the data of the newest 100 events, of that name where one is given."
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
          "For OWNER and ADMIN. For 24 hours every request carries two signatures, of the new and the old one."
      })
    ),
    HttpApiEndpoint.post("create", "/", {
      payload: body(CreateWorkflow),
      success: Workflow.pipe(HttpApiSchema.status(201))
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Create a workflow",
        description: "Disabled, started by an event, with its TRIGGER and no other step. A project has at most 500."
      })
    ),
    HttpApiEndpoint.get("get", "/:id", { params, success: WorkflowDetail, error: notFound }).annotateMerge(
      OpenApi.annotations({ summary: "Read a workflow", description: "With its steps and transitions." })
    ),
    HttpApiEndpoint.get("validate", "/:id/validate", { params, success: Validity, error: notFound }).annotateMerge(
      OpenApi.annotations({
        summary: "Check a workflow",
        description:
          "The faults that prevent enabling it, and warnings about what is probably a mistake. Nothing is changed."
      })
    ),
    HttpApiEndpoint.patch("update", "/:id", {
      params,
      payload: body(UpdateWorkflow),
      success: WorkflowDetail,
      error: [notFound, envelope(InvalidWorkflow)]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Change, enable or disable a workflow",
        description:
          "What is absent stays. Refused with 422 and all faults when it would be enabled and is not valid. Running executions are not affected."
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
          "With its graph and the executions that are over; mail and events stay. Refused while an execution is RUNNING or WAITING."
      })
    ),
    HttpApiEndpoint.post("duplicate", "/:id/duplicate", {
      params,
      success: Workflow.pipe(HttpApiSchema.status(201)),
      error: notFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Copy a workflow",
        description: "Disabled, under its name with ` (Copy)`, with the same trigger and graph and no executions."
      })
    ),
    ...graphEndpoints
  )
  .middleware(Validation)
  .middleware(JsonBody)
  .middleware(ProjectAccess)
  .annotate(MalformedId, (id) => Schema.encodeEffect(notFound)(new WorkflowNotFound({ id })))
  .annotate(OpenApi.Description, "Graphs of steps that contacts go through.")
  .prefix("/workflows") {}
