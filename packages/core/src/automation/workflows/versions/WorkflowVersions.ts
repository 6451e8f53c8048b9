/** Publishes, lists, compares and restores versions of workflows, and moves executions between them. */

import type { JobQueued } from "@posthorn/contract/audience/contacts/ContactJob"
import type { StepId } from "@posthorn/contract/automation/workflows/Step"
import {
  type InvalidWorkflow,
  type WorkflowDetail,
  WorkflowNotFound,
  type WorkflowRecord
} from "@posthorn/contract/automation/workflows/Workflow"
import type { WorkflowId } from "@posthorn/contract/automation/workflows/WorkflowId"
import type {
  DiffQuery,
  MigrateExecutions,
  MigrationJob,
  MigrationPlan,
  PublishWorkflow,
  WorkflowDiff,
  WorkflowVersion,
  WorkflowVersionPage,
  WorkflowVersionQuery
} from "@posthorn/contract/automation/workflows/WorkflowVersion"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import {
  Conflict,
  type Fault,
  type ResourceInUse,
  ResourceNotFound,
  ValidationError
} from "@posthorn/contract/platform/Errors"
import { DateTime, Effect, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { recorded } from "../../../platform/audit/Audited.ts"
import * as Job from "../../../platform/jobs/Job.ts"
import { JobQueue } from "../../../platform/jobs/JobQueue.ts"
import { offsetPage, placeOf, sliceOf } from "../../../platform/OffsetPages.ts"
import { Transaction } from "../../../platform/Transaction.ts"
import * as Listeners from "../goals/Listeners.ts"
import type { GraphStep } from "../graph/Graph.ts"
import { WorkflowStore } from "../WorkflowStore.ts"
import * as Workflows from "../Workflows.ts"
import { graphView } from "../WorkflowView.ts"
import * as Migration from "./Migration.ts"
import * as MigrationSql from "./MigrationSql.ts"
import * as Pinning from "./Pinning.ts"
import * as Publishing from "./Publishing.ts"
import { diffOf, settingsOf, type VersionContent } from "./VersionContent.ts"
import * as VersionSql from "./VersionSql.ts"

type NotFound = WorkflowNotFound | ResourceNotFound

/** Manages versions of workflows. */
export interface WorkflowVersions {
  /** New executions start with the published version from the commit on. Live ones stay on theirs. */
  readonly publish: (
    project: ProjectId,
    id: WorkflowId,
    input: PublishWorkflow
  ) => Effect.Effect<WorkflowDetail, Conflict | InvalidWorkflow | WorkflowNotFound>
  /** The draft is the published version again. */
  readonly removeDraft: (project: ProjectId, id: WorkflowId) => Effect.Effect<void, Conflict | WorkflowNotFound>
  /** Newest first. */
  readonly list: (
    project: ProjectId,
    id: WorkflowId,
    query: WorkflowVersionQuery
  ) => Effect.Effect<WorkflowVersionPage, WorkflowNotFound>
  readonly get: (project: ProjectId, id: WorkflowId, n: string) => Effect.Effect<WorkflowVersion, NotFound>
  readonly diff: (
    project: ProjectId,
    id: WorkflowId,
    n: string,
    query: DiffQuery
  ) => Effect.Effect<WorkflowDiff, NotFound>
  /** The draft becomes the version. In a workflow that is edited live, the graph does. */
  readonly restore: (
    project: ProjectId,
    id: WorkflowId,
    n: string
  ) => Effect.Effect<WorkflowDetail, InvalidWorkflow | NotFound | ResourceInUse>
  /** Moves live executions to a version, as a job. A dry run only counts. */
  readonly migrate: (
    project: ProjectId,
    id: WorkflowId,
    input: MigrateExecutions
  ) => Effect.Effect<JobQueued | MigrationPlan, Conflict | NotFound | ValidationError>
  readonly migration: (project: ProjectId, id: WorkflowId, job: string) => Effect.Effect<MigrationJob, NotFound>
}

const versionForm = /^[1-9]\d{0,8}$/
const isId = Schema.is(Schema.String.check(Schema.isUUID()))

/** The jobs of this area. */
export const jobs: ReadonlyArray<Job.RunnableJob<Migration.Needs>> = [Migration.job, Pinning.job]

export type Needs =
  | Effect.Services<typeof Publishing.make>
  | JobQueue
  | SqlClient.SqlClient
  | Transaction
  | WorkflowStore
  | Workflows.Needs

export const make: Effect.Effect<WorkflowVersions, never, Needs> = Effect.gen(function* () {
  const publishing = yield* Publishing.make
  const queue = yield* JobQueue
  const sql = yield* SqlClient.SqlClient
  const store = yield* WorkflowStore
  const transaction = yield* Transaction
  const workflows = yield* Workflows.make
  const audit = recorded(sql)
  const migrations = MigrationSql.make(sql)
  const versions = VersionSql.make(sql)

  const found =
    (id: WorkflowId) =>
    <A>(workflow: Option.Option<A>) =>
      Option.isSome(workflow) ? Effect.succeed(workflow.value) : Effect.fail(new WorkflowNotFound({ id }))

  const require = (project: ProjectId, id: WorkflowId) => Effect.flatMap(store.find(project, id), found(id))
  const open = (project: ProjectId, id: WorkflowId) => Effect.flatMap(store.lock(project, id), found(id))

  const requireVersioned = ({ versioning }: WorkflowRecord) =>
    versioning === "PUBLISHED" ? Effect.void : Effect.fail(new Conflict({ reason: "not_versioned" }))

  const noVersion = (n: string | number) => new ResourceNotFound({ resource: "workflow_version", id: String(n) })

  /** A version with its content. */
  const versionOf = Effect.fnUntraced(function* (project: ProjectId, id: WorkflowId, n: string) {
    if (!versionForm.test(n)) return yield* noVersion(n)
    const head = yield* versions.head(project, id, Number(n))
    const content = yield* versions.read(project, id, Number(n))
    if (Option.isNone(head) || Option.isNone(content)) return yield* noVersion(n)
    return { head: head.value, content: content.value }
  })

  const publish = Effect.fn("WorkflowVersions.publish")(function* (
    project: ProjectId,
    id: WorkflowId,
    { note, expectedVersion }: PublishWorkflow
  ) {
    const workflow = yield* open(project, id)
    yield* requireVersioned(workflow)
    const published = workflow.publishedVersion ?? 0
    if (expectedVersion != null && expectedVersion !== published) {
      return yield* new Conflict({ reason: "version_changed", version: published })
    }
    if (workflow.draft?.changed !== true) return yield* new Conflict({ reason: "no_draft" })
    yield* publishing.publish(project, id, { note: note ?? null }, yield* DateTime.now)
    return yield* Effect.orDie(workflows.get(project, id))
  }, transaction.run)

  const removeDraft = Effect.fn("WorkflowVersions.removeDraft")(function* (project: ProjectId, id: WorkflowId) {
    yield* requireVersioned(yield* open(project, id))
    yield* store.dropDraft(project, id, yield* DateTime.now)
  }, transaction.run)

  const list = Effect.fn("WorkflowVersions.list")(function* (
    project: ProjectId,
    id: WorkflowId,
    query: WorkflowVersionQuery
  ) {
    yield* require(project, id)
    const place = placeOf(query)
    const data = yield* versions.list(project, id, sliceOf(place))
    return offsetPage(place, data, yield* versions.count(project, id))
  })

  const get = Effect.fn("WorkflowVersions.get")(function* (project: ProjectId, id: WorkflowId, n: string) {
    yield* require(project, id)
    const { head, content } = yield* versionOf(project, id, n)
    return {
      version: head.version,
      note: head.note,
      publishedAt: head.createdAt,
      publishedBy: head.author,
      ...content.settings,
      ...graphView(id, content, yield* store.templatesOf(project, id))
    }
  })

  /** What is edited: the draft, or the graph of a workflow that is edited live. */
  const present = Effect.fnUntraced(function* (project: ProjectId, workflow: WorkflowRecord) {
    const { steps, transitions } = yield* store.graph(project, workflow.id)
    return { settings: settingsOf(workflow), steps, transitions } satisfies VersionContent
  })

  const diff = Effect.fn("WorkflowVersions.diff")(function* (
    project: ProjectId,
    id: WorkflowId,
    n: string,
    query: DiffQuery
  ) {
    const workflow = yield* require(project, id)
    const { content } = yield* versionOf(project, id, n)
    const { with: other = "draft" } = query
    return diffOf(
      content,
      other === "draft" ? yield* present(project, workflow) : (yield* versionOf(project, id, other)).content
    )
  })

  const restore = Effect.fn("WorkflowVersions.restore")(function* (project: ProjectId, id: WorkflowId, n: string) {
    const workflow = yield* open(project, id)
    const { head, content } = yield* versionOf(project, id, n)
    const now = yield* DateTime.now
    if (workflow.versioning === "PUBLISHED" && workflow.publishedVersion !== null) {
      yield* store.writeDraft(project, id, content, now)
    } else yield* publishing.restoreLive(project, workflow, content, now)
    yield* audit({
      project,
      action: "workflow.restored",
      details: { workflowId: id, name: workflow.name, version: head.version }
    })
    return yield* Effect.orDie(workflows.get(project, id))
  }, transaction.run)

  /** The steps of these versions, and where each of them leads. */
  const routesOf = Effect.fnUntraced(function* (
    project: ProjectId,
    id: WorkflowId,
    sources: ReadonlyArray<number>,
    target: VersionContent,
    mapping: NonNullable<MigrateExecutions["mapping"]>
  ) {
    const known = new Map<string, GraphStep>()
    for (const version of sources) {
      const { content } = yield* versionOf(project, id, String(version))
      for (const step of content.steps) known.set(step.id, step)
    }
    const after = new Map<string, GraphStep>(target.steps.map((step) => [step.id, step]))
    const faults: Array<Fault> = []
    const routes: Record<string, StepId> = {}
    for (const step of known.values()) {
      const same = after.get(step.id)
      if (same !== undefined && step.type !== "TRIGGER") routes[step.id] = same.id
    }
    for (const [from, to] of Object.entries(mapping)) {
      const field = `mapping.${from}`
      const source = known.get(from.toLowerCase())
      const step = after.get(to.toLowerCase())
      const message =
        source === undefined || source.type === "TRIGGER"
          ? "The versions have no such step that an execution waits at."
          : step === undefined
            ? "The target version has no such step."
            : step.type === "TRIGGER"
              ? "An execution cannot go on at the TRIGGER."
              : undefined
      if (message !== undefined) faults.push({ field, code: "custom", message })
      else if (source !== undefined && step !== undefined) routes[source.id] = step.id
    }
    if (faults.length > 0) return yield* new ValidationError({ errors: faults.slice(0, 50) })
    return routes
  })

  const migrate = Effect.fn("WorkflowVersions.migrate")(function* (
    project: ProjectId,
    id: WorkflowId,
    input: MigrateExecutions
  ) {
    const workflow = yield* open(project, id)
    yield* requireVersioned(workflow)
    const { toVersion, mapping, dryRun = false } = input
    const unmapped = input.unmapped ?? "STAY"
    const { head, content } = yield* versionOf(project, id, String(toVersion))
    const named = input.fromVersions === "ALL" ? yield* migrations.versions(project, id) : input.fromVersions
    const fromVersions = [...new Set(named)].filter((version) => version !== toVersion)
    const routes = yield* routesOf(project, id, fromVersions, content, mapping ?? {})
    const plan = yield* migrations.plan(project, id, fromVersions)
    const total = plan.reduce((sum, { executions }) => sum + executions, 0)
    if (dryRun === true) {
      return {
        total,
        steps: plan.flatMap(({ stepId, executions }) =>
          stepId === null ? [] : [{ stepId, executions, ...Migration.routeOf({ routes, unmapped }, stepId) }]
        )
      }
    }
    yield* publishing.requireStill(project, id)
    const now = yield* DateTime.now
    if (!head.published) {
      yield* versions.write(project, id, { ...head, published: true }, content, now)
      yield* Listeners.store(sql, project, id, (yield* store.running(project, id)).settings)
    }
    const order = { workflowId: id, toVersion, fromVersions, routes, unmapped, at: now }
    const jobId = yield* queue.enqueue(project, Migration.job, order, now, { groupId: id })
    yield* audit({
      project,
      action: "workflow.migrated",
      details: { workflowId: id, name: workflow.name, toVersion, jobId }
    })
    return { message: total === 1 ? "1 execution queued." : `${total} executions queued.`, jobId }
  }, transaction.run)

  const migration = Effect.fn("WorkflowVersions.migration")(function* (
    project: ProjectId,
    id: WorkflowId,
    jobId: string
  ) {
    yield* require(project, id)
    const job = isId(jobId)
      ? yield* queue.find(project, [Migration.job], Job.JobId.make(jobId.toLowerCase()))
      : Option.none()
    if (Option.isNone(job) || job.value.groupId !== id) {
      return yield* new ResourceNotFound({ resource: "workflow_migration", id: jobId })
    }
    const { groupId: _, ...shown } = job.value
    return shown
  })

  return { publish, removeDraft, list, get, diff, restore, migrate, migration } satisfies WorkflowVersions
})
