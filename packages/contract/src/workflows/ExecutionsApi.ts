/** Endpoints of executions (contract-2 2.12). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ProjectAccess } from "../Auth.ts"
import { ContactNotFound } from "../contacts/Contact.ts"
import { Conflict, envelope, ResourceNotFound } from "../Errors.ts"
import { JsonBody, MalformedId, Validation } from "../Request.ts"
import { body } from "../Wire.ts"
import {
  CancelledExecutions,
  Execution,
  ExecutionDetail,
  ExecutionPage,
  ExecutionQuery,
  StartExecution
} from "./Execution.ts"
import { WorkflowNotFound } from "./Workflow.ts"
import { WorkflowId } from "./WorkflowId.ts"

const notFound = envelope(WorkflowNotFound)
const noExecution = envelope(ResourceNotFound)
const conflict = envelope(Conflict)

/** Whatever is not there is the same 404, also what is no id. */
const InWorkflow = Schema.String.annotate({ format: "uuid" })
const ofWorkflow = { id: WorkflowId }
const ofExecution = { id: WorkflowId, executionId: InWorkflow }

export class ExecutionsApi extends HttpApiGroup.make("executions")
  .add(
    HttpApiEndpoint.post("start", "/:id/executions", {
      params: ofWorkflow,
      payload: body(StartExecution),
      success: Execution.pipe(HttpApiSchema.status(201)),
      error: [notFound, envelope(ContactNotFound), conflict]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Start a workflow for a contact",
        description:
          "Whatever its trigger; the steps run afterwards. 409 with reason `workflow_disabled`, `reentry_not_allowed` or `already_running`."
      })
    ),
    HttpApiEndpoint.get("list", "/:id/executions", {
      params: ofWorkflow,
      query: ExecutionQuery,
      success: ExecutionPage,
      error: notFound
    }).annotateMerge(
      OpenApi.annotations({ summary: "List executions", description: "Newest first, without their visits of steps." })
    ),
    HttpApiEndpoint.post("cancelAll", "/:id/executions/cancel-all", {
      params: ofWorkflow,
      success: CancelledExecutions,
      error: notFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Cancel all executions",
        description: "Those that are RUNNING or WAITING; others may start meanwhile unless the workflow is disabled."
      })
    ),
    HttpApiEndpoint.get("get", "/:id/executions/:executionId", {
      params: ofExecution,
      success: ExecutionDetail,
      error: [notFound, noExecution]
    }).annotateMerge(
      OpenApi.annotations({ summary: "Read an execution", description: "With its visits of steps, oldest first." })
    ),
    HttpApiEndpoint.delete("cancel", "/:id/executions/:executionId", {
      params: ofExecution,
      success: Execution,
      error: [notFound, noExecution, conflict]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Cancel an execution",
        description:
          "A step at work finishes what it does, and nothing follows. Repeating it is harmless; 409 with reason `already_finished` for one that ended otherwise."
      })
    ),
    HttpApiEndpoint.post("retry", "/:id/executions/:executionId/retry", {
      params: ofExecution,
      success: Execution,
      error: [notFound, noExecution, conflict]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Try a failed execution again",
        description: "The failed step once more. 409 with reason `not_retryable` or `already_running`."
      })
    )
  )
  .middleware(Validation)
  .middleware(JsonBody)
  .middleware(ProjectAccess)
  .annotate(MalformedId, (id) => Schema.encodeEffect(notFound)(new WorkflowNotFound({ id })))
  .annotate(OpenApi.Description, "Contacts in workflows.")
  .prefix("/workflows") {}
