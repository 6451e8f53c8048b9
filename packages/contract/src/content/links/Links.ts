/** Clicks by link, and results of the mail of a template or of a step. */
import { Schema } from "effect"
import { described, Timestamp } from "../../platform/Primitives.ts"

const counts = {
  clicks: Schema.Int,
  uniqueClicks: Schema.Int.pipe(described("Mails in which it was clicked.")),
  machineClicks: Schema.Int.pipe(described("Clicks by scanners, counted in `clicks` too.")),
  humanClicked: Schema.Int.pipe(described("Mails in which a person clicked it."))
}

const link = {
  url: Schema.String.pipe(
    described("The URL as written, with its placeholders. One entry for all URLs that it is rendered to.")
  ),
  text: Schema.String.pipe(
    described("The text of the link, at most 100 characters; for an image its alternative text.")
  ),
  position: Schema.Int.pipe(described("Its position in the text, from 1.")),
  ...counts
}

export const LinkClicks = Schema.Struct(link).annotate({
  identifier: "LinkClicks",
  description: "The clicks on one link."
})
export type LinkClicks = typeof LinkClicks.Type

const Others = Schema.Struct(counts).annotate({
  identifier: "OtherClicks",
  description: "Clicks on URLs that consist of one value, and on links after the first 500."
})

export const CampaignLinks = Schema.Struct({
  links: Schema.Array(LinkClicks).pipe(described("In the order of the text, including those without clicks.")),
  others: Others
}).annotate({ identifier: "CampaignLinks", description: "Clicks on the links of a campaign." })
export type CampaignLinks = typeof CampaignLinks.Type

export const TemplateLinks = Schema.Struct({
  links: Schema.Array(
    Schema.Struct({
      ...link,
      live: Schema.Boolean.pipe(described("False: only an earlier version has it."))
    }).annotate({ identifier: "TemplateLink", description: "The clicks on one link." })
  ).pipe(
    described(
      "Links of the current text in its order, including those without clicks; then links of earlier versions that were clicked."
    )
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
  machineOpened: Schema.Int.pipe(described("Mails that only bots opened.")),
  machineClicked: Schema.Int.pipe(described("Mails whose links only bots followed.")),
  openRate: rate,
  clickRate: rate,
  bounceRate: rate,
  since: Timestamp.pipe(described("When counting started."))
}).annotate({
  identifier: "OwnerResults",
  description: "Results of its mail. Each count includes a mail once; counts stay when mails are deleted."
})
export type OwnerResults = typeof OwnerResults.Type
