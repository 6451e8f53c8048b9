import type { Email } from "@posthorn/client"
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { Api, withApi } from "../../api/Api.ts"
import { campaignId } from "../../api/CampaignArgument.ts"
import { connectionOptions } from "../../api/Connection.ts"
import { limitOptions, pageLimit, upTo } from "../../options/Limit.ts"
import { optional } from "../../options/Optional.ts"
import { recipientHead, recipientRow } from "../../output/CampaignText.ts"
import * as Output from "../../output/Output.ts"

export const recipients = Command.make(
  "recipients",
  {
    id: campaignId,
    status: Flag.String("status").pipe(Flag.withDescription("Only mail in this state, as FAILED"), optional),
    search: Flag.String("search").pipe(Flag.withDescription("Only addresses with this in them"), optional),
    ...limitOptions,
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ id, status, search, limit, all }) {
    const { items } = yield* Api
    const found = items(({ campaigns }) =>
      campaigns.recipients(id, {
        status: status as Email["status"] | undefined,
        search,
        limit: pageLimit({ limit, all })
      })
    )
    yield* Output.list(upTo({ limit, all })(found), {
      head: recipientHead,
      row: recipientRow,
      none: "No recipients: the campaign has not been sent, or none of them is like that."
    })
  })
).pipe(
  Command.withDescription("List the recipients of a campaign and what became of each mail"),
  Command.withExamples([
    { command: "posthorn campaigns recipients 019a9f3c-0000-7000-8000-0000000000d1 --status FAILED --all" }
  ]),
  withApi
)
