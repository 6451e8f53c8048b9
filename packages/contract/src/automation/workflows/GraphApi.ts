/** Endpoints that edit the graph of a workflow. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiSchema, OpenApi } from "effect/http-api"
import { ContactNotFound } from "../../audience/contacts/Contact.ts"
import { OwnerResults, TemplateLinks } from "../../content/links/Links.ts"
import { TemplateNotFound } from "../../content/templates/Template.ts"
import { Conflict, envelope, ResourceInUse, ResourceNotFound } from "../../platform/Errors.ts"
import { body } from "../../platform/Primitives.ts"
import { ChooseWinner, SplitExperiment } from "./SplitExperiment.ts"
import { AddedStep, CreateStep, DeleteStepQuery, InsertStep, Step, StepNotFound, UpdateStep } from "./Step.ts"
import { StartTestRun, TestRun } from "./TestRun.ts"
import { AddedTransition, CreateTransition, Transition } from "./Transition.ts"
import { ReplacedGraph, WholeGraph } from "./WholeGraph.ts"
import { InvalidWorkflow, Validity, WorkflowNotFound } from "./Workflow.ts"
import { WorkflowId } from "./WorkflowId.ts"

const notFound = envelope(WorkflowNotFound)
const noStep = envelope(StepNotFound)
const noTemplate = envelope(TemplateNotFound)
const invalid = envelope(InvalidWorkflow)
const noTransition = envelope(ResourceNotFound)
const noExperiment = envelope(ResourceNotFound)
const noVersion = envelope(ResourceNotFound)
const noContact = envelope(ContactNotFound)

/** Not checked to be an id: a malformed one is the same 404 as an unknown one. */
const UncheckedId = Schema.String.annotate({ format: "uuid" })
const ofWorkflow = { id: WorkflowId }
const ofStep = { id: WorkflowId, stepId: UncheckedId }
const ofTransition = { id: WorkflowId, transitionId: UncheckedId }

export const graphEndpoints = [
  HttpApiEndpoint.put("replaceGraph", "/:id/graph", {
    params: ofWorkflow,
    payload: body(WholeGraph),
    success: ReplacedGraph,
    error: [notFound, invalid, noStep, envelope(ResourceInUse), envelope(Conflict)]
  }).annotateMerge(
    OpenApi.annotations({
      summary: "Replace the graph of a workflow",
      description:
        "Steps, transitions and trigger in one transaction; what the body leaves out is removed. Steps with an id keep their executions and results. Faults name steps by key or id (`steps.<key>.config.amount`) and transitions by position. Refused with all faults if a config is wrong or an enabled workflow would become invalid. 409 RESOURCE_IN_USE with `steps`, each `{stepId, activeExecutions}`, while executions are at removed steps. 409 CONFLICT `changed_meanwhile` if the workflow was changed after `ifUpdatedAt`."
    })
  ),
  HttpApiEndpoint.post("validateGraph", "/:id/validate", {
    params: ofWorkflow,
    payload: body(WholeGraph),
    success: Validity,
    error: [notFound, noStep]
  }).annotateMerge(
    OpenApi.annotations({
      summary: "Check a graph without storing it",
      description:
        "The answer of `GET /workflows/{id}/validate` if this were the graph of the workflow. Faults name steps by key or id and transitions by position. `ifUpdatedAt` is not compared. Changes nothing; allowed while the project is disabled."
    })
  ),
  HttpApiEndpoint.post("addStep", "/:id/steps", {
    params: ofWorkflow,
    payload: body(CreateStep),
    success: AddedStep.pipe(HttpApiSchema.status(201)),
    error: [notFound, invalid, noTemplate]
  }).annotateMerge(
    OpenApi.annotations({
      summary: "Add a step",
      description:
        "Connects the newest step without an outgoing transition to the new step, unless `autoConnect` is false. A workflow has at most 100 steps. Refused if it would make an enabled workflow invalid."
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
        "Absent fields keep their values; `config` is replaced as a whole. The change applies to executions that reach the step afterwards. Only the name and position of the TRIGGER can change."
    })
  ),
  HttpApiEndpoint.post("testRun", "/:id/test-runs", {
    params: ofWorkflow,
    payload: body(StartTestRun),
    success: TestRun,
    error: [notFound, noContact, noVersion]
  }).annotateMerge(
    OpenApi.annotations({
      summary: "Try out a workflow",
      description:
        "Takes one contact through the graph, enabled or not, with the logic of its steps and a clock of its own. Nothing is stored, sent, called, charged or tracked: `UPDATE_CONTACT` changes a copy, a RATE_LIMIT counts this run alone, and a WEBHOOK gets the answer from `webhooks`. Conditions see the stored events of the contact and those of the run. A mail counts as sent and delivered at once; the script opens and clicks it. 422 on `script` beyond 1,000 visits, 5 years, 2 seconds of computing or 2 MB."
    })
  ),
  HttpApiEndpoint.get("stepLinks", "/:id/steps/:stepId/links", {
    params: ofStep,
    success: TemplateLinks,
    error: [notFound, noStep]
  }).annotateMerge(
    OpenApi.annotations({
      summary: "Clicks on the links of a step",
      description:
        "For a SEND_EMAIL step, by the links as written in its template. Exact; counts stay when mails are deleted."
    })
  ),
  HttpApiEndpoint.get("stepStats", "/:id/steps/:stepId/stats", {
    params: ofStep,
    success: OwnerResults,
    error: [notFound, noStep]
  }).annotateMerge(
    OpenApi.annotations({
      summary: "Results of a step",
      description: "Counts and rates of the mail of a SEND_EMAIL step."
    })
  ),
  HttpApiEndpoint.get("experiment", "/:id/steps/:stepId/experiment", {
    params: ofStep,
    success: SplitExperiment,
    error: [notFound, noStep, noExperiment]
  }).annotateMerge(
    OpenApi.annotations({
      summary: "Show the experiment of a step",
      description: "For a SPLIT step with `experiment`. Figures decide nothing before `final`."
    })
  ),
  HttpApiEndpoint.post("decideExperiment", "/:id/steps/:stepId/experiment/winner", {
    params: ofStep,
    payload: body(ChooseWinner),
    success: Step,
    error: [notFound, noStep, noExperiment]
  }).annotateMerge(
    OpenApi.annotations({
      summary: "Choose the winner of an experiment",
      description: "At any time. Every contact takes the branch from then on. The same branch again changes nothing."
    })
  ),
  HttpApiEndpoint.post("restartExperiment", "/:id/steps/:stepId/experiment/restart", {
    params: ofStep,
    success: Step,
    error: [notFound, noStep, noExperiment]
  }).annotateMerge(
    OpenApi.annotations({
      summary: "Restart an experiment",
      description: "Counts from 0 and splits the contacts by their shares again."
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
        "Replaces automatic transitions that contradict it. 200 if the transition already exists. 409 with reason `branch_taken` if the step has another transition for this branch. At most 300 transitions."
    })
  ),
  HttpApiEndpoint.delete("deleteTransition", "/:id/transitions/:transitionId", {
    params: ofTransition,
    success: HttpApiSchema.NoContent,
    error: [notFound, invalid, noTransition]
  }).annotateMerge(
    OpenApi.annotations({
      summary: "Delete a transition",
      description: "An execution that would have followed it completes instead."
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
      description:
        "The transition from A to B becomes one from A to the new step and one from the new step to B. A new CONDITION leads to B on the branch `yes`."
    })
  )
] as const
