/** Campaigns on their way, as whoever enables a project again sees them: a capability that security does not know. */
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Context, type DateTime, type Effect } from "effect"

export class RunningCampaigns extends Context.Service<
  RunningCampaigns,
  {
    /** Cancels those in SENDING, paused ones too; no mail of theirs is made or leaves any more. Joins a transaction. */
    readonly cancelAll: (project: ProjectId, now: DateTime.Utc) => Effect.Effect<void>
  }
>()("@posthorn/core/mail/reputation/RunningCampaigns") {}
