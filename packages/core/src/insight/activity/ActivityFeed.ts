/** The storage port of the activity feed, which merges everything that has a time. */

import type { ActivityEntry, ActivityType, UpcomingEntry } from "@posthorn/contract/insight/activity/Activity"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Context, type DateTime, type Effect } from "effect"
import type { Position } from "../../platform/Cursors.ts"
import type { Window } from "../../platform/TimeWindows.ts"

export interface ActivityFilter extends Window {
  /** All types if absent. */
  readonly types?: ReadonlyArray<ActivityType> | undefined
  readonly contact?: string | undefined
}

/** Storage port. Every method takes the project id first. Entries of deleted contacts and campaigns are left out. */
export class ActivityFeed extends Context.Service<
  ActivityFeed,
  {
    /** Newest first, after the position of an entry: its time and its id. */
    readonly list: (
      project: ProjectId,
      filter: ActivityFilter,
      limit: number,
      after?: Position
    ) => Effect.Effect<ReadonlyArray<ActivityEntry>>
    /** Stops at `most`. */
    readonly count: (project: ProjectId, filter: ActivityFilter, most: number) => Effect.Effect<number>
    /** The types that occur in the window. */
    readonly present: (project: ProjectId, window: Window) => Effect.Effect<ReadonlyArray<ActivityType>>
    /** The first entries that are due before `until`, including overdue ones. */
    readonly upcoming: (
      project: ProjectId,
      until: DateTime.Utc,
      limit: number
    ) => Effect.Effect<ReadonlyArray<UpcomingEntry>>
  }
>()("@posthorn/core/insight/activity/ActivityFeed") {}
