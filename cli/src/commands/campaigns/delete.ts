import { Effect } from "effect"
import { Command } from "effect/cli"
import { Api, withApi } from "../../api/Api.ts"
import { campaignId } from "../../api/CampaignArgument.ts"
import { connectionOptions } from "../../api/Connection.ts"
import { confirm, yes } from "../../options/Confirmation.ts"
import * as Output from "../../output/Output.ts"

export const remove = Command.make(
  "delete",
  { id: campaignId, yes, ...connectionOptions },
  Effect.fnUntraced(function* ({ id, yes }) {
    const { call } = yield* Api
    const { name } = yield* call(({ campaigns }) => campaigns.get(id))
    yield* confirm(`Delete the campaign ${name} with its counters?`, yes)
    yield* call(({ campaigns }) => campaigns.delete(id))
    yield* Output.one({ id, name, deleted: true }, { rows: [["deleted", name]] })
  })
).pipe(
  Command.withDescription("Delete a campaign that is not being sent; asks first"),
  Command.withExamples([{ command: "posthorn campaigns delete 019a9f3c-0000-7000-8000-0000000000d1 --yes" }]),
  withApi
)
