/** Endpoints of executions. */
import { Effect, Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ContactId, ContactNotFound } from "../../audience/contacts/Contact.ts"
import { ProjectAccess } from "../../platform/Auth.ts"
import { Conflict, envelope, InvalidCursor, ResourceNotFound } from "../../platform/Errors.ts"
import { body } from "../../platform/Primitives.ts"
import { JsonBody, MalformedId, Validation } from "../../platform/Request.ts"
import {
  CancelledExecutions,
  ContactExecutionPage,
  ContactExecutionQuery,
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
const noContact = envelope(ContactNotFound)
const conflict = envelope(Conflict)

/** Not checked to be an id: a malformed one is the same 404 as an unknown one. */
const UncheckedId = Schema.String.annotate({ format: "uuid" })
const ofWorkflow = { id: WorkflowId }
const ofExecution = { id: WorkflowId, executionId: UncheckedId }

export class ExecutionsApi extends HttpApiGroup.make("executions")
  .add(
    HttpApiEndpoint.post("start", "/:id/executions", {
      params: ofWorkflow,
      payload: body(StartExecution),
      success: Execution.pipe(HttpApiSchema.status(201)),
      error: [notFound, noContact, conflict]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Start a workflow for a contact",
        description:
          "Works with any type of trigger; the steps run after the response. 409 with reason `workflow_disabled`, `reentry_not_allowed` or `already_running`."
      })
    ),
    HttpApiEndpoint.get("list", "/:id/executions", {
      params: ofWorkflow,
      query: ExecutionQuery,
      success: ExecutionPage,
      error: notFound
    }).annotateMerge(
      OpenApi.annotations({ summary: "List executions", description: "Newest first, without their step executions." })
    ),
    HttpApiEndpoint.post("cancelAll", "/:id/executions/cancel-all", {
      params: ofWorkflow,
      success: CancelledExecutions,
      error: notFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Cancel all executions",
        description:
          "Cancels the executions that are RUNNING or WAITING; new ones can start meanwhile unless the workflow is disabled."
      })
    ),
    HttpApiEndpoint.get("get", "/:id/executions/:executionId", {
      params: ofExecution,
      success: ExecutionDetail,
      error: [notFound, noExecution]
    }).annotateMerge(
      OpenApi.annotations({ summary: "Read an execution", description: "With its step executions, oldest first." })
    ),
    HttpApiEndpoint.delete("cancel", "/:id/executions/:executionId", {
      params: ofExecution,
      success: Execution,
      error: [notFound, noExecution, conflict]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Cancel an execution",
        description:
          "A running step finishes, but no other step starts. Safe to repeat; 409 with reason `already_finished` for an execution that ended in another way."
      })
    ),
    HttpApiEndpoint.post("retry", "/:id/executions/:executionId/retry", {
      params: ofExecution,
      success: Execution,
      error: [notFound, noExecution, conflict]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Retry a failed execution",
        description: "Runs the failed step again. 409 with reason `not_retryable` or `already_running`."
      })
    )
  )
  .middleware(Validation)
  .middleware(JsonBody)
  .middleware(ProjectAccess)
  .annotate(MalformedId, (id) => Schema.encodeEffect(notFound)(new WorkflowNotFound({ id })))
  .annotate(OpenApi.Description, "Executions: each is one contact in one workflow.")
  .prefix("/workflows")
  // Added after the others, so that its path is below contacts.
  .add(
    HttpApiEndpoint.get("ofContact", "/contacts/:id/executions", {
      params: { id: ContactId },
      query: ContactExecutionQuery,
      success: ContactExecutionPage,
      error: [noContact, envelope(InvalidCursor)]
    })
      .annotate(MalformedId, (id) => Effect.orDie(Schema.encodeEffect(noContact)(new ContactNotFound({ id }))))
      .annotateMerge(
        OpenApi.annotations({
          summary: "List a contact's executions",
          description: "In all workflows, newest first, without their step executions."
        })
      )
      .middleware(Validation)
      .middleware(JsonBody)
      .middleware(ProjectAccess)
  ) {}
