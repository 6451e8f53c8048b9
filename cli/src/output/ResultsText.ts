/** Formats results of mail for people: by link, by mailbox provider, and in total. */
import type { CampaignLinks, OwnerResults, ProviderFigures, TemplateLinks } from "@posthorn/client"
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

export const linkBlocks = ({ links, others }: CampaignLinks | TemplateLinks): ReadonlyArray<Block> => [
  {
    head: ["clicks", "in mails", "by machines", "link", "text"],
    rows: [
      ...links.map((link) => [
        link.clicks,
        link.uniqueClicks,
        link.machineClicks,
        link.url,
        "live" in link && !link.live ? `${link.text} (earlier)` : link.text
      ]),
      [others.clicks, others.uniqueClicks, others.machineClicks, "others", null]
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
