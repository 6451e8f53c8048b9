/** Formats campaigns for people, and results of mail: by link, by mailbox provider, and in total. */
import type {
  Campaign,
  CampaignExperimentFigures,
  CampaignLinks,
  CampaignReport,
  CampaignStats,
  CampaignSummary,
  OwnerResults,
  ProviderFigures,
  Recipient,
  TemplateLinks
} from "@posthorn/client"
import type { Block, Cell } from "./Table.ts"

/** One line of a list. */
export const campaignHead = ["created", "status", "recipients", "sent", "id", "name"]
export const campaignRow = (campaign: CampaignSummary): ReadonlyArray<Cell> => [
  campaign.createdAt,
  stateOf(campaign),
  campaign.totalRecipients || campaign.estimatedRecipients,
  campaign.sentCount,
  campaign.id,
  campaign.name
]

const stateOf = ({ status, paused }: Pick<Campaign, "paused" | "status">): string =>
  paused ? `${status}, paused` : status

const percent = (share: number): string => `${Math.round(share * 10_000) / 100} %`

const known = (rows: ReadonlyArray<readonly [name: string, value: Cell]>) =>
  rows.filter(([, value]) => value !== null && value !== "")

const audienceOf = ({ audienceType, segmentId, audienceCondition }: Campaign): string => {
  if (segmentId !== null) return `segment ${segmentId}`
  return audienceCondition === null ? audienceType : `contacts that match ${JSON.stringify(audienceCondition)}`
}

const deliveryRows = ({
  delivery,
  priority,
  recurrence,
  parentId
}: Campaign): ReadonlyArray<readonly [name: string, value: Cell]> => [
  ["local time", delivery?.localTime == null ? null : `of each contact; where passed: ${delivery.localTime.passed}`],
  ["spread over", delivery?.spreadHours == null ? null : `${delivery.spreadHours} h`],
  ["mails a minute", delivery?.ratePerMinute ?? null],
  ["expires at", delivery?.expiresAt ?? null],
  ["priority", priority === 3 ? null : priority],
  ["recurs", recurrence && `${recurrence.schedule}, ${recurrence.timezone}${recurrence.enabled ? "" : ", disabled"}`],
  ["runs", recurrence?.runs ?? null],
  ["next run", recurrence?.nextAt ?? null],
  ["made by", parentId]
]

export const campaignBlocks = (campaign: Campaign): ReadonlyArray<Block> => [
  {
    rows: known([
      ["id", campaign.id],
      ["name", campaign.name],
      ["status", stateOf(campaign)],
      ["reason", campaign.statusReason],
      ["approval", campaign.approval.state === "NONE" ? null : campaign.approval.state],
      ["note", campaign.approval.note],
      ["subject", campaign.subject],
      ["preheader", campaign.preheader],
      ["bypasses quiet hours", campaign.policy.quietHours === "BYPASS" ? "yes" : null],
      ["bypasses frequency caps", campaign.policy.frequencyCaps === "BYPASS" ? "yes" : null],
      ...deliveryRows(campaign),
      ["from", campaign.fromName === null ? campaign.from : `${campaign.fromName} <${campaign.from}>`],
      ["type", campaign.type],
      ["variants", campaign.experiment?.variants.map(({ key }) => key).join(", ") ?? null],
      ["experiment", campaign.experimentState],
      ["goal", campaign.goal && `${campaign.goal.eventName}, within ${campaign.goal.windowHours} hours`],
      ["holdout", campaign.holdout && percent(campaign.holdout.share)],
      ["held out", campaign.holdoutSize || null],
      ["audience", audienceOf(campaign)],
      ["recipients of", campaign.recipientsOf && `${campaign.recipientsOf.campaignId}, ${campaign.recipientsOf.who}`],
      ["recipients", campaign.totalRecipients || campaign.estimatedRecipients],
      ["scheduled for", campaign.scheduledFor],
      ["starts at", campaign.startsAt === campaign.scheduledFor ? null : campaign.startsAt],
      ["sent at", campaign.sentAt],
      ["completed at", campaign.completedAt],
      ["archive", campaign.archiveUrl],
      ["sent", campaign.sentCount || null],
      ["failed", campaign.failedCount || null],
      ["suppressed", campaign.suppressedCount || null],
      ["cancelled", campaign.cancelledCount || null],
      ["description", campaign.description]
    ])
  }
]

/** The mailed contacts beside those that were held out. */
const upliftBlocks = ({ uplift }: CampaignStats): ReadonlyArray<Block> => {
  if (uplift === null) return []
  const { treated, holdout, treatedRate, holdoutRate, difference, low, high } = uplift
  const points = (share: number) => Math.round(share * 10_000) / 100
  return [
    {
      head: ["group", "contacts", "did it"],
      rows: [
        ["mailed", treated, percent(treatedRate)],
        ["held out", holdout, percent(holdoutRate)]
      ]
    },
    {
      rows: [
        ["uplift", `${points(difference)} percentage points (95 % interval: ${points(low)} to ${points(high)})`],
        ["says", low <= 0 && high >= 0 ? "not enough to tell" : "more than chance"]
      ]
    }
  ]
}

export const statsBlocks = (stats: CampaignStats): ReadonlyArray<Block> => [
  {
    head: ["mails", "number", "percent of sent"],
    rows: [
      ["recipients", stats.totalRecipients, null],
      ["pending", stats.pendingCount, null],
      ["sent", stats.sentCount, null],
      ["delivered", stats.deliveredCount, stats.deliveryRate],
      ["opened", stats.openedCount, stats.openRate],
      ["opened only by bots", stats.machineOpenedCount, null],
      ["clicked", stats.clickedCount, stats.clickRate],
      ["clicked only by bots", stats.machineClickedCount, null],
      ["converted", stats.convertedCount, stats.conversionRate],
      ["events for the goal", stats.conversionEvents, null],
      ...stats.revenue.map(({ currency, amount }) => [`revenue in ${currency}`, amount, null] as const),
      ["bounced", stats.bouncedCount, stats.bounceRate],
      ["complained", stats.complainedCount, stats.complaintRate],
      ["unsubscribed", stats.unsubscribedCount, stats.unsubscribeRate],
      ["failed", stats.failedCount, null],
      ["suppressed", stats.suppressedCount, null],
      ["cancelled", stats.cancelledCount, null],
      ["ambiguous", stats.ambiguousCount, null]
    ]
  },
  ...upliftBlocks(stats)
]

const decisionOf = ({ state, final, significant, winner }: CampaignExperimentFigures): string => {
  if (state === "ABANDONED") return "nobody chose a variant: the rest gets no mail"
  if (state === "CANCELLED") return "the campaign was cancelled"
  const certainty = significant ? "better by more than chance" : "not enough to tell which one is better"
  if (winner !== null) return `${winner} (${certainty})`
  return final || state === "WAITING" ? `${certainty}: choose with --winner` : "early figures decide nothing"
}

export const experimentBlocks = (figures: CampaignExperimentFigures): ReadonlyArray<Block> => [
  {
    rows: known([
      ["state", figures.state ?? "not started"],
      ["decided by", figures.metric],
      ["decides at", figures.decideAt],
      ["winner", decisionOf(figures)],
      ["shows a difference of", figures.detectable && `${figures.detectable} percentage points`]
    ])
  },
  {
    head: ["variant", "sent", "successes", "rate", "95 % interval", "p"],
    rows: figures.variants.map(({ key, sent, successes, rate, low, high, pValue }) => [
      key,
      sent,
      successes,
      percent(rate),
      `${percent(low)} to ${percent(high)}`,
      pValue === null ? null : Math.round(pValue * 10_000) / 10_000
    ])
  }
]

export const recipientHead = ["status", "reason", "variant", "email", "contact", "mail"]
export const recipientRow = (recipient: Recipient): ReadonlyArray<Cell> => [
  recipient.status,
  recipient.reason ?? recipient.error?.code,
  recipient.variant,
  recipient.email,
  recipient.contactId,
  recipient.emailId
]

export const providerHead = [
  "provider",
  "sent",
  "delivered %",
  "deferred",
  "opened %",
  "clicked %",
  "bounced %",
  "failed"
]
export const providerRow = (figures: ProviderFigures): ReadonlyArray<Cell> => [
  figures.provider,
  figures.sent,
  figures.deliveryRate,
  figures.deferred,
  figures.openRate,
  figures.clickRate,
  figures.bounceRate,
  figures.failed
]

export const providerBlocks = (providers: ReadonlyArray<ProviderFigures>): ReadonlyArray<Block> => [
  { head: providerHead, rows: providers.map(providerRow) }
]

export const reportBlocks = ({ by, rows }: CampaignReport): ReadonlyArray<Block> => [
  {
    head: [
      by,
      "sent",
      "delivered",
      "opened",
      "clicked",
      "bounced",
      "complained",
      "unsubscribed",
      "converted",
      "revenue"
    ],
    rows: rows.map((row) => [
      row.key,
      row.sent,
      row.delivered,
      row.humanOpened,
      row.humanClicked,
      row.bounced,
      row.complained,
      row.unsubscribed,
      row.converted,
      revenueText(row.revenue)
    ])
  }
]

/** Sums of money, as `12.5 EUR, 3 USD`. */
export const revenueText = (revenue: CampaignReport["rows"][number]["revenue"]): string =>
  revenue.map(({ amount, currency }) => `${amount} ${currency}`).join(", ")

export const linkBlocks = ({ links, others }: CampaignLinks | TemplateLinks): ReadonlyArray<Block> => [
  {
    head: ["clicks", "in mails", "by people", "by machines", "link", "text"],
    rows: [
      ...links.map((link) => [
        link.clicks,
        link.uniqueClicks,
        link.humanClicked,
        link.machineClicks,
        link.url,
        "live" in link && !link.live ? `${link.text} (earlier)` : link.text
      ]),
      [others.clicks, others.uniqueClicks, others.humanClicked, others.machineClicks, "others", null]
    ]
  }
]

export const resultsBlocks = (results: OwnerResults): ReadonlyArray<Block> => [
  {
    head: ["mails", "number", "percent of sent"],
    rows: [
      ["sent", results.sent, null],
      ["delivered", results.delivered, null],
      ["opened", results.opened, results.openRate],
      ["opened only by bots", results.machineOpened, null],
      ["clicked", results.clicked, results.clickRate],
      ["clicked only by bots", results.machineClicked, null],
      ["bounced", results.bounced, results.bounceRate],
      ["complained", results.complained, null],
      ["failed", results.failed, null]
    ]
  },
  { rows: [["counted since", results.since]] }
]
