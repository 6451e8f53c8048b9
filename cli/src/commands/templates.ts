import { Command } from "effect/cli"
import { get } from "./templates/get.ts"
import { list } from "./templates/list.ts"
import { preview } from "./templates/preview.ts"
import { pull } from "./templates/pull.ts"
import { push } from "./templates/push.ts"

export const templates = Command.make("templates").pipe(
  Command.withDescription("Mails that are written once, kept as files of HTML where that is wanted"),
  Command.withExamples([
    { command: "posthorn templates pull --folder templates" },
    { command: `posthorn templates preview templates/welcome.html --data '{"firstName":"Ada"}'` },
    { command: "posthorn templates push templates" }
  ]),
  Command.withSubcommands([list, get, push, pull, preview])
)
