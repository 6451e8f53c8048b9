import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { Api, withApi } from "../../api/Api.ts"
import { connectionOptions } from "../../api/Connection.ts"
import { limitOptions, pageLimit, upTo } from "../../options/Limit.ts"
import { optional } from "../../options/Optional.ts"
import { campaignHead, campaignRow } from "../../output/CampaignText.ts"
import * as Output from "../../output/Output.ts"

export const list = Command.make(
  "list",
  {
    status: Flag.Literals("status", ["DRAFT", "SCHEDULED", "SENDING", "SENT", "CANCELLED"]).pipe(
      Flag.withDescription("Only campaigns in this state"),
      optional
    ),
    search: Flag.String("search").pipe(
      Flag.withDescription("Only campaigns with this in name, subject or sender address"),
      optional
    ),
    sort: Flag.Literals("sort", ["createdAt", "name", "updatedAt"]).pipe(
      Flag.withDescription("What they are ordered by; the time of creation unless said otherwise"),
      optional
    ),
    dir: Flag.Literals("dir", ["asc", "desc"]).pipe(Flag.withDescription("Which way they are ordered"), optional),
    ...limitOptions,
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ url, key, project, dataDir, limit, all, ...query }) {
    const { items } = yield* Api
    const campaigns = items(({ campaigns }) => campaigns.list({ ...query, pageSize: pageLimit({ limit, all }) }))
    yield* Output.list(upTo({ limit, all })(campaigns), {
      head: campaignHead,
      row: campaignRow,
      none: "No campaigns. Make one with `posthorn campaigns create`."
    })
  })
).pipe(
  Command.withDescription("List campaigns, newest first"),
  Command.withExamples([{ command: "posthorn campaigns list --status SENDING" }]),
  withApi
)
