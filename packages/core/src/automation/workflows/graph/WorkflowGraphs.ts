/**
 * Edits the graph of a workflow. Each edit locks the workflow, computes the new graph, checks it if the workflow is
 * enabled, and stores it as a whole.
 */

import type { SplitExperiment } from "@posthorn/contract/automation/workflows/SplitExperiment"
import {
  type AddedStep,
  type CreateStep,
  type InsertStep,
  type Step,
  StepId,
  StepNotFound,
  type UpdateStep
} from "@posthorn/contract/automation/workflows/Step"
import { stepTypes } from "@posthorn/contract/automation/workflows/StepConfig"
import {
  type AddedTransition,
  type CreateTransition,
  type Transition,
  TransitionId
} from "@posthorn/contract/automation/workflows/Transition"
import { maxSteps, maxTransitions } from "@posthorn/contract/automation/workflows/WholeGraph"
import {
  type InvalidWorkflow,
  WorkflowNotFound,
  type WorkflowRecord
} from "@posthorn/contract/automation/workflows/Workflow"
import type { WorkflowId } from "@posthorn/contract/automation/workflows/WorkflowId"
import type { TemplateNotFound } from "@posthorn/contract/content/templates/Template"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Conflict, ResourceInUse, ResourceNotFound, ValidationError } from "@posthorn/contract/platform/Errors"
import { Array, DateTime, Effect, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { Transaction } from "../../../platform/Transaction.ts"
import * as SplitExperiments from "../SplitExperiments.ts"
import * as VersionHistory from "../versions/VersionHistory.ts"
import { WorkflowStore } from "../WorkflowStore.ts"
import { stepView, transitionView } from "../WorkflowView.ts"
import {
  applied,
  belowLast,
  type Graph,
  type GraphChange,
  type GraphStep,
  isFinal,
  noChange,
  withArticle
} from "./Graph.ts"
import * as GraphEdits from "./GraphEdits.ts"
import * as StepContents from "./StepContents.ts"
import * as WorkflowChecks from "./WorkflowChecks.ts"

type Refused = WorkflowNotFound | ValidationError | InvalidWorkflow

const isTested = ({ config, type }: GraphStep): boolean => type === "SPLIT" && config["experiment"] != null

/** Edits steps and transitions. */
export interface WorkflowGraphs {
  /** Adds a step. Unless `autoConnect` is false, the newest step without an outgoing transition then leads to it. */
  readonly addStep: (
    project: ProjectId,
    workflow: WorkflowId,
    input: CreateStep
  ) => Effect.Effect<AddedStep, Refused | TemplateNotFound>
  readonly updateStep: (
    project: ProjectId,
    workflow: WorkflowId,
    step: string,
    input: UpdateStep
  ) => Effect.Effect<Step, Refused | StepNotFound | TemplateNotFound>
  /**
   * Deletes a step with its transitions. With `splice`, transitions to it lead to the next step. Refused while an
   * execution is at the step.
   */
  readonly deleteStep: (
    project: ProjectId,
    workflow: WorkflowId,
    step: string,
    splice: boolean
  ) => Effect.Effect<void, Refused | StepNotFound | ResourceInUse>
  /**
   * Adds an explicit transition. It replaces automatic transitions that contradict it. An automatic transition that is
   * the same becomes explicit.
   */
  readonly addTransition: (
    project: ProjectId,
    workflow: WorkflowId,
    input: CreateTransition
  ) => Effect.Effect<AddedTransition | Transition, Refused | StepNotFound | Conflict>
  readonly deleteTransition: (
    project: ProjectId,
    workflow: WorkflowId,
    transition: string
  ) => Effect.Effect<void, Refused | ResourceNotFound>
  /**
   * The figures of the experiment of a SPLIT. Of a PUBLISHED workflow it is the experiment that executions run through,
   * whatever the draft says about the step.
   */
  readonly experiment: (
    project: ProjectId,
    workflow: WorkflowId,
    step: string
  ) => Effect.Effect<SplitExperiment, WorkflowNotFound | StepNotFound | ResourceNotFound>
  /** The figures of all experiments of the workflow. */
  readonly experiments: (project: ProjectId, workflow: WorkflowId) => Effect.Effect<ReadonlyArray<SplitExperiment>>
  /** From then on the branch takes every contact. */
  readonly decideExperiment: (
    project: ProjectId,
    workflow: WorkflowId,
    step: string,
    branch: string
  ) => Effect.Effect<Step, WorkflowNotFound | StepNotFound | ResourceNotFound | ValidationError>
  /** Counts from 0, and splits again. */
  readonly restartExperiment: (
    project: ProjectId,
    workflow: WorkflowId,
    step: string
  ) => Effect.Effect<Step, WorkflowNotFound | StepNotFound | ResourceNotFound>
  /** Inserts a step into a transition. From A to B becomes from A to the new step, and from there to B. */
  readonly insertStep: (
    project: ProjectId,
    workflow: WorkflowId,
    transition: string,
    input: InsertStep
  ) => Effect.Effect<AddedStep, Refused | ResourceNotFound | TemplateNotFound>
}

const refuse = (field: string, message: string) => ValidationError.one(field, "custom", message)

export type Needs =
  | Effect.Services<typeof SplitExperiments.make>
  | Effect.Services<typeof VersionHistory.make>
  | Effect.Services<typeof WorkflowChecks.make>
  | SecureRandom.SecureRandom
  | Transaction
  | WorkflowStore

export const make: Effect.Effect<WorkflowGraphs, never, Needs> = Effect.gen(function* () {
  const checks = yield* WorkflowChecks.make
  const contents = yield* StepContents.make
  const history = yield* VersionHistory.make
  const experiments = yield* SplitExperiments.make
  const random = yield* SecureRandom.SecureRandom
  const store = yield* WorkflowStore
  const transaction = yield* Transaction

  /** The workflow with its graph, locked until the transaction ends. */
  const open = Effect.fnUntraced(function* (project: ProjectId, id: WorkflowId) {
    const workflow = yield* store.lock(project, id)
    if (Option.isNone(workflow)) return yield* new WorkflowNotFound({ id })
    return { workflow: workflow.value, graph: yield* store.graph(project, id), now: yield* DateTime.now }
  })

  const save = Effect.fnUntraced(function* (
    { id, projectId, enabled, versioning, ...trigger }: WorkflowRecord,
    graph: Graph,
    change: GraphChange,
    now: DateTime.Utc
  ) {
    const next = applied(graph, change)
    if (next.transitions.length > maxTransitions && next.transitions.length > graph.transitions.length) {
      const message = `A workflow has at most ${maxTransitions} transitions.`
      return yield* ValidationError.one("", "too_big", message)
    }
    // A draft is checked when it is published.
    if (enabled && versioning === "LIVE") yield* checks.requireValid(projectId, trigger, next)
    yield* store.changeGraph(projectId, id, change, now)
    yield* history.record(projectId, id, "edit", now)
  })

  const stamp = Effect.fnUntraced(function* (now: DateTime.Utc) {
    return { id: TransitionId.make(yield* random.uuidV7()), now }
  })

  const stepIn = (graph: Graph, id: string) => {
    const step = graph.steps.find((each) => each.id === id.toLowerCase())
    return step === undefined ? Effect.fail(new StepNotFound({ id })) : Effect.succeed(step)
  }

  const transitionIn = (graph: Graph, id: string) => {
    const transition = graph.transitions.find((each) => each.id === id.toLowerCase())
    return transition === undefined
      ? Effect.fail(new ResourceNotFound({ resource: "transition", id }))
      : Effect.succeed(transition)
  }

  const viewOf = Effect.fnUntraced(function* (project: ProjectId, workflow: WorkflowId, step: GraphStep) {
    return stepView(workflow, step, yield* store.templatesOf(project, workflow))
  })

  const newStep = Effect.fnUntraced(function* (
    project: ProjectId,
    graph: Graph,
    { type, name, position, config, templateId }: InsertStep,
    now: DateTime.Utc
  ) {
    if (graph.steps.length >= maxSteps) {
      return yield* ValidationError.one("type", "too_big", `A workflow has at most ${maxSteps} steps.`)
    }
    const given = { config: config ?? {}, templateId: templateId ?? undefined }
    const content = yield* contents.read(project, type, given, { config: {}, templateId: null })
    const last = graph.steps.at(-1)
    return {
      id: StepId.make(yield* random.uuidV7()),
      ordinal: (last?.ordinal ?? 0) + 1,
      type,
      name: name ?? stepTypes[type].name,
      position: position ?? belowLast(last),
      ...content,
      createdAt: now,
      updatedAt: now
    } satisfies GraphStep
  })

  const addStep = Effect.fn("WorkflowGraphs.addStep")(function* (
    project: ProjectId,
    id: WorkflowId,
    input: CreateStep
  ) {
    const { workflow, graph, now } = yield* open(project, id)
    const step = yield* newStep(project, graph, input, now)
    const isLinked = (input.autoConnect ?? true) && graph.transitions.length < maxTransitions
    const change = GraphEdits.addStep(graph, step, isLinked, yield* stamp(now))
    yield* save(workflow, graph, change, now)
    const [transition] = change.putTransitions
    return {
      ...(yield* viewOf(project, id, step)),
      transition: transition === undefined ? null : transitionView(id, transition)
    }
  }, transaction.run)

  const insertStep = Effect.fn("WorkflowGraphs.insertStep")(function* (
    project: ProjectId,
    id: WorkflowId,
    transition: string,
    input: InsertStep
  ) {
    const { workflow, graph, now } = yield* open(project, id)
    const into = yield* transitionIn(graph, transition)
    if (isFinal(input.type)) return yield* refuse("type", `Nothing can follow ${withArticle(input.type)}.`)
    const step = yield* newStep(project, graph, input, now)
    const made = yield* stamp(now)
    const change = GraphEdits.insertStep(step, into, made)
    yield* save(workflow, graph, change, now)
    const outgoing = change.putTransitions.find((each) => each.id === made.id)
    return {
      ...(yield* viewOf(project, id, step)),
      transition: outgoing === undefined ? null : transitionView(id, outgoing)
    }
  }, transaction.run)

  const updateStep = Effect.fn("WorkflowGraphs.updateStep")(function* (
    project: ProjectId,
    id: WorkflowId,
    stepId: string,
    input: UpdateStep
  ) {
    const { workflow, graph, now } = yield* open(project, id)
    const before = yield* stepIn(graph, stepId)
    if (input.type != null && input.type !== before.type) return yield* refuse("type", "A step keeps its type.")
    const named = {
      ...before,
      name: input.name ?? before.name,
      position: input.position ?? before.position,
      updatedAt: now
    }
    const writesContent = input.config !== undefined || input.templateId !== undefined
    if (before.type === "TRIGGER" && writesContent) {
      const field = input.config === undefined ? "templateId" : "config"
      return yield* refuse(field, "The TRIGGER takes a name and a position; the rest is that of the workflow.")
    }
    const step: GraphStep =
      before.type === "TRIGGER" || !writesContent
        ? named
        : { ...named, ...(yield* contents.read(project, before.type, input, before)) }
    const change = { ...noChange, putSteps: [step] }
    if (writesContent) yield* save(workflow, graph, change, now)
    else {
      yield* store.changeGraph(project, id, change, now)
      yield* history.record(project, id, "edit", now)
    }
    return yield* viewOf(project, id, step)
  }, transaction.run)

  const deleteStep = Effect.fn("WorkflowGraphs.deleteStep")(function* (
    project: ProjectId,
    id: WorkflowId,
    stepId: string,
    splice: boolean
  ) {
    const { workflow, graph, now } = yield* open(project, id)
    const step = yield* stepIn(graph, stepId)
    if (step.type === "TRIGGER") return yield* refuse("stepId", "The TRIGGER goes with its workflow only.")
    const change = splice ? GraphEdits.spliceStep(graph, step, now) : GraphEdits.removeStep(graph, step)
    if (change === undefined) {
      return yield* refuse("splice", "The step leads to more than one step, so it is not clear which one comes next.")
    }
    const [active] = workflow.versioning === "LIVE" ? yield* store.activeAt(project, id, [step.id]) : []
    if (active !== undefined) return yield* new ResourceInUse({ activeExecutions: active.activeExecutions })
    yield* save(workflow, graph, change, now)
  }, transaction.run)

  const addTransition = Effect.fn("WorkflowGraphs.addTransition")(function* (
    project: ProjectId,
    id: WorkflowId,
    input: CreateTransition
  ) {
    const { workflow, graph, now } = yield* open(project, id)
    const from = yield* stepIn(graph, input.fromStepId)
    const to = yield* stepIn(graph, input.toStepId)
    const edge = { fromStepId: from.id, toStepId: to.id, branch: yield* branchOf(input) }
    const fault = GraphEdits.transitionFault(from, to, edge.branch)
    if (fault !== undefined) return yield* new ValidationError({ errors: [fault] })
    const taken = graph.transitions.find(
      (each) => !each.auto && each.fromStepId === from.id && each.branch === edge.branch
    )
    if (taken !== undefined) {
      if (!GraphEdits.isSame(taken, edge)) return yield* new Conflict({ reason: "branch_taken" })
      return transitionView(id, taken)
    }
    const wasThere = graph.transitions.some((each) => GraphEdits.isSame(each, edge))
    const { explicit, change } = GraphEdits.connect(graph, edge, yield* stamp(now))
    yield* save(workflow, graph, change, now)
    const view = transitionView(id, explicit)
    return wasThere ? view : { ...view, replacedTransitionIds: change.dropTransitions }
  }, transaction.run)

  const deleteTransition = Effect.fn("WorkflowGraphs.deleteTransition")(function* (
    project: ProjectId,
    id: WorkflowId,
    transition: string
  ) {
    const { workflow, graph, now } = yield* open(project, id)
    const { id: dropped } = yield* transitionIn(graph, transition)
    yield* save(workflow, graph, { ...noChange, dropTransitions: [dropped] }, now)
  }, transaction.run)

  /** A step with an experiment as executions run it, or as the draft has it. */
  const testedStep = Effect.fnUntraced(function* (project: ProjectId, id: WorkflowId, stepId: string) {
    const running = yield* store.runningGraph(project, id)
    const tested = running.steps.filter(isTested).find((each) => each.id === stepId.toLowerCase())
    return tested ?? (yield* stepIn(yield* store.graph(project, id), stepId))
  })

  const experimentsOf = Effect.fn("WorkflowGraphs.experiments")(function* (project: ProjectId, id: WorkflowId) {
    const running = (yield* store.runningGraph(project, id)).steps.filter(isTested)
    const known = new Set(running.map((step) => step.id))
    const drafted = (yield* store.graph(project, id)).steps.filter((step) => isTested(step) && !known.has(step.id))
    const figures = yield* Effect.forEach([...running, ...drafted], (step) =>
      Effect.option(experiments.figures(project, id, step))
    )
    return Array.getSomes(figures)
  })

  const experiment = Effect.fn("WorkflowGraphs.experiment")(function* (
    project: ProjectId,
    id: WorkflowId,
    stepId: string
  ) {
    if (Option.isNone(yield* store.find(project, id))) return yield* new WorkflowNotFound({ id })
    return yield* experiments.figures(project, id, yield* testedStep(project, id, stepId))
  })

  const decideExperiment = Effect.fn("WorkflowGraphs.decideExperiment")(function* (
    project: ProjectId,
    id: WorkflowId,
    stepId: string,
    branch: string
  ) {
    yield* open(project, id)
    const step = yield* testedStep(project, id, stepId)
    yield* experiments.choose(project, id, step, branch)
    return yield* viewOf(project, id, step)
  }, transaction.run)

  const restartExperiment = Effect.fn("WorkflowGraphs.restartExperiment")(function* (
    project: ProjectId,
    id: WorkflowId,
    stepId: string
  ) {
    yield* open(project, id)
    const step = yield* testedStep(project, id, stepId)
    yield* experiments.restart(project, id, step)
    return yield* viewOf(project, id, step)
  }, transaction.run)

  return {
    addStep,
    updateStep,
    deleteStep,
    addTransition,
    deleteTransition,
    insertStep,
    experiment,
    experiments: experimentsOf,
    decideExperiment,
    restartExperiment
  } satisfies WorkflowGraphs
})

/** Branches by the value of `waitOutcome`. */
const outcomes = { EVENT: "event", TIMEOUT: "timeout" }

/** The branch. A caller can give it in three fields. Null if none is given. */
const branchOf = (input: CreateTransition): Effect.Effect<string | null, ValidationError> => {
  const given = [input.branch, input.condition?.branch, input.waitOutcome && outcomes[input.waitOutcome]]
  const [branch = null, ...others] = new Set(given.filter((each) => each != null))
  return others.length === 0
    ? Effect.succeed(branch)
    : Effect.fail(refuse("branch", "The branch is given twice, and differs."))
}
