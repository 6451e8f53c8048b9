/**
 * Where jobs wait, run and leave their record: at least once, joined to the caller's transaction, coarse jobs only.
 *
 * Effect's `PersistedQueue` would make its tables by itself, outside our migrations (and past `--no-migrate`), and has
 * no records, so jobs have a table of ours.
 */
import type { ProjectId } from "@posthorn/contract/Auth"
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { Job, JobId, Point, RunnableJob } from "./Job.ts"

/** Failed tries in a row, without a step forward between them, that end a job. */
export const maxTries = 3

/** What became of a job (contract-1 12.13). */
export interface JobRecord<Name extends string, Result> {
  readonly id: JobId
  readonly type: Name
  /** `active`: since its first start, also between two tries. */
  readonly state: "waiting" | "active" | "completed" | "failed"
  /** Whole percent. */
  readonly progress: number
  /** Null while it waits; what has been done so far while it is active, or when it failed. */
  readonly result: Result | null
  readonly failedReason: string | null
  readonly createdAt: DateTime.Utc
  readonly startedAt: DateTime.Utc | null
  readonly finishedAt: DateTime.Utc | null
}

/** The hold of one runner on one job; `claim` is the fence: a write counts only while the row still carries it. */
export interface Claim {
  readonly projectId: ProjectId
  readonly id: JobId
  readonly claim: number
}

export interface ClaimedJob extends Claim {
  readonly name: string
  /** Starts since the last step forward, this one included: above `maxTries`, its runners died of it. */
  readonly tries: number
  readonly payload: string
  readonly saved: Option.Option<Point<string, string>>
}

/** Leases run on the database clock, everything else on `now`, the service's clock. */
export class JobQueue extends Context.Service<
  JobQueue,
  {
    /** Due at once. Joins the caller's transaction; runners of this process hear of it when it is committed. */
    readonly enqueue: <Payload>(
      project: ProjectId,
      job: Pick<Job<string, Payload, unknown, unknown>, "name" | "payload">,
      payload: NoInfer<Payload>,
      now: DateTime.Utc,
      /** Kept beside the payload, and as long. */
      file?: Uint8Array
    ) => Effect.Effect<JobId>
    /** None also when the id belongs to a job of another kind. */
    readonly find: <Name extends string, Result>(
      project: ProjectId,
      kinds: ReadonlyArray<Pick<Job<Name, never, Result, unknown>, "name" | "result">>,
      id: JobId
    ) => Effect.Effect<Option.Option<JobRecord<Name, Result>>>
    readonly file: (job: Pick<Claim, "projectId" | "id">) => Effect.Effect<Option.Option<Uint8Array>>
    /** Returns when a job was enqueued in this process since the last time. */
    readonly woken: Effect.Effect<void>
    /**
     * The oldest due job of these kinds that nobody holds and whose project has room for it. Nobody else gets it for 60
     * seconds from now, or from the last renewal.
     */
    readonly claim: (
      kinds: ReadonlyArray<Pick<RunnableJob<unknown>, "name" | "perProject">>,
      now: DateTime.Utc
    ) => Effect.Effect<Option.Option<ClaimedJob>>
    /** False when the claim is lost, here and below. */
    readonly renew: (claim: Claim) => Effect.Effect<boolean>
    /** Joins the caller's transaction. */
    readonly saveProgress: (claim: Claim, point: Point<string, string>) => Effect.Effect<boolean>
    readonly complete: (claim: Claim, result: string, now: DateTime.Utc) => Effect.Effect<boolean>
    /** Due again after 1 second, then 2; the third time it ends with this reason. */
    readonly fail: (claim: Claim, reason: string, now: DateTime.Utc) => Effect.Effect<boolean>
    /** Gives the job back, still due, as if this try had not begun. */
    readonly release: (claim: Claim) => Effect.Effect<void>
    /** Puts other results in the place of those of the project's jobs that ended; none leaves one. Joins a transaction. */
    readonly revise: <Result>(
      project: ProjectId,
      job: Pick<Job<string, never, Result, unknown>, "name" | "result">,
      change: (result: Result) => Option.Option<Result>
    ) => Effect.Effect<void>
    /** Forgets the jobs that ended before. */
    readonly sweep: (before: DateTime.Utc) => Effect.Effect<void>
  }
>()("@posthorn/core/jobs/JobQueue") {}
