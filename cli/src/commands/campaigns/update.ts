import { Effect } from "effect"
import { Command } from "effect/cli"
import { Api, withApi } from "../../api/Api.ts"
import { campaignId } from "../../api/CampaignArgument.ts"
import { connectionOptions } from "../../api/Connection.ts"
import { audienceTypeOf, campaignOptions } from "../../options/Campaign.ts"
import { campaignBlocks } from "../../output/CampaignText.ts"
import * as Output from "../../output/Output.ts"

export const update = Command.make(
  "update",
  { id: campaignId, ...campaignOptions, ...connectionOptions },
  Effect.fnUntraced(function* ({ id, url, key, project, dataDir, ...content }) {
    const { call } = yield* Api
    const campaign = yield* call(({ campaigns }) =>
      campaigns.update(id, { ...content, audienceType: audienceTypeOf(content) })
    )
    yield* Output.one(campaign, ...campaignBlocks(campaign))
  })
).pipe(
  Command.withDescription(
    "Replace a draft or scheduled campaign as a whole: what is not given goes back to its default"
  ),
  Command.withExamples([
    {
      command:
        "posthorn campaigns update 019a9f3c-0000-7000-8000-0000000000d1 --name Launch --from news@posthorn.test --subject Hello --body -"
    }
  ]),
  withApi
)
