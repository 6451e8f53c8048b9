import { Effect } from "effect"
import { Command } from "effect/cli"
import { Api, withApi } from "../../api/Api.ts"
import { campaignId } from "../../api/CampaignArgument.ts"
import { connectionOptions } from "../../api/Connection.ts"
import { statsBlocks } from "../../output/CampaignText.ts"
import * as Output from "../../output/Output.ts"

export const stats = Command.make(
  "stats",
  { id: campaignId, ...connectionOptions },
  Effect.fnUntraced(function* ({ id }) {
    const { call } = yield* Api
    const stats = yield* call(({ campaigns }) => campaigns.stats(id))
    yield* Output.one(stats, ...statsBlocks(stats))
  })
).pipe(
  Command.withDescription("Counters and rates of a campaign, as of now"),
  Command.withExamples([{ command: "posthorn campaigns stats 019a9f3c-0000-7000-8000-0000000000d1" }]),
  withApi
)
