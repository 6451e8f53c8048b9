/** Which trigger a campaign takes in which state. Pure. */
import type { CampaignStatus } from "@posthorn/contract/automation/campaigns/Campaign"
import { Conflict } from "@posthorn/contract/platform/Errors"
import { Effect } from "effect"

/** Duplicating, testing and reading are allowed in every state; deleting asks what is still under way. */
const allowedIn = {
  update: ["DRAFT", "SCHEDULED"],
  send: ["DRAFT", "SCHEDULED"],
  cancel: ["SCHEDULED", "SENDING", "CANCELLED"],
  pause: ["SENDING"],
  resume: ["SENDING"],
  retryFailed: ["SENDING", "SENT"]
} as const satisfies { readonly [trigger: string]: ReadonlyArray<CampaignStatus> }
export type Trigger = keyof typeof allowedIn

export const requireState = (
  { status }: { readonly status: CampaignStatus },
  trigger: Trigger
): Effect.Effect<void, Conflict> => {
  const allowed: ReadonlyArray<CampaignStatus> = allowedIn[trigger]
  return allowed.includes(status)
    ? Effect.void
    : Effect.fail(new Conflict({ reason: "campaign_state", status, allowed }))
}
