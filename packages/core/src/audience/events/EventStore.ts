/** The storage port that reads and deletes events. */

import type { Event, EventSource, EventStats } from "@posthorn/contract/audience/events/Event"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Context, type DateTime, type Effect } from "effect"
import type { Position } from "../../platform/Cursors.ts"
import type { DateRange } from "../../platform/DateRange.ts"

export interface EventFilter extends Partial<DateRange> {
  readonly name?: string | undefined
  readonly contact?: string | undefined
  /** Events of both sources if absent. */
  readonly source?: EventSource | undefined
}

/** Storage port. Every method takes the project id first. Only `remove` sees retracted events. */
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
    /** By name, most frequent first. */
    readonly stats: (project: ProjectId, filter: EventFilter, limit: number) => Effect.Effect<EventStats>
    readonly totals: (
      project: ProjectId,
      name: string
    ) => Effect.Effect<{ readonly totalCount: number; readonly uniqueContacts: number }>
    /** Names that contain the text, most frequent first. */
    readonly names: (
      project: ProjectId,
      filter: { readonly search?: string | undefined; readonly source?: EventSource | undefined },
      limit: number
    ) => Effect.Effect<ReadonlyArray<string>>
    /** Hides events of this name that were recorded before `before`. Their rows stay. */
    readonly retract: (project: ProjectId, name: string, before: DateTime.Utc) => Effect.Effect<void>
    /**
     * Deletes up to `limit` events of this name that callers tracked before `before`. Returns how many. The last step
     * ends the retraction. Events of the service stay.
     */
    readonly remove: (project: ProjectId, name: string, before: DateTime.Utc, limit: number) => Effect.Effect<number>
  }
>()("@posthorn/core/audience/events/EventStore") {}
