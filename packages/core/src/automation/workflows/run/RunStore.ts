/** The storage port of the runner: executions, their visits, and what is due. */

import type { ContactId } from "@posthorn/contract/audience/contacts/Contact"
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
  /** As it was when the visit began. */
  readonly config: Schema.JsonObject
  /** What a WEBHOOK sends, the same on every try; null for other steps, and when the visit is over. */
  readonly request: Schema.Json
  readonly output: Schema.Json
  readonly error: StepError | null
  readonly branch: string | null
  readonly scheduledFor: DateTime.Utc | null
  /** The event that a wait was waiting for. */
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
  readonly data: Schema.JsonObject
  readonly createdAt: DateTime.Utc
  readonly updatedAt: DateTime.Utc
}

/** An execution that the caller's transaction has locked. */
export interface LockedExecution extends ExecutionKey {
  readonly workflowId: WorkflowId
  readonly contact: Person
  readonly status: ExecutionStatus
  readonly triggerEventId: string | null
  /** How many workflows, this one included, led to it by events of their own. */
  readonly chain: number
  readonly context: Schema.JsonObject
  readonly currentStepId: StepId | null
  /** The visit of the current step, whether it is on record yet or not. */
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
  /** The counter that was read. Another value means that another process changed the execution. */
  readonly expected: number
  readonly stepsTaken: number
  readonly status: ExecutionStatus
  readonly currentStepId: StepId | null
  readonly visitId: StepExecutionId
  readonly since: DateTime.Utc
  /** Null: as it was. */
  readonly context: Schema.JsonObject | null
  readonly waitEvent: string | null
  readonly resumeAt: DateTime.Utc | null
  /** When it is due again. Null: when an event arrives, or never. */
  readonly dueAt: DateTime.Utc | null
  /** Whether the next step is an outbound request. */
  readonly outside: boolean
  readonly exitReason: string | null
  readonly error: (StepError & { readonly stepId: StepId }) | null
  readonly completedAt: DateTime.Utc | null
  readonly visits: ReadonlyArray<StepVisit>
}

/** A step as a worker runs it. */
export interface RunnableStep {
  readonly id: StepId
  readonly type: StepType
  readonly name: string
  readonly config: Schema.JsonObject
  readonly templateId: string | null
}

/** A workflow as it is now, made for following it from step to step; `graph/Graph.ts` has the form that is edited. */
export interface RunnableGraph {
  readonly name: string
  readonly steps: ReadonlyMap<StepId, RunnableStep>
  /** By the step they leave, then by branch; `""` stands for none. */
  readonly routes: ReadonlyMap<StepId, ReadonlyMap<string, StepId>>
}

export interface WaitedFor {
  readonly id: string
  readonly data: Schema.JsonObject
  readonly createdAt: DateTime.Utc
}

/** A stored wait: the events that end it. */
export interface Wait extends ExecutionKey {
  readonly contactId: ContactId
  readonly triggerEventId: string | null
  readonly event: string
  readonly since: DateTime.Utc
  readonly until: DateTime.Utc | null
}

/**
 * A port: a host may store executions elsewhere. What is due is compared with the caller's `now`; leases run on the clock of the database.
 * Executions of projects that are disabled, or being wiped, are never given out.
 */
export class RunStore extends Context.Service<
  RunStore,
  {
    /**
     * Locks due executions until the caller's transaction ends, oldest first, passing over those that somebody else has.
     * `outside` are those whose next step is a request to a server outside; their projects may be passed over.
     */
    readonly lockDue: (
      now: DateTime.Utc,
      limit: number,
      outside: { readonly not: ReadonlyArray<ProjectId> } | null
    ) => Effect.Effect<ReadonlyArray<LockedExecution>>
    /** Locks one execution if its lease is still the one of this generation; joins the caller's transaction. */
    readonly lockLeased: (key: ExecutionKey, generation: number) => Effect.Effect<LockedExecution | undefined>
    /** The workflows by id; one that is gone is missing. */
    readonly graphs: (
      executions: ReadonlyArray<{ readonly projectId: ProjectId; readonly workflowId: WorkflowId }>
    ) => Effect.Effect<ReadonlyMap<WorkflowId, RunnableGraph>>
    /** Writes all in one statement; dies when one of them was not as it was found. Gives up the lease. */
    readonly advance: (advances: ReadonlyArray<Advance>, now: DateTime.Utc) => Effect.Effect<void>
    /** As `advance`, for visits that begin a request: the execution stays where it is, under a lease. */
    readonly begin: (
      begun: ReadonlyArray<ExecutionKey & { readonly workflowId: WorkflowId; readonly visit: StepVisit }>,
      lease: Duration.Duration,
      now: DateTime.Utc
    ) => Effect.Effect<void>
    /** Puts the end of a request on record that was under way when its execution was cancelled; nothing follows. */
    readonly close: (
      key: ExecutionKey & { readonly workflowId: WorkflowId },
      visit: StepVisit,
      now: DateTime.Utc
    ) => Effect.Effect<void>
    /** The earliest stored event for each wait that has one, by execution. */
    readonly eventsFor: (waits: ReadonlyArray<Wait>) => Effect.Effect<ReadonlyMap<ExecutionId, WaitedFor>>
    /** Notes which workflow made events that do not say it themselves. */
    readonly noteOrigins: (
      execution: Pick<LockedExecution, "projectId" | "workflowId" | "chain">,
      events: ReadonlyArray<string>
    ) => Effect.Effect<void>
    /** Puts an execution off that could not be worked on. */
    readonly postpone: (key: ExecutionKey, dueAt: DateTime.Utc) => Effect.Effect<void>
    /** Gives executions back whose project is enabled again; tells how many. */
    readonly thaw: Effect.Effect<number>
    /** Removes decisions and origins of events that will not be dispatched again. */
    readonly forgetDecisions: Effect.Effect<void>
  }
>()("@posthorn/core/automation/workflows/run/RunStore") {}
