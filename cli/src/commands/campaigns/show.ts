import { Effect } from "effect"
import { Command } from "effect/cli"
import { Api, withApi } from "../../api/Api.ts"
import { campaignId } from "../../api/CampaignArgument.ts"
import { connectionOptions } from "../../api/Connection.ts"
import { campaignBlocks } from "../../output/CampaignText.ts"
import * as Output from "../../output/Output.ts"

export const show = Command.make(
  "show",
  { id: campaignId, ...connectionOptions },
  Effect.fnUntraced(function* ({ id }) {
    const { call } = yield* Api
    const campaign = yield* call(({ campaigns }) => campaigns.get(id))
    yield* Output.one(campaign, ...campaignBlocks(campaign))
  })
).pipe(
  Command.withDescription("Show a campaign with its counters"),
  Command.withExamples([{ command: "posthorn campaigns show 019a9f3c-0000-7000-8000-0000000000d1" }]),
  withApi
)
