/** Creates, reads, changes, enables, copies and deletes workflows. */

import { StepId, type StepNotFound } from "@posthorn/contract/automation/workflows/Step"
import { TransitionId } from "@posthorn/contract/automation/workflows/Transition"
import type { ReplacedGraph, WholeGraph } from "@posthorn/contract/automation/workflows/WholeGraph"
import {
  type CreateWorkflow,
  InvalidWorkflow,
  type UpdateWorkflow,
  type Validity,
  type Workflow,
  type WorkflowDetail,
  type WorkflowFields as WorkflowFieldList,
  WorkflowNotFound,
  type WorkflowPage,
  type WorkflowQuery,
  type WorkflowRecord
} from "@posthorn/contract/automation/workflows/Workflow"
import { WorkflowId } from "@posthorn/contract/automation/workflows/WorkflowId"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Conflict, ResourceInUse, ValidationError } from "@posthorn/contract/platform/Errors"
import { DateTime, Effect, Equal, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import * as Audiences from "../../audience/segments/Audiences.ts"
import { recorded } from "../../platform/audit/Audited.ts"
import { copyName } from "../../platform/CopyName.ts"
import { offsetPage, placeOf, sliceOf } from "../../platform/OffsetPages.ts"
import { Transaction } from "../../platform/Transaction.ts"
import * as JourneyChecks from "./goals/JourneyChecks.ts"
import { reentryFaults } from "./goals/JourneyChecks.ts"
import { applied, type Graph, type GraphStep, noChange, triggerOf } from "./graph/Graph.ts"
import { inferEntry } from "./graph/GraphEdits.ts"
import { graphWarnings } from "./graph/GraphValidity.ts"
import {
  isSameTrigger,
  makeTriggerContents,
  maxName,
  nameOfTrigger,
  type TriggerContent,
  withTrigger
} from "./graph/TriggerContents.ts"
import * as WholeGraphs from "./graph/WholeGraphs.ts"
import * as WorkflowChecks from "./graph/WorkflowChecks.ts"
import * as Publishing from "./versions/Publishing.ts"
import * as WorkflowFields from "./WorkflowFields.ts"
import { type WorkflowContent, WorkflowStore } from "./WorkflowStore.ts"
import { graphView } from "./WorkflowView.ts"

/** Manages workflows. */
export interface Workflows {
  readonly list: (project: ProjectId, query: WorkflowQuery) => Effect.Effect<WorkflowPage>
  /**
   * The fields that a CONDITION can compare: of contacts, and data keys of the newest events (of one name or of any).
   */
  readonly fields: (project: ProjectId, eventName: string | undefined) => Effect.Effect<WorkflowFieldList>
  /** The new workflow is disabled and has only its TRIGGER. */
  readonly create: (project: ProjectId, input: CreateWorkflow) => Effect.Effect<Workflow, ValidationError>
  readonly get: (project: ProjectId, id: WorkflowId) => Effect.Effect<WorkflowDetail, WorkflowNotFound>
  /** Makes the checks of enabling without enabling. */
  readonly validate: (project: ProjectId, id: WorkflowId) => Effect.Effect<Validity, WorkflowNotFound>
  /**
   * Changes the given fields, all or none. An enabled workflow must be valid. Enabling connects the TRIGGER if only
   * one step can be the entry. Running executions are not affected. Of a PUBLISHED workflow it changes the draft.
   */
  readonly update: (
    project: ProjectId,
    id: WorkflowId,
    input: UpdateWorkflow
  ) => Effect.Effect<WorkflowDetail, Conflict | WorkflowNotFound | ValidationError | InvalidWorkflow>
  /**
   * Replaces trigger, steps and transitions, all or none. Steps keep their ids, and with them their executions and
   * results; removed ones come back under theirs. An enabled workflow must be valid. Refused while an execution is at a
   * removed step, and if the workflow has changed since `ifUpdatedAt`.
   */
  readonly replaceGraph: (
    project: ProjectId,
    id: WorkflowId,
    body: WholeGraph
  ) => Effect.Effect<
    ReplacedGraph,
    Conflict | InvalidWorkflow | ResourceInUse | StepNotFound | ValidationError | WorkflowNotFound
  >
  /** Makes the checks of `validate` on another graph, and stores nothing. */
  readonly validateGraph: (
    project: ProjectId,
    id: WorkflowId,
    body: WholeGraph
  ) => Effect.Effect<Validity, StepNotFound | WorkflowNotFound>
  /** Refused while an execution is RUNNING or WAITING. */
  readonly delete: (project: ProjectId, id: WorkflowId) => Effect.Effect<void, WorkflowNotFound | ResourceInUse>
  /** The copy is disabled, has a new name, and has no executions. */
  readonly duplicate: (
    project: ProjectId,
    id: WorkflowId
  ) => Effect.Effect<Workflow, WorkflowNotFound | ValidationError>
}

const maxWorkflows = 500

/** `null` in an optional field counts as absent. */
const withoutNulls = <A extends object>(given: A): A =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null)) as A
const shownFirings = 20

export type Needs =
  | Audiences.Needs
  | Effect.Services<typeof WorkflowChecks.make>
  | Effect.Services<typeof Publishing.make>
  | Effect.Services<typeof WorkflowFields.make>
  | SecureRandom.SecureRandom
  | SqlClient.SqlClient
  | Transaction
  | WorkflowStore

export const make: Effect.Effect<Workflows, never, Needs> = Effect.gen(function* () {
  const fields = yield* WorkflowFields.make
  const audiences = yield* Audiences.make
  const checks = yield* WorkflowChecks.make
  const journeys = yield* JourneyChecks.make
  const publishing = yield* Publishing.make
  const random = yield* SecureRandom.SecureRandom
  const store = yield* WorkflowStore
  const transaction = yield* Transaction
  const triggers = yield* makeTriggerContents
  const wholeGraphs = yield* WholeGraphs.make
  const audit = recorded(yield* SqlClient.SqlClient)

  const record = (project: ProjectId, id: WorkflowId, name: string, action: string) =>
    audit({ project, action: `workflow.${action}`, details: { workflowId: id, name } })

  const found =
    (id: WorkflowId) =>
    <A>(workflow: Option.Option<A>) =>
      Option.isSome(workflow) ? Effect.succeed(workflow.value) : Effect.fail(new WorkflowNotFound({ id }))

  const stamp = Effect.fnUntraced(function* (now: DateTime.Utc) {
    return { id: TransitionId.make(yield* random.uuidV7()), now }
  })

  const list = Effect.fn("Workflows.list")(function* (project: ProjectId, query: WorkflowQuery) {
    const { sort = "createdAt", dir = "desc" } = query
    const place = placeOf(query)
    const data = yield* store.list(project, query, { sort, dir }, sliceOf(place))
    return offsetPage(place, data, yield* store.count(project, query))
  })

  const get = Effect.fn("Workflows.get")(function* (project: ProjectId, id: WorkflowId) {
    const workflow = yield* Effect.flatMap(store.find(project, id), found(id))
    const graph = yield* store.graph(project, id)
    const view = { ...workflow, ...graphView(id, graph, yield* store.templatesOf(project, id)) }
    return workflow.triggerType === "SCHEDULE"
      ? { ...view, recentFirings: yield* store.firings(project, id, shownFirings) }
      : view
  })

  const insert = Effect.fnUntraced(function* (
    project: ProjectId,
    content: WorkflowContent,
    graph: Graph,
    now: DateTime.Utc
  ) {
    if ((yield* store.lockCount(project)) >= maxWorkflows) {
      return yield* ValidationError.one("name", "too_big", `A project has at most ${maxWorkflows} workflows.`)
    }
    const id = WorkflowId.make(yield* random.uuidV7())
    const workflow = yield* store.insert(project, id, content, graph, now)
    return { ...workflow, ...graphView(id, graph, yield* store.templatesOf(project, id)) }
  })

  const create = Effect.fn("Workflows.create")(function* (project: ProjectId, input: CreateWorkflow) {
    const now = yield* DateTime.now
    const trigger = {
      triggerType: "EVENT" as const,
      triggerConfig: yield* triggers.event(input.eventName, input.triggerConfig ?? {})
    }
    const step: GraphStep = {
      id: StepId.make(yield* random.uuidV7()),
      ordinal: 0,
      type: "TRIGGER",
      name: nameOfTrigger(trigger),
      position: { x: 0, y: 0 },
      config: trigger.triggerConfig,
      templateId: null,
      createdAt: now,
      updatedAt: now
    }
    const content = {
      name: input.name,
      description: input.description ?? null,
      ...trigger,
      enabled: false,
      allowReentry: input.allowReentry ?? false,
      reentryAfterHours: null,
      goal: null,
      exitRules: [],
      nextRunAt: null,
      versioning: "LIVE" as const
    }
    return yield* insert(project, content, { steps: [step], transitions: [] }, now)
  }, transaction.run)

  /** The transition to the entry that enabling adds, if only one step can be the entry. */
  const withEntry = Effect.fnUntraced(function* (graph: Graph, now: DateTime.Utc) {
    return inferEntry(graph, yield* stamp(now)) ?? noChange
  })

  /** Whether a workflow with this trigger and graph could be enabled. */
  const validityOf = Effect.fnUntraced(function* (
    { projectId, exitRules, goal, ...workflow }: WorkflowRecord,
    trigger: TriggerContent,
    stored: Graph
  ) {
    // A draft is not what runs.
    const enabled = workflow.enabled && workflow.versioning === "LIVE"
    const graph = enabled ? stored : applied(stored, yield* withEntry(stored, yield* DateTime.now))
    const { unknown, idle } = yield* journeys.rules(projectId, { exitRules })
    // What an enabled workflow names was there when it was enabled. A topic may have been deleted since.
    const errors = [...(yield* checks.faults(projectId, { ...trigger, goal }, graph)), ...(enabled ? [] : unknown)]
    const warnings = [...graphWarnings(graph), ...(enabled ? unknown : []), ...idle]
    return { valid: errors.length === 0, errors, warnings }
  })

  const validate = Effect.fn("Workflows.validate")(function* (project: ProjectId, id: WorkflowId) {
    const workflow = yield* Effect.flatMap(store.find(project, id), found(id))
    return yield* validityOf(workflow, workflow, yield* store.graph(project, id))
  })

  // In a transaction, because the checks of steps lock what they name.
  const validateGraph = Effect.fn("Workflows.validateGraph")(function* (
    project: ProjectId,
    id: WorkflowId,
    body: WholeGraph
  ) {
    const workflow = yield* Effect.flatMap(store.find(project, id), found(id))
    const stored = yield* store.graph(project, id)
    const { trigger, change, faults, inNames } = yield* wholeGraphs.read(workflow, stored, body, yield* DateTime.now)
    if (faults.length > 0) return { valid: false, errors: faults, warnings: [] }
    const { valid, errors, warnings } = yield* validityOf(workflow, trigger, applied(stored, change))
    return { valid, errors: errors.map(inNames), warnings: warnings.map(inNames) }
  }, transaction.run)

  const replaceGraph = Effect.fn("Workflows.replaceGraph")(function* (
    project: ProjectId,
    id: WorkflowId,
    body: WholeGraph
  ) {
    const now = yield* DateTime.now
    const before: WorkflowRecord = yield* Effect.flatMap(store.lock(project, id), found(id))
    const { updatedAt } = before
    const isLive = before.versioning === "LIVE"
    const enabled = before.enabled && isLive
    if (body.ifUpdatedAt != null && !Equal.equals(body.ifUpdatedAt, updatedAt)) {
      return yield* new Conflict({ reason: "changed_meanwhile", updatedAt })
    }
    const stored = yield* store.graph(project, id)
    const { trigger, change, ids, faults, inNames } = yield* wholeGraphs.read(before, stored, body, now)
    if (faults.length > 0) return yield* new ValidationError({ errors: faults })
    if (enabled) {
      const errors = yield* checks.faults(project, { ...trigger, goal: before.goal }, applied(stored, change))
      if (errors.length > 0) return yield* new InvalidWorkflow({ errors: errors.map(inNames) })
    }
    const steps = change.dropSteps.length === 0 || !isLive ? [] : yield* store.activeAt(project, id, change.dropSteps)
    if (steps.length > 0) return yield* new ResourceInUse({ steps: steps.map((each) => ({ ...each })) })
    if (trigger !== before) {
      const { triggerType, triggerConfig } = trigger
      const nextRunAt = enabled ? yield* triggers.nextRun(project, trigger, now) : isLive ? null : before.nextRunAt
      yield* store.update(project, id, { ...before, triggerType, triggerConfig, nextRunAt }, now)
    }
    if (Object.values(change).some((part) => part.length > 0)) yield* store.changeGraph(project, id, change, now)
    yield* publishing.record(project, id, "edit", now)
    return { ...(yield* get(project, id)), ids }
  }, transaction.run)

  /** The record with the changes of the input, and what has changed. Joins the caller's transaction. */
  const changed = Effect.fnUntraced(function* (project: ProjectId, input: UpdateWorkflow, before: WorkflowRecord) {
    const read = yield* triggers.read(project, input, before)
    const trigger: TriggerContent = isSameTrigger(read, before) ? before : read
    const settings = {
      allowReentry: input.allowReentry ?? before.allowReentry,
      reentryAfterHours: input.reentryAfterHours === undefined ? before.reentryAfterHours : input.reentryAfterHours,
      goal: input.goal === undefined ? before.goal : input.goal && withoutNulls(input.goal),
      exitRules: input.exitRules?.map(withoutNulls) ?? before.exitRules
    }
    const refused = reentryFaults(settings)
    if (refused.length > 0) return yield* new ValidationError({ errors: refused })
    const content = {
      ...before,
      name: input.name ?? before.name,
      description: input.description === undefined ? before.description : input.description,
      triggerType: trigger.triggerType,
      triggerConfig: trigger.triggerConfig,
      enabled: input.enabled ?? before.enabled,
      ...settings
    }
    return { trigger, settings, content }
  })

  const storeContent = Effect.fnUntraced(function* (
    project: ProjectId,
    before: WorkflowRecord,
    content: WorkflowContent,
    now: DateTime.Utc,
    ifUpdatedAt: UpdateWorkflow["ifUpdatedAt"]
  ) {
    const isStored = yield* store.update(project, before.id, content, now, ifUpdatedAt)
    if (!isStored) return yield* new Conflict({ reason: "changed_meanwhile", updatedAt: before.updatedAt })
  })

  /** The step of the trigger, if that has changed. */
  const triggerStep = (graph: Graph, before: WorkflowRecord, trigger: TriggerContent, now: DateTime.Utc) => {
    const step = trigger === before ? undefined : triggerOf(graph)
    return step === undefined ? [] : [withTrigger(step, before, trigger, now)]
  }

  /** Changes a workflow that is edited live. */
  const updateLive = Effect.fnUntraced(function* (project: ProjectId, before: WorkflowRecord, input: UpdateWorkflow) {
    const { id } = before
    const now = yield* DateTime.now
    const graph = yield* store.graph(project, id)
    const { trigger, settings, content } = yield* changed(project, input, before)
    const { enabled } = content
    const isEnabling = enabled && !before.enabled
    const entry = isEnabling ? yield* withEntry(graph, now) : noChange
    const change = { ...entry, putSteps: triggerStep(graph, before, trigger, now) }
    const isRescheduled = isEnabling || trigger !== before
    const nextRunAt = isRescheduled ? yield* triggers.nextRun(project, trigger, now) : before.nextRunAt
    yield* storeContent(project, before, { ...content, nextRunAt: enabled ? nextRunAt : null }, now, input.ifUpdatedAt)
    const areRulesNew = input.exitRules !== undefined && !Equal.equals(settings.exitRules, before.exitRules)
    const isGoalGone = before.goal !== null && settings.goal === null
    if (isEnabling || (enabled && (trigger !== before || areRulesNew || isGoalGone))) {
      yield* audiences.hold(project)
      const { unknown } = yield* journeys.rules(project, settings)
      yield* checks.requireValid(project, { ...trigger, goal: settings.goal }, applied(graph, change), unknown)
    }
    if (change.putSteps.length + change.putTransitions.length > 0) {
      yield* store.changeGraph(project, id, change, now)
    }
    yield* publishing.record(project, id, isEnabling ? "enabling" : "edit", now)
    if (input.versioning === "PUBLISHED") yield* publishing.toPublished(project, id, now)
  })

  /** Changes the draft of a workflow. What enables it is the published version. */
  const updateDraft = Effect.fnUntraced(function* (project: ProjectId, before: WorkflowRecord, input: UpdateWorkflow) {
    const { id } = before
    const now = yield* DateTime.now
    const graph = yield* store.graph(project, id)
    const { trigger, content } = yield* changed(project, input, before)
    const isEnabling = content.enabled && !before.enabled
    // Executions start only after the first version is there.
    const enabled = content.enabled && (!isEnabling || before.publishedVersion !== null)
    const nextRunAt = !enabled ? null : isEnabling ? yield* publishing.nextRun(project, id, now) : before.nextRunAt
    yield* storeContent(project, before, { ...content, enabled, nextRunAt }, now, input.ifUpdatedAt)
    const putSteps = triggerStep(graph, before, trigger, now)
    if (putSteps.length > 0) yield* store.changeGraph(project, id, { ...noChange, putSteps }, now)
    if (!isEnabling) return
    if (before.publishedVersion !== null) return yield* publishing.requireValid(project, id)
    yield* publishing.publish(project, id, { note: null, enables: true }, now)
  })

  const update = Effect.fn("Workflows.update")(function* (project: ProjectId, id: WorkflowId, input: UpdateWorkflow) {
    const locked: WorkflowRecord = yield* Effect.flatMap(store.lock(project, id), found(id))
    const isLeaving = input.versioning === "LIVE" && locked.versioning === "PUBLISHED"
    if (isLeaving) yield* publishing.toLive(project, id, yield* DateTime.now)
    const before: WorkflowRecord = isLeaving ? { ...locked, versioning: "LIVE", publishedVersion: null } : locked
    yield* before.versioning === "LIVE" ? updateLive(project, before, input) : updateDraft(project, before, input)
    const after = yield* get(project, id)
    if (after.enabled !== before.enabled) {
      yield* record(project, id, after.name, after.enabled ? "enabled" : "disabled")
    }
    return after
  }, transaction.run)

  const remove = Effect.fn("Workflows.delete")(function* (project: ProjectId, id: WorkflowId) {
    const { name } = yield* Effect.flatMap(store.lock(project, id), found(id))
    const activeExecutions = yield* store.activeExecutions(project, id)
    if (activeExecutions > 0) return yield* new ResourceInUse({ activeExecutions })
    yield* store.delete(project, id)
    yield* record(project, id, name, "deleted")
  }, transaction.run)

  /** The same graph under new ids. */
  const copyOf = Effect.fnUntraced(function* (graph: Graph, now: DateTime.Utc) {
    const ids = new Map<string, StepId>()
    for (const { id } of graph.steps) ids.set(id, StepId.make(yield* random.uuidV7()))
    const dates = { createdAt: now, updatedAt: now }
    const idOf = (step: string) => ids.get(step) ?? step
    const steps = graph.steps.map((step) => ({ ...step, ...dates, id: ids.get(step.id) ?? step.id }))
    const transitions = yield* Effect.forEach(graph.transitions, (each) =>
      Effect.map(random.uuidV7(), (id) => ({
        ...each,
        ...dates,
        id: TransitionId.make(id),
        fromStepId: idOf(each.fromStepId),
        toStepId: idOf(each.toStepId)
      }))
    )
    return { steps, transitions }
  })

  const duplicate = Effect.fn("Workflows.duplicate")(function* (project: ProjectId, id: WorkflowId) {
    const now = yield* DateTime.now
    const original = yield* Effect.flatMap(store.find(project, id), found(id))
    const graph = yield* copyOf(yield* store.graph(project, id), now)
    const content = { ...original, name: copyName(original.name, maxName), enabled: false, nextRunAt: null }
    return yield* insert(project, content, graph, now)
  }, transaction.run)

  return {
    list,
    fields: fields.list,
    create,
    get,
    validate,
    validateGraph,
    update,
    replaceGraph,
    delete: remove,
    duplicate
  } satisfies Workflows
})
