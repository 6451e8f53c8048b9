import { Command } from "effect/cli"
import { add } from "./domains/add.ts"
import { list } from "./domains/list.ts"
import { remove } from "./domains/remove.ts"
import { trust } from "./domains/trust.ts"
import { verify } from "./domains/verify.ts"

export const domains = Command.make("domains").pipe(
  Command.withDescription("Sender domains, and the DNS records that prove and sign for them"),
  Command.withExamples([{ command: "posthorn domains add mail.example.com" }]),
  Command.withSubcommands([list, add, verify, remove, trust])
)
