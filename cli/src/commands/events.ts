import { Command } from "effect/cli"
import { tail } from "./events/tail.ts"

export const events = Command.make("events").pipe(
  Command.withDescription("What contacts do, and what becomes of their mail"),
  Command.withExamples([{ command: "posthorn events tail" }]),
  Command.withSubcommands([tail])
)
