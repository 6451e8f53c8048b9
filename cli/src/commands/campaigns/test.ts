import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { Api, withApi } from "../../api/Api.ts"
import { campaignId } from "../../api/CampaignArgument.ts"
import { connectionOptions } from "../../api/Connection.ts"
import { jsonObject } from "../../options/JsonObject.ts"
import { optional } from "../../options/Optional.ts"
import * as Output from "../../output/Output.ts"

export const test = Command.make(
  "test",
  {
    id: campaignId,
    email: Flag.String("email").pipe(
      Flag.withMetavar("<address>"),
      Flag.withDescription("A contact, or a member of the project")
    ),
    data: jsonObject("data").pipe(Flag.withDescription("Variables for this mail alone"), optional),
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ id, email, data }) {
    const { call } = yield* Api
    const sent = yield* call(({ campaigns }) => campaigns.test(id, { email, data }))
    yield* Output.one(sent, { rows: [["mail", sent.email]] })
  })
).pipe(
  Command.withDescription("Send a campaign to one address to look at it"),
  Command.withExamples([
    { command: "posthorn campaigns test 019a9f3c-0000-7000-8000-0000000000d1 --email ada@example.com" }
  ]),
  withApi
)
