import { Effect } from "effect"
import { Command } from "effect/cli"
import { Api, withApi } from "../../api/Api.ts"
import { connectionOptions } from "../../api/Connection.ts"
import { audienceTypeOf, campaignOptions } from "../../options/Campaign.ts"
import { campaignBlocks } from "../../output/CampaignText.ts"
import * as Output from "../../output/Output.ts"

export const create = Command.make(
  "create",
  { ...campaignOptions, ...connectionOptions },
  Effect.fnUntraced(function* ({ url, key, project, dataDir, ...content }) {
    const { call } = yield* Api
    const campaign = yield* call(({ campaigns }) =>
      campaigns.create({ ...content, audienceType: audienceTypeOf(content) })
    )
    yield* Output.one(campaign, ...campaignBlocks(campaign))
  })
).pipe(
  Command.withDescription("Create a campaign as a draft: to all contacts, unless a segment or a condition is given"),
  Command.withExamples([
    {
      command:
        "posthorn campaigns create --name Launch --from news@posthorn.test --subject 'Hello {{firstName ?? you}}' --body -",
      description: "With the HTML from standard input"
    },
    {
      command: "posthorn campaigns create --name Launch --template-id 019a9f3c-0000-7000-8000-0000000000c1",
      description: "With the texts and the sender of a template"
    }
  ]),
  withApi
)
