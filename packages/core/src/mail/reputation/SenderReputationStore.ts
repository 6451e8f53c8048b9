/** The storage port of bounce and complaint rates, warnings and suspensions. */

import type { StandingMetric, Suspension } from "@posthorn/contract/accounts/projects/Security"
import type { DisabledReason, ProjectId } from "@posthorn/contract/platform/Auth"
import { Context, type DateTime, type Effect } from "effect"

/** Counts of mails by the time they were sent: in the last seven days, and of all time. */
export interface Counts {
  readonly sent7Day: number
  readonly bounces7Day: number
  readonly complaints7Day: number
  readonly sentAllTime: number
  readonly bouncesAllTime: number
  readonly complaintsAllTime: number
}

/** Storage port; every method but those that go over all projects takes the project first. */
export class SenderReputationStore extends Context.Service<
  SenderReputationStore,
  {
    /** Neither reaches back before the project, nor before it was last enabled again. Test mails do not count. */
    readonly counts: (project: ProjectId, now: DateTime.Utc) => Effect.Effect<Counts>
    /** Queues an evaluation of the project. */
    readonly markChanged: (project: ProjectId, now: DateTime.Utc) => Effect.Effect<void>
    /** Takes the projects with a queued evaluation. */
    readonly takeChanged: Effect.Effect<ReadonlyArray<ProjectId>>
    /** Every enabled project with a mail sent since `since`. */
    readonly active: (since: DateTime.Utc) => Effect.Effect<ReadonlyArray<ProjectId>>
    /** True for the first warning about this metric on this day (UTC). */
    readonly firstWarning: (project: ProjectId, metric: StandingMetric, now: DateTime.Utc) => Effect.Effect<boolean>
    /** True unless the project has an open suspension already. */
    readonly open: (
      project: ProjectId,
      suspension: {
        readonly id: string
        readonly reason: DisabledReason
        readonly metric: StandingMetric | null
        readonly value: number | null
      },
      now: DateTime.Utc
    ) => Effect.Effect<boolean>
    readonly close: (project: ProjectId, now: DateTime.Utc) => Effect.Effect<void>
    /** Newest first. */
    readonly suspensions: (project: ProjectId, limit: number) => Effect.Effect<ReadonlyArray<Suspension>>
  }
>()("@posthorn/core/mail/reputation/SenderReputationStore") {}
