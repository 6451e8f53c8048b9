import { Clock, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { Api, withApi } from "../../api/Api.ts"
import { campaignId } from "../../api/CampaignArgument.ts"
import { connectionOptions } from "../../api/Connection.ts"
import { confirm, yes } from "../../options/Confirmation.ts"
import { campaignBlocks } from "../../output/CampaignText.ts"
import * as Output from "../../output/Output.ts"

export const schedule = Command.make(
  "schedule",
  {
    id: campaignId,
    scheduledFor: Flag.String("scheduled-for").pipe(
      Flag.withMetavar("<time>"),
      Flag.withDescription("When to begin: a date or a date-time, in UTC unless it has a zone")
    ),
    yes,
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ id, scheduledFor, yes }) {
    const { call } = yield* Api
    // Whether it is a time at all is for the service to say.
    if (Date.parse(scheduledFor) < (yield* Clock.currentTimeMillis)) {
      yield* confirm(`${scheduledFor} is in the past: the campaign would begin at once. Go on?`, yes)
    }
    const campaign = yield* call(({ campaigns }) => campaigns.send(id, { scheduledFor }))
    yield* Output.one(campaign, ...campaignBlocks(campaign))
  })
).pipe(
  Command.withDescription("Send a campaign at a time, or at another one than before; asks when that is in the past"),
  Command.withExamples([
    {
      command:
        "posthorn campaigns schedule 019a9f3c-0000-7000-8000-0000000000d1 --scheduled-for 2026-12-24T09:00:00+01:00"
    }
  ]),
  withApi
)
