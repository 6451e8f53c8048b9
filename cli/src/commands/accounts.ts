import { Command } from "effect/cli"
import { create } from "./accounts/create.ts"

export const accounts = Command.make("accounts").pipe(
  Command.withDescription("People who may log in; for operators, over the database"),
  Command.withExamples([{ command: "posthorn accounts create --email ada@example.com --project Shop" }]),
  Command.withSubcommands([create])
)
