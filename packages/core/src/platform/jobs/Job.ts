/**
 * Long work that outlives the request that started it: an import, a bulk change, the deletion of a million rows.
 *
 * A job runs at least once. It works in steps, and each step is a transaction that ends with `save`. So a step takes
 * effect once, even if a process dies, and the next try continues after the last step.
 */
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Id } from "@posthorn/contract/platform/Primitives"
import { Data, Effect, Option, Schema } from "effect"

export const JobId = Id.pipe(Schema.brand("JobId"))
export type JobId = typeof JobId.Type

/** The progress of a job. */
export interface Point<Result, Checkpoint> {
  /** Percent, 0 to 100. Fractions are cut. */
  readonly progress: number
  /** The result if the job ended here. Shown while it runs. */
  readonly result: Result
  /** Where the next try continues. A checkpoint that differs from the last one resets the count of tries. */
  readonly checkpoint: Checkpoint
}

export interface JobContext<Result, Checkpoint> {
  readonly project: ProjectId
  readonly id: JobId
  /** The last saved point, by any process. None at the first try. */
  readonly saved: Option.Option<Point<Result, Checkpoint>>
  /** The uploaded file of the job, until the job has ended. None when nothing was uploaded. */
  readonly file: Effect.Effect<Option.Option<Uint8Array>>
  /** Joins the caller's transaction. Fails it when another process has taken over the job. */
  readonly save: (point: Point<Result, Checkpoint>) => Effect.Effect<void>
}

/** A try has failed. `reason` is shown to the user who started the job: a sentence without internals. */
export class JobFailed extends Data.TaggedError("JobFailed")<{ readonly reason: string }> {}

/** The job may not go on now. It waits, due, and the try does not count. */
export class JobHeld extends Data.TaggedError("JobHeld") {}

/** A job as the runner sees it. Payload, checkpoint and result are text. */
export interface RunnableJob<R> {
  readonly name: string
  readonly perProject: number | null
  readonly whileEnabled: boolean
  readonly execute: (
    payload: string,
    context: JobContext<string, string>
  ) => Effect.Effect<string, JobFailed | JobHeld, R>
}

export interface Job<Name extends string, Payload, Result, R> extends RunnableJob<R> {
  readonly name: Name
  readonly payload: Schema.Codec<Payload, string>
  readonly result: Schema.Codec<Result, string>
}

export const define = <const Name extends string, Payload, Result, Checkpoint, R>({
  name,
  perProject,
  whileEnabled,
  run,
  ...schemas
}: {
  /** The `type` of the record, and the name in metrics and log. Kebab-case, the same in every release. */
  readonly name: Name
  /** Stored until the job has ended. */
  readonly payload: Schema.Codec<Payload, unknown>
  readonly result: Schema.Codec<Result, unknown>
  /** For a job that works on the remaining rows, the number of finished rows. A higher number shows progress. */
  readonly checkpoint: Schema.Codec<Checkpoint, unknown>
  /** Most jobs of a project that run at once. Further ones wait. Default: no limit. */
  readonly perProject?: number
  /** Whether it waits while its project is disabled. Default: false. */
  readonly whileEnabled?: boolean
  /** Tried 3 times. A defect is also a failed try; its text is only logged. */
  readonly run: (
    payload: Payload,
    context: JobContext<Result, Checkpoint>
  ) => Effect.Effect<Result, JobFailed | JobHeld, R>
}): Job<Name, Payload, Result, R> => {
  const payload = Schema.fromJsonString(Schema.toCodecJson(schemas.payload))
  const result = Schema.fromJsonString(Schema.toCodecJson(schemas.result))
  const checkpoint = Schema.fromJsonString(Schema.toCodecJson(schemas.checkpoint))
  const point = Schema.Struct({ progress: Schema.Finite, result, checkpoint })
  const execute: RunnableJob<R>["execute"] = Effect.fnUntraced(function* (text, { saved, save, ...context }) {
    const input = yield* Effect.orDie(Schema.decodeEffect(payload)(text))
    const last = yield* Effect.orDie(Effect.transposeOption(Option.map(saved, Schema.decodeEffect(point))))
    const done = yield* run(input, {
      ...context,
      saved: last,
      save: (reached) => Effect.flatMap(Effect.orDie(Schema.encodeEffect(point)(reached)), save)
    })
    return yield* Effect.orDie(Schema.encodeEffect(result)(done))
  })
  return { name, perProject: perProject ?? null, whileEnabled: whileEnabled ?? false, payload, result, execute }
}
