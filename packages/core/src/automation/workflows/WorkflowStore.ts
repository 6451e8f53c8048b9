/** The storage port of workflows and their graphs. */

import type { Step, StepId } from "@posthorn/contract/automation/workflows/Step"
import type { Versioning } from "@posthorn/contract/automation/workflows/Versioning"
import type {
  Firing,
  ListedWorkflow,
  WorkflowQuery,
  WorkflowRecord
} from "@posthorn/contract/automation/workflows/Workflow"
import type { WorkflowId } from "@posthorn/contract/automation/workflows/WorkflowId"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { Slice } from "../../platform/OffsetPages.ts"
import type { FormerStep, Graph, GraphChange } from "./graph/Graph.ts"
import type { VersionContent } from "./versions/VersionContent.ts"

export type WorkflowContent = Pick<
  WorkflowRecord,
  | "name"
  | "description"
  | "triggerType"
  | "triggerConfig"
  | "enabled"
  | "allowReentry"
  | "reentryAfterHours"
  | "goal"
  | "exitRules"
  | "nextRunAt"
  | "versioning"
>

export type WorkflowFilter = Pick<WorkflowQuery, "search" | "status" | "triggerType">

export interface WorkflowOrder {
  readonly sort: NonNullable<WorkflowQuery["sort"]>
  readonly dir: NonNullable<WorkflowQuery["dir"]>
}

export interface StepExecutions {
  readonly stepId: StepId
  readonly activeExecutions: number
}

/**
 * A port: a host may store workflows elsewhere. Every method takes the project first. `now` is the caller's clock.
 *
 * `find`, `lock`, `graph` and `templatesOf` show the draft of a workflow that is PUBLISHED, and `update` and `changeGraph`
 * write it. `list` and `running` show that with which executions start.
 */
export class WorkflowStore extends Context.Service<
  WorkflowStore,
  {
    /** Counts the workflows of the project. Until the transaction ends, other calls for the project wait. */
    readonly lockCount: (project: ProjectId) => Effect.Effect<number>
    readonly insert: (
      project: ProjectId,
      id: WorkflowId,
      content: WorkflowContent,
      graph: Graph,
      now: DateTime.Utc
    ) => Effect.Effect<WorkflowRecord>
    readonly list: (
      project: ProjectId,
      filter: WorkflowFilter,
      order: WorkflowOrder,
      slice: Slice
    ) => Effect.Effect<ReadonlyArray<ListedWorkflow>>
    readonly count: (project: ProjectId, filter: WorkflowFilter) => Effect.Effect<number>
    readonly find: (project: ProjectId, id: WorkflowId) => Effect.Effect<Option.Option<ListedWorkflow>>
    /** Locks the workflow and its graph until the transaction ends. */
    readonly lock: (project: ProjectId, id: WorkflowId) => Effect.Effect<Option.Option<WorkflowRecord>>
    /**
     * `updatedAt` changes only when another field does. Returns false, and stores nothing, if `updatedAt` is given and
     * differs from the stored one.
     */
    readonly update: (
      project: ProjectId,
      id: WorkflowId,
      content: WorkflowContent,
      now: DateTime.Utc,
      updatedAt?: DateTime.Utc | null
    ) => Effect.Effect<boolean>
    /** Deletes its graph and its executions too. */
    readonly delete: (project: ProjectId, id: WorkflowId) => Effect.Effect<void>
    readonly graph: (project: ProjectId, id: WorkflowId) => Effect.Effect<Graph>
    /** What executions start with: the graph that is edited live, or the published version. */
    readonly running: (project: ProjectId, id: WorkflowId) => Effect.Effect<VersionContent>
    /** The graph in it. Empty for an unknown workflow. */
    readonly runningGraph: (project: ProjectId, id: WorkflowId) => Effect.Effect<Graph>
    /** Replaces what executions start with, under the number of a stored version, and drops the draft. */
    readonly become: (
      project: ProjectId,
      id: WorkflowId,
      content: VersionContent,
      version: number,
      nextRunAt: DateTime.Utc | null,
      now: DateTime.Utc
    ) => Effect.Effect<void>
    /** Replaces the draft by this content. The draft goes if it is the published version. */
    readonly writeDraft: (
      project: ProjectId,
      id: WorkflowId,
      content: VersionContent,
      now: DateTime.Utc
    ) => Effect.Effect<void>
    /** Drops the draft: it is the published version again. False if there was none. */
    readonly dropDraft: (project: ProjectId, id: WorkflowId, now: DateTime.Utc) => Effect.Effect<boolean>
    /** Sets how the workflow is edited, and the version of its graph, which is stored. */
    readonly setVersioning: (
      project: ProjectId,
      id: WorkflowId,
      versioning: Versioning,
      version: number | null
    ) => Effect.Effect<void>
    /** Names of the templates of the steps, by template id. Deleted templates are missing. */
    readonly templatesOf: (
      project: ProjectId,
      id: WorkflowId
    ) => Effect.Effect<ReadonlyMap<string, NonNullable<Step["template"]>>>
    /** Joins the caller's transaction. Also sets `updatedAt` of the workflow. */
    readonly changeGraph: (
      project: ProjectId,
      id: WorkflowId,
      change: GraphChange,
      now: DateTime.Utc
    ) => Effect.Effect<void>
    /** Those of these steps that the workflow had. */
    readonly formerSteps: (
      project: ProjectId,
      id: WorkflowId,
      steps: ReadonlyArray<StepId>
    ) => Effect.Effect<ReadonlyArray<FormerStep>>
    /** Executions that are RUNNING or WAITING. */
    readonly activeExecutions: (project: ProjectId, id: WorkflowId) => Effect.Effect<number>
    /**
     * Executions that are RUNNING or WAITING at these steps and follow the graph, in the order of the ids. Steps without
     * any are missing.
     */
    readonly activeAt: (
      project: ProjectId,
      id: WorkflowId,
      steps: ReadonlyArray<StepId>
    ) => Effect.Effect<ReadonlyArray<StepExecutions>>
    /** Newest first. */
    readonly firings: (project: ProjectId, id: WorkflowId, limit: number) => Effect.Effect<ReadonlyArray<Firing>>
  }
>()("@posthorn/core/automation/workflows/WorkflowStore") {}
