import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { Api, withApi } from "../../api/Api.ts"
import { connectionOptions } from "../../api/Connection.ts"
import { limitOptions, pageLimit, upTo } from "../../options/Limit.ts"
import { optional } from "../../options/Optional.ts"
import * as Output from "../../output/Output.ts"
import { suppressionHead, suppressionRow } from "../../output/SuppressionText.ts"

const filter = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), optional)

export const list = Command.make(
  "list",
  {
    reason: Flag.Literals("reason", ["HARD_BOUNCE", "COMPLAINT", "MANUAL"]).pipe(
      Flag.withDescription("Only addresses suppressed for this"),
      optional
    ),
    search: filter("search", "Only addresses that contain this text"),
    startDate: filter("start-date", "Suppressed at or after it: a date or a date-time"),
    endDate: filter("end-date", "Suppressed before it: a date, whose whole day counts, or a date-time"),
    ...limitOptions,
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ url, key, project, dataDir, limit, all, ...query }) {
    const { items } = yield* Api
    const found = items(({ suppressions }) => suppressions.list({ ...query, limit: pageLimit({ limit, all }) }))
    yield* Output.list(upTo({ limit, all })(found), {
      head: suppressionHead,
      row: suppressionRow,
      none: "No address is suppressed."
    })
  })
).pipe(
  Command.withDescription("List suppressed addresses, newest first"),
  Command.withExamples([
    { command: "posthorn suppressions list --reason COMPLAINT --start-date 2026-03-01" },
    { command: "posthorn suppressions list --all --json", description: "The whole list" }
  ]),
  withApi
)
