/** Tells the loops of campaigns that one began, was scheduled or was stopped. */
import { Context, Layer } from "effect"
import { make, type Nudge } from "../Nudge.ts"

export class CampaignNudge extends Context.Service<CampaignNudge, Nudge>()("@posthorn/core/campaigns/CampaignNudge") {}

export const layer: Layer.Layer<CampaignNudge> = Layer.effect(CampaignNudge, make("campaigns"))
