/** Events as they are read and deleted. */
import type { ProjectId } from "@posthorn/contract/Auth"
import type { Event, EventSource, EventStats } from "@posthorn/contract/events/Event"
import { Context, type DateTime, type Effect } from "effect"
import type { Position } from "../Cursors.ts"
import type { DateRange } from "../DateRange.ts"

export interface EventFilter extends Partial<DateRange> {
  readonly name?: string | undefined
  readonly contact?: string | undefined
  /** Both without it. */
  readonly source?: EventSource | undefined
}

/** Storage port; every method takes the project first. What was retracted is seen by none but `remove`. */
export class EventStore extends Context.Service<
  EventStore,
  {
    /** Newest first. */
    readonly list: (
      project: ProjectId,
      filter: EventFilter,
      limit: number,
      after?: Position
    ) => Effect.Effect<ReadonlyArray<Event>>
    readonly count: (project: ProjectId, filter: EventFilter) => Effect.Effect<number>
    /** By name, the most frequent first. */
    readonly stats: (project: ProjectId, filter: EventFilter, limit: number) => Effect.Effect<EventStats>
    readonly totals: (
      project: ProjectId,
      name: string
    ) => Effect.Effect<{ readonly totalCount: number; readonly uniqueContacts: number }>
    /** Names that have the text in them, the most frequent first. */
    readonly names: (
      project: ProjectId,
      filter: { readonly search?: string | undefined; readonly source?: EventSource | undefined },
      limit: number
    ) => Effect.Effect<ReadonlyArray<string>>
    /** From now on events of this name recorded before are not seen, though they are there. */
    readonly retract: (project: ProjectId, name: string, before: DateTime.Utc) => Effect.Effect<void>
    /**
     * Deletes up to `limit` events of this name that callers tracked before, and tells how many; the last step ends the
     * retraction. The service's own stay.
     */
    readonly remove: (project: ProjectId, name: string, before: DateTime.Utc, limit: number) => Effect.Effect<number>
  }
>()("@posthorn/core/events/EventStore") {}
