/** Publishes the draft of a workflow, and changes between editing live and publishing. */

import { TransitionId } from "@posthorn/contract/automation/workflows/Transition"
import {
  type InvalidWorkflow,
  WorkflowNotFound,
  type WorkflowRecord
} from "@posthorn/contract/automation/workflows/Workflow"
import type { WorkflowId } from "@posthorn/contract/automation/workflows/WorkflowId"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Conflict, ResourceInUse } from "@posthorn/contract/platform/Errors"
import { type DateTime, Effect, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import * as Audiences from "../../../audience/segments/Audiences.ts"
import { projectEvent, recordServiceEvents } from "../../../events/ServiceEvents.ts"
import { recorded } from "../../../platform/audit/Audited.ts"
import { JobQueue } from "../../../platform/jobs/JobQueue.ts"
import * as JourneyChecks from "../goals/JourneyChecks.ts"
import { changeBetween } from "../graph/DrawnGraph.ts"
import { applied, type Graph, noChange } from "../graph/Graph.ts"
import { inferEntry } from "../graph/GraphEdits.ts"
import { makeTriggerContents } from "../graph/TriggerContents.ts"
import * as WorkflowChecks from "../graph/WorkflowChecks.ts"
import { WorkflowStore } from "../WorkflowStore.ts"
import * as Migration from "./Migration.ts"
import * as Pinning from "./Pinning.ts"
import * as PinningSql from "./PinningSql.ts"
import { hasSameContent, settingsOf, type VersionContent } from "./VersionContent.ts"
import * as VersionHistory from "./VersionHistory.ts"

export interface PublishOptions {
  readonly note: string | null
  /** Whether the workflow is enabled with it. */
  readonly enables?: boolean
}

export const make = Effect.gen(function* () {
  const audiences = yield* Audiences.make
  const checks = yield* WorkflowChecks.make
  const history = yield* VersionHistory.make
  const journeys = yield* JourneyChecks.make
  const queue = yield* JobQueue
  const random = yield* SecureRandom.SecureRandom
  const sql = yield* SqlClient.SqlClient
  const store = yield* WorkflowStore
  const triggers = yield* makeTriggerContents
  const audit = recorded(sql)
  const pinning = PinningSql.make(sql)

  /** Refuses while one of these jobs waits or runs for the workflow. */
  const requireNone = (...jobs: ReadonlyArray<{ readonly name: string }>) =>
    Effect.fnUntraced(function* (project: ProjectId, id: WorkflowId) {
      for (const state of ["waiting", "active"] as const) {
        if ((yield* queue.count(project, jobs, { state, groupId: id })) > 0) {
          return yield* new Conflict({ reason: "migration_running" })
        }
      }
    })

  /** Refuses while a job moves executions of the workflow, or pins them. */
  const requireStill = requireNone(Migration.job, Pinning.job)

  /** Refuses while a job still pins executions, or releases them: they follow the graph as it is until then. */
  const requirePinned = requireNone(Pinning.job)

  /** Pins live executions to the version, or lets them follow the graph. A job does what one transaction cannot. */
  const pin = Effect.fnUntraced(function* (
    project: ProjectId,
    workflowId: WorkflowId,
    { version, pins }: { readonly version: number; readonly pins: boolean },
    now: DateTime.Utc
  ) {
    const { after, isLast } = yield* pinning.change(project, workflowId, { version, pins, after: null }, now)
    if (isLast) return
    if (!pins) yield* pinning.releasing(project, workflowId, version)
    yield* queue.enqueue(project, Pinning.job, { workflowId, version, pins, after }, now, { groupId: workflowId })
  })

  const open = Effect.fnUntraced(function* (project: ProjectId, id: WorkflowId) {
    const workflow = yield* store.lock(project, id)
    if (Option.isNone(workflow)) return yield* new WorkflowNotFound({ id })
    return workflow.value
  })

  /** The graph with the transition to the entry, if only one step can be the entry. */
  const withEntry = Effect.fnUntraced(function* (graph: Graph, now: DateTime.Utc) {
    const id = TransitionId.make(yield* random.uuidV7())
    return applied(graph, inferEntry(graph, { id, now }) ?? noChange)
  })

  const requireValidContent = Effect.fnUntraced(function* (
    project: ProjectId,
    { settings, ...graph }: VersionContent
  ): Effect.fn.Return<void, InvalidWorkflow> {
    yield* audiences.hold(project)
    const { unknown } = yield* journeys.rules(project, settings)
    yield* checks.requireValid(project, settings, graph, unknown)
  })

  const tell = Effect.fnUntraced(function* (
    { projectId, id, name }: WorkflowRecord,
    version: number,
    note: string | null,
    now: DateTime.Utc
  ) {
    yield* audit({ project: projectId, action: "workflow.published", details: { workflowId: id, name, version } })
    const data = { workflowId: id, name, version, note }
    yield* recordServiceEvents(sql, projectEvent(sql, projectId, "workflow.published", data), now)
  }, Effect.orDie)

  /** Publishes the draft. Joins the caller's transaction. */
  const publish = Effect.fn("Publishing.publish")(function* (
    project: ProjectId,
    id: WorkflowId,
    { note, enables = false }: PublishOptions,
    now: DateTime.Utc
  ) {
    const workflow = yield* open(project, id)
    yield* requirePinned(project, id)
    const { steps, transitions } = yield* withEntry(yield* store.graph(project, id), now)
    const content = { settings: settingsOf(workflow), steps, transitions }
    yield* requireValidContent(project, content)
    const enabled = enables || workflow.enabled
    const nextRunAt = enabled ? yield* triggers.nextRun(project, content.settings, now) : null
    const version = yield* history.add(project, id, content, { note, published: true, edited: false }, now)
    yield* store.become(project, id, content, version, nextRunAt, now)
    if (enables) yield* store.update(project, id, { ...workflow, enabled, nextRunAt }, now)
    yield* tell(workflow, version, note, now)
  })

  /** Refuses if the published version cannot be enabled. */
  const requireValid = Effect.fn("Publishing.requireValid")(function* (project: ProjectId, id: WorkflowId) {
    yield* requireValidContent(project, yield* store.running(project, id))
  })

  /** The next firing of the published version. */
  const nextRun = Effect.fn("Publishing.nextRun")(function* (project: ProjectId, id: WorkflowId, now: DateTime.Utc) {
    const { settings } = yield* store.running(project, id)
    return yield* triggers.nextRun(project, settings, now)
  })

  const recordChange = (workflow: WorkflowRecord, versioning: "LIVE" | "PUBLISHED") =>
    audit({
      project: workflow.projectId,
      action: "workflow.versioning_changed",
      details: { workflowId: workflow.id, name: workflow.name, versioning }
    })

  /**
   * From editing live to publishing: the present graph becomes a version, and live executions stay on it. A workflow that
   * is not valid and that nothing runs on gets its first version later. Joins the caller's transaction.
   */
  const toPublished = Effect.fn("Publishing.toPublished")(function* (
    project: ProjectId,
    id: WorkflowId,
    now: DateTime.Utc
  ) {
    const workflow = yield* open(project, id)
    yield* requirePinned(project, id)
    const content = yield* store.running(project, id)
    const isRun = workflow.enabled || (yield* store.activeExecutions(project, id)) > 0
    const isValid = isRun || (yield* Effect.isSuccess(requireValidContent(project, content)))
    yield* recordChange(workflow, "PUBLISHED")
    if (!isValid) return yield* store.setVersioning(project, id, "PUBLISHED", null)
    const newest = Option.getOrUndefined(yield* history.newest(project, id))
    const recorded = newest && Option.getOrUndefined(yield* history.read(project, id, newest.version))
    const isRecorded = newest !== undefined && recorded !== undefined && hasSameContent(recorded, content)
    const head = { note: null, published: true, edited: false }
    if (isRecorded) yield* history.write(project, id, { ...newest, ...head, note: newest.note }, content, now)
    const version = isRecorded ? newest.version : yield* history.add(project, id, content, head, now)
    yield* store.setVersioning(project, id, "PUBLISHED", version)
    yield* pin(project, id, { version, pins: true }, now)
    yield* tell(workflow, version, null, now)
  })

  /**
   * From publishing to editing live: executions of the published version follow the graph from then on. Refused while
   * the draft differs from it. Joins the caller's transaction.
   */
  const toLive = Effect.fn("Publishing.toLive")(function* (project: ProjectId, id: WorkflowId, now: DateTime.Utc) {
    const workflow = yield* open(project, id)
    yield* requirePinned(project, id)
    const version = workflow.publishedVersion
    if (version !== null && workflow.draft?.changed === true) return yield* new Conflict({ reason: "draft_changed" })
    yield* recordChange(workflow, "LIVE")
    yield* store.setVersioning(project, id, "LIVE", version)
    if (version !== null) yield* pin(project, id, { version, pins: false }, now)
  })

  /**
   * Replaces the graph of a workflow that is edited live, checked while it is enabled. Refused while an execution is at a
   * step that would go. Joins the caller's transaction.
   */
  const restoreLive = Effect.fn("Publishing.restoreLive")(function* (
    project: ProjectId,
    workflow: WorkflowRecord,
    content: VersionContent,
    now: DateTime.Utc
  ) {
    const { id, enabled } = workflow
    const change = changeBetween(yield* store.graph(project, id), content)
    const active = change.dropSteps.length === 0 ? [] : yield* store.activeAt(project, id, change.dropSteps)
    if (active.length > 0) return yield* new ResourceInUse({ steps: active.map((each) => ({ ...each })) })
    if (enabled) yield* requireValidContent(project, content)
    const nextRunAt = enabled ? yield* triggers.nextRun(project, content.settings, now) : null
    yield* store.update(project, id, { ...workflow, ...content.settings, nextRunAt }, now)
    const putSteps = change.putSteps.map((step) => ({ ...step, updatedAt: now }))
    yield* store.changeGraph(project, id, { ...change, putSteps }, now)
    yield* history.record(project, id, "restoring", now)
  })

  return { publish, requireStill, requireValid, restoreLive, nextRun, toPublished, toLive, record: history.record }
})
