/** `posthorn import`: moves an audience and its mail from another service to this one. */
import { Effect, Redacted } from "effect"
import { Command, Flag } from "effect/cli"
import { withApi } from "../api/Api.ts"
import { type ConnectionInput, connectionOptions } from "../api/Connection.ts"
import { type CommandFailure, wrongUsage } from "../Failure.ts"
import type { ImportReport } from "../imports/Import.ts"
import type { ImportSource, SourceServer } from "../imports/Source.ts"
import { optional } from "../options/Options.ts"
import { orVariable } from "../options/Server.ts"
import * as Output from "../output/Output.ts"
import { importCsv } from "./contacts.ts"

const sourceOptions = {
  sourceKey: Flag.Redacted("source-key").pipe(
    Flag.withMetavar("<key>"),
    Flag.withDescription("Key of the other service that may read everything; better in POSTHORN_IMPORT_KEY"),
    optional
  ),
  sourceUrl: Flag.String("source-url").pipe(
    Flag.withMetavar("<url>"),
    Flag.withDescription("URL of the API of the other service; default: that of its public service"),
    optional
  ),
  dryRun: Flag.Boolean("dry-run").pipe(
    Flag.withoutNegation,
    Flag.withDefault(false),
    Flag.withDescription("Read everything and count; nothing changes here")
  ),
  from: Flag.String("from").pipe(
    Flag.withMetavar("<address>"),
    Flag.withDescription("Sender of templates that have none, or whose domain is not verified here yet"),
    optional
  ),
  state: Flag.String("state").pipe(
    Flag.withMetavar("<file>"),
    Flag.withDescription("Where it keeps how far it is; default: posthorn-import-<service>.json"),
    optional
  ),
  ...connectionOptions
}

interface SourceInput extends ConnectionInput {
  readonly sourceKey: Redacted.Redacted<string> | undefined
  readonly sourceUrl: string | undefined
  readonly dryRun: boolean
  readonly from: string | undefined
  readonly state: string | undefined
}

const shown = (report: ImportReport) =>
  Output.one(
    report,
    {
      head: ["what", "read", report.dryRun ? "would create" : "created", "here already", "not imported"],
      rows: Object.entries(report.counts).map(([name, { read, created, existing, refused }]) => [
        name,
        read,
        created,
        existing,
        refused
      ])
    },
    ...(report.gaps.length === 0
      ? []
      : [
          {
            head: ["without an equal here", "number", "what to do"],
            rows: report.gaps.map(({ what, count, advice }) => [what, count ?? "", advice])
          }
        ]),
    ...(report.problems.length === 0
      ? []
      : [{ head: ["not imported", "why"], rows: report.problems.map(({ what, why }) => [what, why]) }])
  )

/** How to reach a service, and what to read there. */
interface Service {
  readonly url: (key: string) => Effect.Effect<string, CommandFailure>
  readonly open: (url: string, key: string) => Effect.Effect<ImportSource>
}

const connected = <M extends { readonly serverOf: (url: string, key: string) => SourceServer }>(
  load: () => Promise<M>,
  make: (module: M) => (server: SourceServer) => Effect.Effect<ImportSource>,
  url: (module: M, key: string) => Effect.Effect<string, CommandFailure>
): Effect.Effect<Service> =>
  Effect.map(Effect.promise(load), (module) => ({
    url: (key) => url(module, key),
    open: (address, key) => make(module)(module.serverOf(address, key))
  }))

const from = (name: string, title: string, keyIs: string, service: Effect.Effect<Service>) =>
  Command.make(
    name,
    sourceOptions,
    Effect.fnUntraced(function* ({ sourceKey, sourceUrl, dryRun, from, state }: SourceInput) {
      const key = yield* orVariable(sourceKey && Redacted.value(sourceKey), "POSTHORN_IMPORT_KEY")
      if (key === undefined) {
        return yield* wrongUsage(`There is no key of ${title}.`, `Set POSTHORN_IMPORT_KEY to ${keyIs}.`)
      }
      const { open, url } = yield* service
      const address = sourceUrl ?? (yield* url(key))
      if (!/^https?:$/.test(URL.parse(address)?.protocol ?? "")) {
        return yield* wrongUsage(`${address} is not the URL of a service.`, "Check --source-url.")
      }
      const { runImport } = yield* Effect.promise(() => import("../imports/Import.ts"))
      const source = yield* open(address, key)
      const file = state ?? `posthorn-import-${name}.json`
      yield* shown(yield* runImport({ source, sourceUrl: address, dryRun, file, from }))
    })
  ).pipe(
    Command.withDescription(
      `Import contacts, segments, templates, suppressions and domains from ${title}. A run that was stopped goes on with the next one.`
    ),
    Command.withShortDescription(`Import from ${title}`),
    Command.withExamples([
      { command: `POSTHORN_IMPORT_KEY=... posthorn import ${name} --dry-run` },
      { command: `POSTHORN_IMPORT_KEY=... posthorn import ${name} --from news@example.com` }
    ]),
    withApi
  )

const plunk = from(
  "plunk",
  "Plunk",
  "the secret key of the project, sk_...",
  connected(
    () => import("../imports/Plunk.ts"),
    ({ plunk }) => plunk,
    ({ defaultUrl }) => Effect.succeed(defaultUrl)
  )
)

const resend = from(
  "resend",
  "Resend",
  "an API key with full access, re_...",
  connected(
    () => import("../imports/Resend.ts"),
    ({ resend }) => resend,
    ({ defaultUrl }) => Effect.succeed(defaultUrl)
  )
)

const listmonk = from(
  "listmonk",
  "listmonk",
  "the name of an API user and its token, name:token",
  connected(
    () => import("../imports/Listmonk.ts"),
    ({ listmonk }) => listmonk,
    () => wrongUsage("Where is listmonk?", "Pass its URL with --source-url.")
  )
)

const mailchimp = from(
  "mailchimp",
  "Mailchimp",
  "an API key of the account, which ends with its data centre",
  connected(
    () => import("../imports/Mailchimp.ts"),
    ({ mailchimp }) => mailchimp,
    ({ urlOf }, key) => urlOf(key)
  )
)

export const imports = Command.make("import").pipe(
  Command.withDescription("Move here from another service, or from a CSV file"),
  Command.withExamples([
    { command: "posthorn import csv people.csv" },
    { command: "POSTHORN_IMPORT_KEY=sk_... posthorn import plunk --dry-run" }
  ]),
  Command.withSubcommands([plunk, resend, listmonk, mailchimp, importCsv])
)
