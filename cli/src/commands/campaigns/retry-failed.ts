import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { Api, withApi } from "../../api/Api.ts"
import { campaignId } from "../../api/CampaignArgument.ts"
import { connectionOptions } from "../../api/Connection.ts"
import * as Output from "../../output/Output.ts"

export const retryFailed = Command.make(
  "retry-failed",
  {
    id: campaignId,
    includeAmbiguous: Flag.Boolean("include-ambiguous").pipe(
      Flag.withoutNegation,
      Flag.withDefault(false),
      Flag.withDescription("Also mail of which nobody knows whether it arrived; some may get it twice")
    ),
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ id, includeAmbiguous }) {
    const { call } = yield* Api
    const retried = yield* call(({ campaigns }) => campaigns.retryFailed(id, { includeAmbiguous }))
    yield* Output.one(retried, {
      rows: [
        ["tried again", retried.retried],
        ["status", retried.status]
      ]
    })
  })
).pipe(
  Command.withDescription("Send the failed mails of a campaign again; who got one is never among them"),
  Command.withExamples([{ command: "posthorn campaigns retry-failed 019a9f3c-0000-7000-8000-0000000000d1" }]),
  withApi
)
