/** What a change tells completely is written into what pages have read, so that nothing is asked for it. */
import type { CampaignDetail, CampaignStats, LiveCampaign, LiveEvent } from "@posthorn/client/session"
import { queryClient } from "./Queries.ts"
import { router } from "./router.ts"
import { readSigned } from "./Start.ts"

const rate = (count: number, of: number) => (of === 0 ? 0 : Math.round((count * 10_000) / of) / 100)

const countersOf = ({ id: _, status: __, paused: ___, ...counters }: LiveCampaign) => counters

const statsWith = (before: CampaignStats, campaign: LiveCampaign): CampaignStats => {
  const counters = countersOf(campaign)
  const { totalRecipients, sentCount, failedCount, suppressedCount, cancelledCount } = counters
  const over = sentCount + failedCount + suppressedCount + cancelledCount + before.ambiguousCount
  return {
    ...before,
    ...counters,
    pendingCount: Math.max(0, totalRecipients - over),
    openRate: rate(counters.openedCount, sentCount),
    clickRate: rate(counters.clickedCount, sentCount),
    bounceRate: rate(counters.bouncedCount, sentCount),
    deliveryRate: rate(counters.deliveredCount, sentCount),
    complaintRate: rate(counters.complainedCount, sentCount),
    unsubscribeRate: rate(counters.unsubscribedCount, sentCount)
  }
}

const applyCampaign = (project: string, campaign: LiveCampaign) => {
  const { id, status, paused } = campaign
  const key = [project, "campaigns", id]
  const before = queryClient.getQueryData<CampaignDetail>(key)
  queryClient.setQueryData<CampaignDetail>(key, (detail) => detail && { ...detail, status, paused })
  queryClient.setQueryData<CampaignStats>([...key, "stats"], (stats) => stats && statsWith(stats, campaign))
  if (before?.status !== status || before.paused !== paused) {
    void queryClient.invalidateQueries({ queryKey: [project, "campaigns"] })
  }
}

/** The band and the marks on writes. A write of this tab that changed the project reads it by itself. */
const readProject = () => {
  if (queryClient.isMutating() > 0) return void setTimeout(readProject, 1_000)
  void readSigned().then(() => router.invalidate())
}

export const applyChange = (project: string, change: LiveEvent): void => {
  if (change.event === "campaign") applyCampaign(project, change.data)
  if (change.event === "project" || change.event === "reset") {
    readProject()
  }
}
