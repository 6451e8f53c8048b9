/**
 * Coarse work that outlives the request that asked for it: an import, a bulk change, the deletion of a million rows.
 *
 * A job runs at least once. It does its work in steps, each a transaction that ends with `save`: then a step counts
 * once, whatever process dies when, and the next try finds how far the last one came.
 */
import type { ProjectId } from "@posthorn/contract/Auth"
import { Id } from "@posthorn/contract/Wire"
import { Data, Effect, Option, Schema } from "effect"

export const JobId = Id.pipe(Schema.brand("JobId"))
export type JobId = typeof JobId.Type

/** How far a job has come. */
export interface Point<Result, Checkpoint> {
  /** Percent, 0 to 100; fractions are cut. */
  readonly progress: number
  /** As it would be if the job ended here; shown while it runs. */
  readonly result: Result
  /** Where the next try goes on. One that differs from the last starts the count of tries anew. */
  readonly checkpoint: Checkpoint
}

export interface JobContext<Result, Checkpoint> {
  readonly project: ProjectId
  readonly id: JobId
  /** The last point that was saved, by whichever process; none at the first try. */
  readonly saved: Option.Option<Point<Result, Checkpoint>>
  /** What was uploaded for it, while it has not ended; none when nothing was. */
  readonly file: Effect.Effect<Option.Option<Uint8Array>>
  /** Joins the caller's transaction, and breaks it when another process has taken the job over. */
  readonly save: (point: Point<Result, Checkpoint>) => Effect.Effect<void>
}

/** A try came to nothing. `reason` is shown to whoever asked for the job: a sentence without internals. */
export class JobFailed extends Data.TaggedError("JobFailed")<{ readonly reason: string }> {}

/** A job as its runner sees it: what it takes and gives is text. */
export interface RunnableJob<R> {
  readonly name: string
  readonly perProject: number | null
  readonly execute: (payload: string, context: JobContext<string, string>) => Effect.Effect<string, JobFailed, R>
}

export interface Job<Name extends string, Payload, Result, R> extends RunnableJob<R> {
  readonly name: Name
  readonly payload: Schema.Codec<Payload, string>
  readonly result: Schema.Codec<Result, string>
}

export const define = <const Name extends string, Payload, Result, Checkpoint, R>({
  name,
  perProject,
  run,
  ...schemas
}: {
  /** The `type` of the record, and the job of metrics and log: kebab-case, the same in every release. */
  readonly name: Name
  /** Kept until the job has ended. */
  readonly payload: Schema.Codec<Payload, unknown>
  readonly result: Schema.Codec<Result, unknown>
  /** Where the work to do is what is still there, the number of what is done: it shows that a step was one forward. */
  readonly checkpoint: Schema.Codec<Checkpoint, unknown>
  /** How many of a project may be under way at once; further ones wait. Default: any number. */
  readonly perProject?: number
  /** Tried 3 times. A defect is a failed try too; its text goes to the log alone. */
  readonly run: (payload: Payload, context: JobContext<Result, Checkpoint>) => Effect.Effect<Result, JobFailed, R>
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
  return { name, perProject: perProject ?? null, payload, result, execute }
}
