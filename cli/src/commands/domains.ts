import { Command } from "effect/cli"
import { add } from "./domains/add.ts"
import { list } from "./domains/list.ts"
import { remove } from "./domains/remove.ts"

export const domains = Command.make("domains").pipe(
  Command.withDescription("Sender domains, and the DNS records that prove and sign for them"),
  Command.withSubcommands([list, add, remove])
)
