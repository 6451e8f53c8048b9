/** What a campaign brings: those who got it beside those who were held out. Pure. */
import type { Uplift } from "@posthorn/contract/automation/campaigns/CampaignHoldout"
import { difference } from "../../experiments/Proportions.ts"
import type { Counters, ReachedCounts } from "../CampaignStore.ts"

/** Null if one of the groups is empty: then there is nothing to compare. */
export const upliftOf = (
  { audienceSize, holdoutSize }: Pick<Counters, "audienceSize" | "holdoutSize">,
  { treated, heldOut }: ReachedCounts
): Uplift | null =>
  audienceSize === 0 || holdoutSize === 0
    ? null
    : {
        treated: audienceSize,
        holdout: holdoutSize,
        treatedRate: treated / audienceSize,
        holdoutRate: heldOut / holdoutSize,
        ...difference({ sent: audienceSize, successes: treated }, { sent: holdoutSize, successes: heldOut })
      }
