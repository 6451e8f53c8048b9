import { Command } from "effect/cli"
import { cancel } from "./emails/cancel.ts"
import { list } from "./emails/list.ts"
import { retry } from "./emails/retry.ts"
import { show } from "./emails/show.ts"

export const emails = Command.make("emails").pipe(
  Command.withDescription("The delivery ledger: one record for each mail to each recipient"),
  Command.withExamples([{ command: "posthorn emails list --status BOUNCED" }]),
  Command.withSubcommands([list, show, retry, cancel])
)
