/** Endpoints of executions. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ContactNotFound } from "../../audience/contacts/Contact.ts"
import { ProjectAccess } from "../../platform/Auth.ts"
import { Conflict, envelope, ResourceNotFound } from "../../platform/Errors.ts"
import { body } from "../../platform/Primitives.ts"
import { JsonBody, MalformedId, Validation } from "../../platform/Request.ts"
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

/** Not parsed as an id: any other text is the same 404. */
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
          "With any type of trigger; the steps run after the answer. 409 with reason `workflow_disabled`, `reentry_not_allowed` or `already_running`."
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
          "A step that is running finishes, and no step follows. Repeating it is harmless; 409 with reason `already_finished` for an execution that ended in another way."
      })
    ),
    HttpApiEndpoint.post("retry", "/:id/executions/:executionId/retry", {
      params: ofExecution,
      success: Execution,
      error: [notFound, noExecution, conflict]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Try a failed execution again",
        description: "Runs the failed step again. 409 with reason `not_retryable` or `already_running`."
      })
    )
  )
  .middleware(Validation)
  .middleware(JsonBody)
  .middleware(ProjectAccess)
  .annotate(MalformedId, (id) => Schema.encodeEffect(notFound)(new WorkflowNotFound({ id })))
  .annotate(OpenApi.Description, "Contacts in workflows.")
  .prefix("/workflows") {}
