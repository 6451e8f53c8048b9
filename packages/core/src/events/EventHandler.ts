/** A reaction of the service to events. The dispatcher runs all reactions and knows none by name. */
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Data, type DateTime, type Effect } from "effect"
import type { SqlClient, Statement } from "effect/sql"

export interface EventKey {
  readonly project: ProjectId
  readonly id: string
}

/** Events of any number of projects, in the order of processing. */
export interface EventBatch {
  readonly events: ReadonlyArray<EventKey>
  readonly now: DateTime.Utc
  /**
   * Whether this is one event that failed before. A reaction may then do part of the work and fail with `Unfinished`.
   */
  readonly isRepeat: boolean
}

/** The finished work on a retried event is kept. The event is retried for the rest. */
export class Unfinished extends Data.TaggedError("Unfinished")<{ readonly cause: unknown }> {}

/**
 * Runs in the transaction that takes the events out of the outbox, so its writes happen exactly once or, on failure,
 * not at all. After a failure the batch is split, and an event that fails alone is retried later. So a reaction with
 * effects outside of the transaction must tolerate a repeated event. A reaction processes the whole batch with
 * set-based statements, not row by row.
 */
export interface EventHandler<R> {
  /** For the log, in kebab-case. */
  readonly name: string
  readonly react: (batch: EventBatch) => Effect.Effect<void, Unfinished, R>
}

/** The batch as a table `(project_id, id, position)`, to join with `events`. Deleted events are missing in `events`. */
export const batchRows = (sql: SqlClient.SqlClient, { events }: Pick<EventBatch, "events">): Statement.Fragment => sql`
  unnest(${events.map(({ project }) => project)}::uuid[], ${events.map(({ id }) => id)}::uuid[])
    with ordinality as batch(project_id, id, position)`
