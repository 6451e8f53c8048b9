/**
 * `node packages/docs/generate.ts` writes the guides as a module, because a published package contains code only. With
 * `--check` it fails if the committed module differs.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { argv } from "node:process"

const root = resolve(import.meta.dirname, "../..")

/** In reading order: the name of the page, its title, what it is about, and the file. */
const guides: ReadonlyArray<readonly [name: string, title: string, about: string, file: string]> = [
  ["quick-start", "Quick start", "Start the service and send a first mail.", "packages/docs/guides/quick-start.md"],
  [
    "first-campaign",
    "A first campaign",
    "Contacts, a segment and a campaign, from nothing.",
    "packages/docs/guides/first-campaign.md"
  ],
  ["sending", "Sending", "Data, batches, schedules, tags, and safe repeats.", "packages/docs/guides/sending.md"],
  [
    "templates",
    "Templates",
    "Stored texts with placeholders, languages and versions.",
    "packages/docs/guides/templates.md"
  ],
  [
    "audience",
    "Audience and consent",
    "Contacts, events, segments, and who gets what.",
    "packages/docs/guides/audience.md"
  ],
  ["campaigns", "Campaigns", "One message to an audience, and its results.", "packages/docs/guides/campaigns.md"],
  ["workflows", "Workflows", "Contacts that walk through steps.", "packages/docs/guides/workflows.md"],
  ["webhooks", "Webhooks", "Events for your server, signed and repeated.", "packages/docs/guides/webhooks.md"],
  ["deliverability", "Deliverability", "Domains, reputation, and the inbox.", "packages/docs/guides/deliverability.md"],
  ["production", "Going to production", "Install, grow, upgrade and leave.", "packages/docs/guides/production.md"],
  [
    "comparison",
    "Comparison",
    "Resend, Plunk, listmonk, Loops and Customer.io beside Posthorn.",
    "packages/docs/guides/comparison.md"
  ],
  ["client", "The client", "TypeScript for browsers and servers, without dependencies.", "packages/client/README.md"],
  ["embedding", "Embedding", "Posthorn within your own process.", "adapters/embedded/README.md"],
  ["nextjs", "Next.js", "Mail from the routes of a Next.js application.", "examples/embedded-next/README.md"],
  ["server", "The server", "Every setting, roles, and mail by SMTP.", "adapters/node/README.md"],
  ["operations", "Operations", "Sizing, backups, upgrades, and bounces.", "adapters/node/OPERATIONS.md"],
  ["command-line", "The command line", "All that posthorn does in a terminal.", "cli/README.md"],
  ["moving", "Moving here", "Imports from Plunk, listmonk, Resend, Mailchimp and files.", "cli/IMPORT.md"],
  ["glossary", "Glossary", "Words that the code uses in a special sense.", "packages/core/glossary.md"]
]

const entries = guides.map(([name, title, about, file]) => ({
  name,
  title,
  about,
  file,
  text: readFileSync(join(root, file), "utf8")
}))

const text = `// Generated from the guides by generate.ts; not to be edited.
export interface Guide {
  readonly name: string
  readonly title: string
  readonly about: string
  /** Where it stands in the repository. */
  readonly file: string
  /** Markdown. */
  readonly text: string
}

export const guides: ReadonlyArray<Guide> = ${JSON.stringify(entries, null, 2)}
`

const target = join(import.meta.dirname, "src/guides.generated.ts")

if (!argv.includes("--check")) writeFileSync(target, text)
else if (readFileSync(target, "utf8") !== text) {
  console.error("packages/docs/src/guides.generated.ts differs from the guides: run `npm run generate` and commit it.")
  process.exitCode = 1
}
