/** The tree of commands: each is the file of its name below `commands/`. */
import { Command } from "effect/cli"
import { accounts } from "./commands/accounts.ts"
import { contacts } from "./commands/contacts.ts"
import { dev } from "./commands/dev.ts"
import { doctor } from "./commands/doctor.ts"
import { domains } from "./commands/domains.ts"
import { emails } from "./commands/emails.ts"
import { migrate } from "./commands/migrate.ts"
import { projects } from "./commands/projects.ts"
import { segments } from "./commands/segments.ts"
import { send } from "./commands/send.ts"
import { serve } from "./commands/serve.ts"
import { track } from "./commands/track.ts"
import { verify } from "./commands/verify.ts"
import { worker } from "./commands/worker.ts"
import { Json } from "./Json.ts"

export const posthorn = Command.make("posthorn").pipe(
  Command.withDescription(
    "Email delivery and audience service. Where neither --key nor POSTHORN_KEY is given, commands use the `posthorn dev` " +
      "that runs in this folder: nothing needs to be set up."
  ),
  Command.withExamples([
    { command: "posthorn dev", description: "Start everything on this machine, then in the same folder:" },
    { command: "posthorn send --to ada@example.com --from hi@posthorn.test --subject Hello --body '<p>It works.</p>'" }
  ]),
  Command.withSubcommands([
    { group: "Run the service", commands: [dev, serve, worker, migrate, doctor] },
    { group: "Use it", commands: [send, track, verify, contacts, segments, emails, domains] },
    { group: "Operate it", commands: [accounts, projects] }
  ]),
  Command.withGlobalFlags([Json])
)
