/** The tree of commands: each is the file of its name below `commands/`. */
import { Command } from "effect/cli"
import { dev } from "./commands/dev.ts"
import { domains } from "./commands/domains.ts"
import { emails } from "./commands/emails.ts"
import { send } from "./commands/send.ts"
import { serve } from "./commands/serve.ts"
import { track } from "./commands/track.ts"
import { worker } from "./commands/worker.ts"
import { Json } from "./Json.ts"

export const posthorn = Command.make("posthorn").pipe(
  Command.withDescription("Email delivery and audience service"),
  Command.withSubcommands([
    { group: "Run", commands: [dev, serve, worker] },
    { group: "Use", commands: [send, track, emails, domains] }
  ]),
  Command.withGlobalFlags([Json])
)
