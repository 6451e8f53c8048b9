/** The port to cancel campaigns of a project. The area `automation` implements it. */
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Context, type DateTime, type Effect } from "effect"

export class RunningCampaigns extends Context.Service<
  RunningCampaigns,
  {
    /** Cancels those in SENDING, paused ones too. No more of their mail is made or sent. Joins a transaction. */
    readonly cancelAll: (project: ProjectId, now: DateTime.Utc) => Effect.Effect<void>
  }
>()("@posthorn/core/mail/reputation/RunningCampaigns") {}
