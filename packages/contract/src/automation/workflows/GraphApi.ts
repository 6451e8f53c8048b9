/** Endpoints that edit the graph of a workflow. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiSchema, OpenApi } from "effect/http-api"
import { TemplateNotFound } from "../../content/templates/Template.ts"
import { Conflict, envelope, ResourceInUse, ResourceNotFound } from "../../platform/Errors.ts"
import { body } from "../../platform/Primitives.ts"
import { AddedStep, CreateStep, DeleteStepQuery, InsertStep, Step, StepNotFound, UpdateStep } from "./Step.ts"
import { AddedTransition, CreateTransition, Transition } from "./Transition.ts"
import { InvalidWorkflow, WorkflowNotFound } from "./Workflow.ts"
import { WorkflowId } from "./WorkflowId.ts"

const notFound = envelope(WorkflowNotFound)
const noStep = envelope(StepNotFound)
const noTemplate = envelope(TemplateNotFound)
const invalid = envelope(InvalidWorkflow)
const noTransition = envelope(ResourceNotFound)

/** Looked up in the workflow, not parsed: any other text is the same 404. */
const InWorkflow = Schema.String.annotate({ format: "uuid" })
const ofWorkflow = { id: WorkflowId }
const ofStep = { id: WorkflowId, stepId: InWorkflow }
const ofTransition = { id: WorkflowId, transitionId: InWorkflow }

export const graphEndpoints = [
  HttpApiEndpoint.post("addStep", "/:id/steps", {
    params: ofWorkflow,
    payload: body(CreateStep),
    success: AddedStep.pipe(HttpApiSchema.status(201)),
    error: [notFound, invalid, noTemplate]
  }).annotateMerge(
    OpenApi.annotations({
      summary: "Add a step",
      description:
        "Connected from the newest step without an outgoing transition, unless `autoConnect` is false. At most 100 steps. While the workflow is enabled, refused when it would not be valid."
    })
  ),
  HttpApiEndpoint.patch("updateStep", "/:id/steps/:stepId", {
    params: ofStep,
    payload: body(UpdateStep),
    success: Step,
    error: [notFound, invalid, noStep, noTemplate]
  }).annotateMerge(
    OpenApi.annotations({
      summary: "Change a step",
      description:
        "What is absent stays; `config` is replaced whole. It applies to visits that begin afterwards. The TRIGGER takes name and position only."
    })
  ),
  HttpApiEndpoint.delete("deleteStep", "/:id/steps/:stepId", {
    params: ofStep,
    query: DeleteStepQuery,
    success: HttpApiSchema.NoContent,
    error: [notFound, invalid, noStep, envelope(ResourceInUse)]
  }).annotateMerge(
    OpenApi.annotations({
      summary: "Delete a step",
      description:
        "Deletes its transitions too; with `splice=true` the step before it is connected to the step after it. Refused while an execution is at the step."
    })
  ),
  HttpApiEndpoint.post("addTransition", "/:id/transitions", {
    params: ofWorkflow,
    payload: body(CreateTransition),
    success: [AddedTransition, Transition.pipe(HttpApiSchema.status(200))],
    error: [notFound, invalid, noStep, envelope(Conflict)]
  }).annotateMerge(
    OpenApi.annotations({
      summary: "Connect two steps",
      description:
        "Replaces automatic transitions that contradict it. 200 when the transition exists already. 409 with reason `branch_taken` when another one leaves the step on this branch. At most 300 transitions."
    })
  ),
  HttpApiEndpoint.delete("deleteTransition", "/:id/transitions/:transitionId", {
    params: ofTransition,
    success: HttpApiSchema.NoContent,
    error: [notFound, invalid, noTransition]
  }).annotateMerge(
    OpenApi.annotations({
      summary: "Delete a transition",
      description: "An execution that later finishes the step on this route completes."
    })
  ),
  HttpApiEndpoint.post("insertStep", "/:id/transitions/:transitionId/insert-step", {
    params: ofTransition,
    payload: body(InsertStep),
    success: AddedStep.pipe(HttpApiSchema.status(201)),
    error: [notFound, invalid, noTransition, noTemplate]
  }).annotateMerge(
    OpenApi.annotations({
      summary: "Insert a step into a transition",
      description: "A to B becomes A to the new step to B. A new CONDITION goes on by `yes`."
    })
  )
] as const
