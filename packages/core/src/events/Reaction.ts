/** What the service does because of events, as the dispatcher sees it: it knows no reaction by name. */
import type { ProjectId } from "@posthorn/contract/Auth"
import { Data, type DateTime, type Effect } from "effect"
import type { SqlClient, Statement } from "effect/sql"

export interface EventKey {
  readonly project: ProjectId
  readonly id: string
}

/** Events of any number of projects, in the order they are to be reacted to. */
export interface EventBatch {
  readonly events: ReadonlyArray<EventKey>
  readonly now: DateTime.Utc
  /** One event that has failed before: a reaction may do what it can of it, and be `Unfinished`. */
  readonly isRepeat: boolean
}

/** What was done of a repeated event stays; it is repeated again for the rest. */
export class Unfinished extends Data.TaggedError("Unfinished")<{ readonly cause: unknown }> {}

/**
 * Runs in the transaction that takes the events out of the outbox: what it writes is there exactly once, unless it fails.
 * Then the batch is split, and an event that fails alone is repeated later, by itself. So a reaction must bear an event
 * twice where its effect is kept outside of the transaction, and works on the whole batch in statements, not row by row.
 */
export interface Reaction<R> {
  /** For the log: kebab-case. */
  readonly name: string
  readonly react: (batch: EventBatch) => Effect.Effect<void, Unfinished, R>
}

/** The batch as a table `(project_id, id, position)`, to be joined with `events`; one that was deleted is missing there. */
export const batchRows = (sql: SqlClient.SqlClient, { events }: Pick<EventBatch, "events">): Statement.Fragment => sql`
  unnest(${events.map(({ project }) => project)}::uuid[], ${events.map(({ id }) => id)}::uuid[])
    with ordinality as batch(project_id, id, position)`
