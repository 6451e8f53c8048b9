/** Tells this process's loops that a campaign began, was scheduled or was stopped. Losing one costs a second. */
import { Context, Effect, Layer, PubSub } from "effect"

export class CampaignNudge extends Context.Service<
  CampaignNudge,
  {
    readonly wake: Effect.Effect<void>
    readonly nudges: PubSub.PubSub<void>
  }
>()("@posthorn/core/campaigns/CampaignNudge") {}

export const layer: Layer.Layer<CampaignNudge> = Layer.effect(
  CampaignNudge,
  Effect.map(PubSub.sliding<void>(1), (nudges) =>
    CampaignNudge.of({ nudges, wake: Effect.asVoid(PubSub.publish(nudges, undefined)) })
  )
)
