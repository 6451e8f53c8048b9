/** Rates of a campaign, in percent of the mails sent. Pure. */
import type { CampaignStats } from "@posthorn/contract/automation/campaigns/Campaign"
import type { CampaignConversions, Counters } from "./CampaignStore.ts"

type Rates = Omit<CampaignStats, keyof Counters | keyof CampaignConversions | "uplift">

export const rates = (counters: Counters, { convertedCount }: Pick<CampaignConversions, "convertedCount">): Rates => {
  const of = (count: number) => (counters.sentCount === 0 ? 0 : Math.round((count / counters.sentCount) * 10_000) / 100)
  const humanOpenedCount = counters.openedCount - counters.machineOpenedCount
  const humanClickedCount = counters.clickedCount - counters.machineClickedCount
  return {
    humanOpenedCount,
    humanClickedCount,
    humanOpenRate: of(humanOpenedCount),
    humanClickRate: of(humanClickedCount),
    openRate: of(counters.openedCount),
    clickRate: of(counters.clickedCount),
    bounceRate: of(counters.bouncedCount),
    deliveryRate: of(counters.deliveredCount),
    complaintRate: of(counters.complainedCount),
    unsubscribeRate: of(counters.unsubscribedCount),
    conversionRate: of(convertedCount)
  }
}
