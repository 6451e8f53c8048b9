/** The activity of a project, as it is read from everything that keeps a time. */

import type { ProjectId } from "@posthorn/contract/Auth"
import type { ActivityEntry, ActivityType, UpcomingEntry } from "@posthorn/contract/activity/Activity"
import { Context, type DateTime, type Effect } from "effect"
import type { Position } from "../Cursors.ts"
import type { Window } from "../Windows.ts"

export interface ActivityFilter extends Window {
  /** All without it. */
  readonly types?: ReadonlyArray<ActivityType> | undefined
  readonly contact?: string | undefined
}

/** Storage port; every method takes the project first. Lines of deleted contacts and campaigns are not there. */
export class ActivityFeed extends Context.Service<
  ActivityFeed,
  {
    /** Newest first, behind the position of an entry: its time and its id. */
    readonly list: (
      project: ProjectId,
      filter: ActivityFilter,
      limit: number,
      after?: Position
    ) => Effect.Effect<ReadonlyArray<ActivityEntry>>
    /** Stops at `most`. */
    readonly count: (project: ProjectId, filter: ActivityFilter, most: number) => Effect.Effect<number>
    /** Which types there are in the window. */
    readonly present: (project: ProjectId, window: Window) => Effect.Effect<ReadonlyArray<ActivityType>>
    /** What is due before `until`, also if it is late; the first ones. */
    readonly upcoming: (
      project: ProjectId,
      until: DateTime.Utc,
      limit: number
    ) => Effect.Effect<ReadonlyArray<UpcomingEntry>>
  }
>()("@posthorn/core/activity/ActivityFeed") {}
