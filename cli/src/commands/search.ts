import { Effect, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Api, withApi } from "../api/Api.ts"
import { connectionOptions } from "../api/Connection.ts"
import { optional } from "../options/Options.ts"
import * as Output from "../output/Output.ts"

export const search = Command.make(
  "search",
  {
    text: Argument.String("text").pipe(Argument.withDescription("Part of a name or address, or an id")),
    limit: Flag.Int("limit").pipe(Flag.withDescription("Results of each type, 1 to 10; default 5"), optional),
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ text, limit }) {
    const { call } = yield* Api
    const { results } = yield* call(({ search }) => search.find({ q: text, limit }))
    yield* Output.list(Stream.fromIterable(results), {
      head: ["type", "id", "title", "subtitle"],
      row: ({ type, id, title, subtitle }) => [type, id, title, subtitle],
      none: `Nothing in the project has ${text} in its name or address.`
    })
  })
).pipe(
  Command.withDescription(
    "Find contacts by address, everything else by name, and also mails by id; takes the secret key or a login"
  ),
  Command.withShortDescription("Find records by name, address or id"),
  Command.withExamples([{ command: "posthorn search welcome" }, { command: "posthorn search ada@example.com --json" }]),
  withApi
)
