import { Effect, Stream } from "effect"
import { Command, Flag } from "effect/cli"
import { Api, withApi } from "../api/Api.ts"
import { connectionOptions } from "../api/Connection.ts"
import { optional } from "../options/Options.ts"
import * as Output from "../output/Output.ts"
import { providerHead, providerRow } from "../output/ResultsText.ts"

const text = (name: string, description: string) => Flag.String(name).pipe(Flag.withDescription(description), optional)

const providers = Command.make(
  "providers",
  {
    startDate: text("start-date", "First day; default: 30 days ago"),
    endDate: text("end-date", "Last day; default: today"),
    timezone: text("timezone", "Time zone of the days, such as Europe/Berlin; default: the time zone of the project"),
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ startDate, endDate, timezone }) {
    const { call } = yield* Api
    const found = yield* call(({ analytics }) => analytics.providers({ startDate, endDate, timezone }))
    yield* Output.list(Stream.fromIterable(found), {
      head: providerHead,
      row: providerRow,
      none: "No mail in this period."
    })
  })
).pipe(
  Command.withDescription("Show the results of mail by mailbox provider of the recipients"),
  Command.withExamples([{ command: "posthorn analytics providers --start-date 2026-03-01" }]),
  withApi
)

export const analytics = Command.make("analytics").pipe(
  Command.withDescription("Statistics of mail"),
  Command.withExamples([{ command: "posthorn analytics providers" }]),
  Command.withSubcommands([providers])
)
