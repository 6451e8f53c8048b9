import { Effect } from "effect"
import { Command } from "effect/cli"
import { Api, withApi } from "../../api/Api.ts"
import { connectionOptions } from "../../api/Connection.ts"
import { segmentArgument, segmentOf } from "../../api/SegmentOf.ts"
import { limitOptions, pageLimit, upTo } from "../../options/Limit.ts"
import * as Output from "../../output/Output.ts"

export const members = Command.make(
  "members",
  { segment: segmentArgument, ...limitOptions, ...connectionOptions },
  Effect.fnUntraced(function* ({ segment, limit, all }) {
    const { items } = yield* Api
    const { id } = yield* segmentOf(segment)
    const contacts = items(({ segments }) => segments.contacts(id, { pageSize: pageLimit({ limit, all }) }))
    yield* Output.list(upTo({ limit, all })(contacts), {
      head: ["email", "subscribed", "created", "id"],
      row: ({ email, subscribed, createdAt, id }) => [email, subscribed ? "yes" : "no", createdAt, id],
      none: "Nobody is in it."
    })
  })
).pipe(
  Command.withDescription("List the contacts that are in a segment now"),
  Command.withExamples([
    { command: "posthorn segments members pro --limit 50" },
    { command: "posthorn segments members pro --all --json", description: "Everybody, with their data" }
  ]),
  withApi
)
