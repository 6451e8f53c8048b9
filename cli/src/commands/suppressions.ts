import { Command } from "effect/cli"
import { add } from "./suppressions/add.ts"
import { get } from "./suppressions/get.ts"
import { list } from "./suppressions/list.ts"
import { remove } from "./suppressions/remove.ts"

export const suppressions = Command.make("suppressions").pipe(
  Command.withDescription("Addresses that get no mail of any type"),
  Command.withExamples([{ command: "posthorn suppressions list --reason COMPLAINT" }]),
  Command.withSubcommands([list, get, add, remove])
)
