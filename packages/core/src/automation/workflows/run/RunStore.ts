/** The storage port of the runner: due executions and their visits. */

import type { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import type { ValueTest } from "@posthorn/contract/audience/filters/Condition"
import type {
  ExecutionId,
  ExecutionStatus,
  StepExecutionId,
  StepExecutionStatus
} from "@posthorn/contract/automation/workflows/Execution"
import type { StepId } from "@posthorn/contract/automation/workflows/Step"
import type { StepType } from "@posthorn/contract/automation/workflows/StepType"
import type { WorkflowId } from "@posthorn/contract/automation/workflows/WorkflowId"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Context, type DateTime, type Duration, type Effect, type Schema } from "effect"
import type { NextDue } from "../../../platform/jobs/Agenda.ts"
import type { Journey } from "../goals/Journeys.ts"
import type { StepMove } from "../report/StepMoves.ts"

/** The key of an execution, always with its project. */
export interface ExecutionKey {
  readonly projectId: ProjectId
  readonly id: ExecutionId
}

export interface StepError {
  readonly code: string
  readonly message: string
}

/** A stored visit of a step. */
export interface StepVisit {
  readonly id: StepExecutionId
  readonly stepId: StepId
  readonly name: string
  readonly type: StepType
  readonly ordinal: number
  readonly status: StepExecutionStatus
  readonly attempts: number
  /** The config of the step when the visit began. */
  readonly config: Schema.JsonObject
  /** The request of a WEBHOOK, the same on every try. Null for other steps and after the visit. */
  readonly request: Schema.Json
  readonly output: Schema.Json
  readonly error: StepError | null
  readonly branch: string | null
  readonly scheduledFor: DateTime.Utc | null
  /** The event that ended the wait. */
  readonly resumedBy: string | null
  readonly startedAt: DateTime.Utc
  readonly completedAt: DateTime.Utc | null
  readonly createdAt: DateTime.Utc
}

/** The current contact of an execution. */
export interface Person {
  readonly id: ContactId
  readonly email: string
  readonly subscribed: boolean
  readonly snoozedUntil: DateTime.Utc | null
  /** Ids of the topics that it takes, and of those that it left. */
  readonly topicsOn: ReadonlyArray<string> | null
  readonly topicsOff: ReadonlyArray<string> | null
  readonly data: Schema.JsonObject
  readonly createdAt: DateTime.Utc
  readonly updatedAt: DateTime.Utc
}

/** An execution that the caller's transaction has locked. */
export interface LockedExecution extends ExecutionKey {
  readonly workflowId: WorkflowId
  /** The version whose graph it follows. Null: the graph of the workflow, as it is. */
  readonly version: number | null
  /** The version with which reports count it. */
  readonly countedVersion: number
  readonly contact: Person
  readonly status: ExecutionStatus
  readonly triggerEventId: string | null
  /** When the event happened that started it, or else when it started. */
  readonly enteredAt: DateTime.Utc
  readonly converted: boolean
  readonly exitReason: string | null
  /** When the wait at hand last looked for its event. */
  readonly lookedAt: DateTime.Utc | null
  /** How many workflows started each other by events until this execution, including its own. */
  readonly chain: number
  readonly context: Schema.JsonObject
  readonly currentStepId: StepId | null
  /** The visit of the current step, stored or not. */
  readonly visitId: StepExecutionId
  /** When the current step became current. */
  readonly since: DateTime.Utc
  readonly stepsTaken: number
  readonly failures: number
  readonly generation: number
  readonly startedAt: DateTime.Utc
  /** The visit of the current step, if it has started. */
  readonly visit: StepVisit | null
}

/** The change of an execution. It is written together with its visits, or not at all. */
export interface Advance extends ExecutionKey {
  readonly workflowId: WorkflowId
  readonly countedVersion: number
  /** The counter that was read. Another value means that another process changed the execution. */
  readonly expected: number
  readonly stepsTaken: number
  readonly status: ExecutionStatus
  readonly currentStepId: StepId | null
  readonly visitId: StepExecutionId
  readonly since: DateTime.Utc
  /** Null if unchanged. */
  readonly context: Schema.JsonObject | null
  readonly waitEvent: string | null
  readonly lookedAt: DateTime.Utc | null
  readonly resumeAt: DateTime.Utc | null
  /** When it is due again. Null if only an event continues it, or nothing does. */
  readonly dueAt: DateTime.Utc | null
  /** Whether the next step is an outbound request. */
  readonly outside: boolean
  readonly exitReason: string | null
  readonly error: (StepError & { readonly stepId: StepId }) | null
  readonly completedAt: DateTime.Utc | null
  readonly visits: ReadonlyArray<StepVisit>
  /** The steps that it left and entered. */
  readonly moves: ReadonlyArray<StepMove>
}

/** A step as a worker runs it. */
export interface RunnableStep {
  readonly id: StepId
  readonly type: StepType
  readonly name: string
  readonly config: Schema.JsonObject
  readonly templateId: string | null
}

/** The key of a graph: that of a version, or that of the workflow. */
export const graphKey = (workflow: WorkflowId, version: number | null): string =>
  version === null ? workflow : `${workflow} ${version}`

/** A workflow in the form that the runner needs. `graph/Graph.ts` has the form for editing. */
export interface RunnableGraph extends Journey {
  readonly name: string
  readonly steps: ReadonlyMap<StepId, RunnableStep>
  /** The next step, by the step before and by branch; `""` stands for no branch. */
  readonly routes: ReadonlyMap<StepId, ReadonlyMap<string, StepId>>
}

export interface WaitedFor {
  readonly id: string
  readonly data: Schema.JsonObject
  readonly createdAt: DateTime.Utc
  readonly occurredAt: DateTime.Utc
  readonly isDispatched: boolean
}

/** A stored wait: the events that end it. */
export interface Wait extends ExecutionKey {
  readonly contactId: ContactId
  readonly triggerEventId: string | null
  readonly event: string
  /** What the data of the event must pass. */
  readonly tests: ReadonlyArray<ValueTest>
  readonly since: DateTime.Utc
  readonly until: DateTime.Utc | null
}

/**
 * A port: a host may store executions elsewhere. Due times are compared with the caller's `now`, leases with the clock
 * of the database.
 */
export class RunStore extends Context.Service<
  RunStore,
  {
    /**
     * Locks due executions until the caller's transaction ends, oldest first, and skips those that are locked and those
     * of projects that are disabled or being reset.
     * `outside` selects executions whose next step is an outbound request, except those of the given projects.
     */
    readonly lockDue: (
      now: DateTime.Utc,
      limit: number,
      outside: { readonly not: ReadonlyArray<ProjectId> } | null
    ) => Effect.Effect<ReadonlyArray<LockedExecution>>
    /** When the next execution is due. Absent: the loops poll. */
    readonly nextDue?: { readonly inside: NextDue; readonly outside: NextDue; readonly frozen: NextDue }
    /** Locks one execution if its lease still has this generation. Joins the caller's transaction. */
    readonly lockLeased: (key: ExecutionKey, generation: number) => Effect.Effect<LockedExecution | undefined>
    /** The graphs by `graphKey`. Deleted ones are missing. */
    readonly graphs: (
      executions: ReadonlyArray<Pick<LockedExecution, "projectId" | "workflowId" | "version">>
    ) => Effect.Effect<ReadonlyMap<string, RunnableGraph>>
    /** Stores all in one statement, and ends their leases. Dies if another process has changed one of them. */
    readonly advance: (advances: ReadonlyArray<Advance>, now: DateTime.Utc) => Effect.Effect<void>
    /** Stores visits that start a request. Their executions stay at the step, under a lease. */
    readonly begin: (
      begun: ReadonlyArray<ExecutionKey & { readonly workflowId: WorkflowId; readonly visit: StepVisit }>,
      lease: Duration.Duration,
      now: DateTime.Utc
    ) => Effect.Effect<void>
    /** Stores the end of a request whose execution was cancelled meanwhile. No step follows. */
    readonly close: (
      key: ExecutionKey & Pick<LockedExecution, "countedVersion" | "workflowId">,
      visit: StepVisit,
      now: DateTime.Utc
    ) => Effect.Effect<void>
    /** The earliest event that ends each wait, by execution. Waits without one are missing. */
    readonly eventsFor: (
      waits: ReadonlyArray<Wait>,
      now: DateTime.Utc
    ) => Effect.Effect<ReadonlyMap<ExecutionId, WaitedFor>>
    /** Stores which workflow caused the events, for events whose data does not contain it. */
    readonly noteOrigins: (
      execution: Pick<LockedExecution, "projectId" | "workflowId" | "chain">,
      events: ReadonlyArray<string>
    ) => Effect.Effect<void>
    /** Postpones an execution that failed. */
    readonly postpone: (key: ExecutionKey, dueAt: DateTime.Utc) => Effect.Effect<void>
    /** Makes executions due again whose project is enabled again. Returns their number. */
    readonly thaw: Effect.Effect<number>
    /** Deletes the decisions and origins of events that will not be dispatched again. */
    readonly deleteDecisions: Effect.Effect<void>
  }
>()("@posthorn/core/automation/workflows/run/RunStore") {}
