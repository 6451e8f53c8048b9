/**
 * Storage port of jobs. Jobs run at least once. Enqueuing joins the caller's transaction.
 *
 * Effect's `PersistedQueue` creates its tables outside of the migrations (also with `--no-migrate`) and keeps no
 * records, so jobs have a separate table.
 */
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Context, type DateTime, type Effect, type Option, type Schema } from "effect"
import type { Position } from "../Cursors.ts"
import type { NextDue } from "./Agenda.ts"
import type { Job, JobId, Point, RunnableJob } from "./Job.ts"

/** Failed tries in a row, without progress between them, that end a job. */
export const maxTries = 3

/** `cancelled`: ended by a caller before its work was done. */
type JobState = "waiting" | "active" | "completed" | "failed" | "cancelled"

/** The state and result of a job. */
export interface JobRecord<Name extends string, Result> {
  readonly id: JobId
  readonly type: Name
  /** An id that the caller gave to several jobs. */
  readonly groupId: string | null
  /** `active`: from its first start, also between two tries. */
  readonly state: JobState
  /** Whole percent. */
  readonly progress: number
  /** Null while the job waits. The result so far while it is active, or after it failed or was cancelled. */
  readonly result: Result | null
  readonly failedReason: string | null
  readonly createdAt: DateTime.Utc
  readonly startedAt: DateTime.Utc | null
  readonly finishedAt: DateTime.Utc | null
}

export interface JobFilter {
  readonly state?: JobState | undefined
  readonly groupId?: string | undefined
}

/** The kinds of jobs that a caller reads. */
export type JobKinds<Name extends string, Result> = ReadonlyArray<{
  readonly name: Name
  readonly result: Schema.ConstraintDecoder<Result>
}>

/** The claim of one runner on one job. A write counts only while the row still carries the `claim` id. */
export interface Claim {
  readonly projectId: ProjectId
  readonly id: JobId
  readonly claim: number
}

export interface ClaimedJob extends Claim {
  readonly name: string
  /** Starts since the last progress, including this one. More than `maxTries` means that its runners died. */
  readonly tries: number
  readonly payload: string
  readonly saved: Option.Option<Point<string, string>>
}

/**
 * A port: several areas store jobs. Leases use the database clock. All other times use `now`, the clock of the service.
 */
export class JobQueue extends Context.Service<
  JobQueue,
  {
    /** The job is due at once. Joins the caller's transaction. Its commit wakes the runners of this process. */
    readonly enqueue: <Payload>(
      project: ProjectId,
      job: Pick<Job<string, Payload, unknown, unknown>, "name" | "payload">,
      payload: NoInfer<Payload>,
      now: DateTime.Utc,
      more?: {
        /** Stored beside the payload, and as long. */
        readonly file?: Uint8Array
        readonly groupId?: string | undefined
      }
    ) => Effect.Effect<JobId>
    /** None also when the id belongs to a job of another kind. */
    readonly find: <Name extends string, Result>(
      project: ProjectId,
      kinds: JobKinds<Name, Result>,
      id: JobId
    ) => Effect.Effect<Option.Option<JobRecord<Name, Result>>>
    /** Jobs of these kinds, newest first. */
    readonly list: <Name extends string, Result>(
      project: ProjectId,
      kinds: JobKinds<Name, Result>,
      filter: JobFilter,
      limit: number,
      after?: Position
    ) => Effect.Effect<ReadonlyArray<JobRecord<Name, Result>>>
    readonly count: (
      project: ProjectId,
      kinds: ReadonlyArray<{ readonly name: string }>,
      filter: JobFilter
    ) => Effect.Effect<number>
    /**
     * Ends a job that has not ended. What it has done stays. Its runner stops at its next `save`, which then fails. False
     * if the job has ended, or does not exist.
     */
    readonly cancel: (
      project: ProjectId,
      kinds: ReadonlyArray<{ readonly name: string }>,
      id: JobId,
      now: DateTime.Utc
    ) => Effect.Effect<boolean>
    readonly file: (job: Pick<Claim, "projectId" | "id">) => Effect.Effect<Option.Option<Uint8Array>>
    /** Returns when a job was enqueued in this process since the last return. */
    readonly woken: Effect.Effect<void>
    /** When the next job is due. Absent: runners poll. */
    readonly nextDue?: NextDue
    /**
     * The oldest due job of these kinds that is not claimed and whose project has room for it. The claim holds for 60
     * seconds from now, or from its last renewal.
     */
    readonly claim: (
      kinds: ReadonlyArray<Pick<RunnableJob<unknown>, "name" | "perProject"> & { readonly whileEnabled?: boolean }>,
      now: DateTime.Utc
    ) => Effect.Effect<Option.Option<ClaimedJob>>
    /** False when the claim is lost. The same holds for the methods below. */
    readonly renew: (claim: Claim) => Effect.Effect<boolean>
    /** Joins the caller's transaction. */
    readonly saveProgress: (claim: Claim, point: Point<string, string>) => Effect.Effect<boolean>
    readonly complete: (claim: Claim, result: string, now: DateTime.Utc) => Effect.Effect<boolean>
    /** Due again after 1 second, then after 2. The third failure ends the job with this reason. */
    readonly fail: (claim: Claim, reason: string, now: DateTime.Utc) => Effect.Effect<boolean>
    /** Returns the job to the queue, still due, as if this try had not started. */
    readonly release: (claim: Claim) => Effect.Effect<void>
    /** Replaces the results of the project's jobs that have ended. None keeps a result. Joins a transaction. */
    readonly revise: <Result>(
      project: ProjectId,
      job: Pick<Job<string, never, Result, unknown>, "name" | "result">,
      change: (result: Result) => Option.Option<Result>
    ) => Effect.Effect<void>
    /** Deletes jobs that ended before. */
    readonly sweep: (before: DateTime.Utc) => Effect.Effect<void>
  }
>()("@posthorn/core/platform/jobs/JobQueue") {}
