/** The tree of commands. Each noun is in the file of its name below `commands/`. */
import { Console, Effect } from "effect"
import { Argument, Command, Completions } from "effect/cli"
import { account, accounts } from "./commands/accounts.ts"
import { analytics } from "./commands/analytics.ts"
import { api } from "./commands/api.ts"
import { campaigns } from "./commands/campaigns.ts"
import { consents } from "./commands/consents.ts"
import { contacts } from "./commands/contacts.ts"
import { domains } from "./commands/domains.ts"
import { emails } from "./commands/emails.ts"
import { events, track } from "./commands/events.ts"
import { forms } from "./commands/forms.ts"
import { images } from "./commands/images.ts"
import { imports } from "./commands/import.ts"
import { keys } from "./commands/keys.ts"
import { login, logout, whoami } from "./commands/login.ts"
import { mcp } from "./commands/mcp.ts"
import { partials } from "./commands/partials.ts"
import { privacy } from "./commands/privacy.ts"
import { projects } from "./commands/projects.ts"
import { providers } from "./commands/providers.ts"
import { search, views } from "./commands/search.ts"
import { secrets } from "./commands/secrets.ts"
import { segments } from "./commands/segments.ts"
import { send, verify } from "./commands/send.ts"
import { dev, doctor, migrate, serve, worker } from "./commands/server.ts"
import { settings } from "./commands/settings.ts"
import { suppressions } from "./commands/suppressions.ts"
import { templates } from "./commands/templates.ts"
import { topics } from "./commands/topics.ts"
import { transports } from "./commands/transports.ts"
import { webhooks } from "./commands/webhooks.ts"
import { workflows } from "./commands/workflows.ts"
import { Json } from "./Json.ts"

const shells = ["bash", "zsh", "fish"] as const

type Tree = Parameters<typeof Completions.fromCommand>[0]

/** The completions of the whole command tree, which includes this command. */
const completionsOf = (tree: () => Tree) =>
  Command.make(
    "completions",
    {
      shell: Argument.Literals("shell", shells).pipe(Argument.withDescription(`One of ${shells.join(", ")}`))
    },
    Effect.fnUntraced(function* ({ shell }) {
      const root = tree()
      const script = Completions.generate(root.name, shell, Completions.fromCommand(root))
      yield* Console.log(script.replaceAll(`${root.name} --completions`, `${root.name} completions`))
    })
  ).pipe(
    Command.withDescription("Print the completion script of a shell"),
    Command.withExamples([
      { command: "source <(posthorn completions bash)", description: "In ~/.bashrc" },
      { command: "source <(posthorn completions zsh)", description: "In ~/.zshrc, after compinit" },
      { command: "posthorn completions fish > ~/.config/fish/completions/posthorn.fish" }
    ])
  )

const completions = completionsOf((): Tree => posthorn)

export const posthorn = Command.make("posthorn").pipe(
  Command.withDescription(
    "Email delivery and audience service. Without --key and POSTHORN_KEY, commands use the `posthorn dev` " +
      "that runs in this folder, which needs no settings."
  ),
  Command.withExamples([
    { command: "posthorn dev", description: "Start the whole service on this machine, then in the same folder:" },
    { command: "posthorn send --to ada@example.com --from hi@posthorn.test --subject Hello --body '<p>It works.</p>'" }
  ]),
  Command.withSubcommands([
    { group: "Run the service", commands: [dev, serve, worker, migrate, doctor] },
    {
      group: "Use it",
      commands: [
        send,
        track,
        verify,
        contacts,
        segments,
        topics,
        consents,
        privacy,
        forms,
        templates,
        partials,
        campaigns,
        workflows,
        emails,
        events,
        webhooks,
        suppressions,
        images,
        imports,
        domains,
        analytics,
        providers,
        keys,
        transports,
        settings,
        search,
        views,
        mcp,
        api
      ]
    },
    { group: "Log in", commands: [login, logout, whoami, account] },
    { group: "At the terminal", commands: [completions] },
    { group: "Operate it", commands: [accounts, projects, secrets] }
  ]),
  Command.withGlobalFlags([Json])
)
