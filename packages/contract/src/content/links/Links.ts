/** Clicks by link, and results of the mail of a template or of a step. */
import { Schema } from "effect"
import { described, Timestamp } from "../../platform/Primitives.ts"

const counts = {
  clicks: Schema.Int,
  uniqueClicks: Schema.Int.pipe(described("Mails in which it was clicked.")),
  machineClicks: Schema.Int.pipe(described("Clicks by scanners, counted in `clicks` too."))
}

const link = {
  url: Schema.String.pipe(
    described("The address as it is written, with its placeholders. One for all the addresses that it becomes.")
  ),
  text: Schema.String.pipe(described("What the link shows, at most 100 characters; of an image its alternative text.")),
  position: Schema.Int.pipe(described("Its place in the text, from 1.")),
  ...counts
}

export const LinkClicks = Schema.Struct(link).annotate({
  identifier: "LinkClicks",
  description: "The clicks on one link."
})
export type LinkClicks = typeof LinkClicks.Type

const Others = Schema.Struct(counts).annotate({
  identifier: "OtherClicks",
  description: "Clicks on addresses that came whole from a value, and on links beyond the first 500."
})

export const CampaignLinks = Schema.Struct({
  links: Schema.Array(LinkClicks).pipe(described("In the order of the text, also those without clicks.")),
  others: Others
}).annotate({ identifier: "CampaignLinks", description: "Clicks on the links of a campaign." })
export type CampaignLinks = typeof CampaignLinks.Type

export const TemplateLinks = Schema.Struct({
  links: Schema.Array(
    Schema.Struct({
      ...link,
      live: Schema.Boolean.pipe(described("False: an earlier version had it."))
    }).annotate({ identifier: "TemplateLink", description: "The clicks on one link." })
  ).pipe(
    described("Those of the current text in its order, also without clicks; then earlier ones that were clicked.")
  ),
  others: Others
}).annotate({ identifier: "TemplateLinks", description: "Clicks on the links of a template." })
export type TemplateLinks = typeof TemplateLinks.Type

const rate = Schema.Finite.pipe(described("Percentage of the mails sent, with one decimal."))

export const OwnerResults = Schema.Struct({
  sent: Schema.Int,
  delivered: Schema.Int,
  opened: Schema.Int,
  clicked: Schema.Int,
  bounced: Schema.Int,
  complained: Schema.Int,
  failed: Schema.Int,
  machineOpened: Schema.Int.pipe(described("Mails that only machines opened.")),
  machineClicked: Schema.Int.pipe(described("Mails whose links only machines followed.")),
  openRate: rate,
  clickRate: rate,
  bounceRate: rate,
  since: Timestamp.pipe(described("When counting began."))
}).annotate({
  identifier: "OwnerResults",
  description: "What became of its mail. Each count includes a mail once; counts stay when mails are deleted."
})
export type OwnerResults = typeof OwnerResults.Type
