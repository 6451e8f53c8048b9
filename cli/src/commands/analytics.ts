import { Effect, Stream } from "effect"
import { Command, Flag } from "effect/cli"
import { Api, withApi } from "../api/Api.ts"
import { connectionOptions } from "../api/Connection.ts"
import { optional } from "../options/Options.ts"
import { providerHead, providerRow, revenueText } from "../output/CampaignText.ts"
import * as Output from "../output/Output.ts"

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

const conversions = Command.make(
  "conversions",
  {
    by: Flag.Literals("by", ["day", "campaign", "workflow"]).pipe(
      Flag.withDescription("What a line stands for; default: day"),
      optional
    ),
    startDate: text("start-date", "First day, in UTC; default: 30 days ago"),
    endDate: text("end-date", "Last day, in UTC; default: today"),
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ by, startDate, endDate }) {
    const { call } = yield* Api
    const found = yield* call(({ analytics }) => analytics.conversions({ by, startDate, endDate }))
    yield* Output.list(Stream.fromIterable(found), {
      head: ["conversions", "revenue", by ?? "day", "name"],
      row: ({ key, name, conversions, revenue }) => [conversions, revenueText(revenue), key, name],
      none: "No conversions in this period."
    })
  })
).pipe(
  Command.withDescription("Show how often goals of campaigns and workflows were reached, and the revenue"),
  Command.withExamples([{ command: "posthorn analytics conversions --by workflow --start-date 2026-03-01" }]),
  withApi
)

export const analytics = Command.make("analytics").pipe(
  Command.withDescription("Statistics of mail and conversions"),
  Command.withExamples([{ command: "posthorn analytics providers" }]),
  Command.withSubcommands([providers, conversions])
)
