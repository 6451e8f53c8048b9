/** The states in which a campaign allows each action. Pure. */
import type { CampaignStatus } from "@posthorn/contract/automation/campaigns/Campaign"
import { Conflict } from "@posthorn/contract/platform/Errors"
import { Effect } from "effect"

/** Duplicating, testing and reading are allowed in every state. Deleting checks for unsent mail. */
const allowedIn = {
  update: ["DRAFT", "SCHEDULED"],
  recur: ["DRAFT"],
  send: ["DRAFT", "SCHEDULED"],
  followUp: ["SENDING", "SENT", "CANCELLED"],
  cancel: ["SCHEDULED", "SENDING", "CANCELLED"],
  pause: ["SENDING"],
  resume: ["SENDING"],
  retryFailed: ["SENDING", "SENT"]
} as const satisfies { readonly [action: string]: ReadonlyArray<CampaignStatus> }
export type Action = keyof typeof allowedIn

export const requireState = (
  { status }: { readonly status: CampaignStatus },
  action: Action
): Effect.Effect<void, Conflict> => {
  const allowed: ReadonlyArray<CampaignStatus> = allowedIn[action]
  return allowed.includes(status)
    ? Effect.void
    : Effect.fail(new Conflict({ reason: "campaign_state", status, allowed }))
}
