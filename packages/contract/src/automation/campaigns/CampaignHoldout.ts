/** A part of the audience of a campaign that gets no mail, to see what the campaign itself brings. */
import { Schema } from "effect"
import { described, required } from "../../platform/Primitives.ts"

const shareText =
  "Share of the audience that gets no mail, 0.01 to 0.5. Who is held out follows from the ids of the campaign and of the contact."

/** The `holdout` of a request. */
export const WriteHoldout = Schema.Struct({
  share: required(
    Schema.Finite.check(
      Schema.isGreaterThanOrEqualTo(0.01, { message: "At least 0.01." }),
      Schema.isLessThanOrEqualTo(0.5, { message: "At most 0.5." })
    )
  ).pipe(described(shareText))
}).annotate({
  identifier: "WriteCampaignHoldout",
  description:
    "Holds a part of the audience out: it gets no mail of the campaign, and shows what the others would have done without it. Needs a `goal`."
})
export type WriteHoldout = typeof WriteHoldout.Type

export const CampaignHoldout = Schema.Struct({
  share: Schema.Finite.pipe(described(shareText))
}).annotate({ identifier: "CampaignHoldout", description: "The part of the audience that gets no mail." })
export type CampaignHoldout = typeof CampaignHoldout.Type

export const Uplift = Schema.Struct({
  treated: Schema.Int.pipe(described("Contacts of the audience, whether their mail arrived or not.")),
  holdout: Schema.Int.pipe(described("Contacts that were held out.")),
  treatedRate: Schema.Finite.pipe(
    described(
      "The share of the treated contacts, 0 to 1, with an event that fits the goal from the start of sending to its end and `goal.windowHours` after it."
    )
  ),
  holdoutRate: Schema.Finite.pipe(described("The same share of the contacts that were held out.")),
  difference: Schema.Finite.pipe(described("`treatedRate` less `holdoutRate`: what the campaign brings.")),
  low: Schema.Finite.pipe(described("The lower end of the 95 % interval of the difference.")),
  high: Schema.Finite.pipe(
    described("The upper end. With 0 between both, the figures are not enough to tell whether it brings anything.")
  )
}).annotate({
  identifier: "CampaignUplift",
  description:
    "Those who got the campaign beside those who were held out. Events count whatever mail they followed, so the rates differ from `conversionRate`."
})
export type Uplift = typeof Uplift.Type
