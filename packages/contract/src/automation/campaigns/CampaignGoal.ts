/** What a campaign aims at: an event of its recipients, with the revenue that it brings. */
import { Schema } from "effect"
import { EventName } from "../../events/EventName.ts"
import { described, IntBetween, optional, required } from "../../platform/Primitives.ts"
import { startFields } from "../workflows/EventMatch.ts"
import { Revenue } from "../workflows/Journey.ts"

export const defaultGoalHours = 120

const windowText =
  "An event counts if it happened at most so many hours after the mail was sent, opened or clicked, and after the end of sending; 1 to 2160."
const attributionText =
  "From when an event counts for a mail: `SENT`, or `OPENED` and `CLICKED` by a person, whatever was the last. An event counts for one mail only: of all campaigns and workflows whose goal it fits, the one with the latest such moment."

const Attribution = Schema.Literals(["SENT", "OPENED", "CLICKED"])

/** The `goal` of a request. */
export const WriteGoal = Schema.Struct({
  eventName: required(EventName),
  where: startFields.where,
  windowHours: optional(IntBetween(1, 2_160)).pipe(described(windowText, String(defaultGoalHours))),
  attribution: optional(Attribution).pipe(described(attributionText, "CLICKED")),
  revenue: optional(Revenue)
}).annotate({
  identifier: "WriteCampaignGoal",
  description: "An event of a recipient that counts as a conversion."
})
export type WriteGoal = typeof WriteGoal.Type

export const CampaignGoal = Schema.Struct({
  eventName: EventName,
  where: startFields.where,
  windowHours: Schema.Int.pipe(described(windowText)),
  attribution: Attribution.pipe(described(attributionText)),
  revenue: Schema.NullOr(Revenue)
}).annotate({ identifier: "CampaignGoal", description: "An event of a recipient that counts as a conversion." })
export type CampaignGoal = typeof CampaignGoal.Type
