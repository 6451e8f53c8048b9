/** Formats results of mail for people: by link, by mailbox provider, and in total. */
import type { CampaignLinks, CampaignReport, OwnerResults, ProviderFigures, TemplateLinks } from "@posthorn/client"
import type { Block, Cell } from "./Table.ts"

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
