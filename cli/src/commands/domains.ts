import { domainToASCII } from "node:url"
import type { Domain } from "@posthorn/client"
import { Effect, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Api, layer as apiLayer, withApi } from "../api/Api.ts"
import { connectionOptions } from "../api/Connection.ts"
import { CommandFailure, wrongUsage } from "../Failure.ts"
import { Operator } from "../operator/Operator.ts"
import { operatorProject, operatorProjectOption } from "../operator/OperatorProjects.ts"
import { asOperator, databaseOptions, withOperator } from "../operator/WithOperator.ts"
import { confirm, yes } from "../options/Confirmation.ts"
import * as Output from "../output/Output.ts"
import type { Block } from "../output/Table.ts"

const standing = ({
  domain,
  linkHost,
  status,
  trusted,
  verifiedElsewhere,
  lastCheckedAt,
  lastError,
  id
}: Domain): Block => ({
  rows: [
    ["domain", domain],
    ["status", status],
    ...(trusted ? [["trusted", "by the operator, regardless of DNS"]] : []),
    ...(verifiedElsewhere ? [["note", "DNS is correct, but another project owns the domain"]] : []),
    ["last checked", lastCheckedAt ?? "not yet"],
    ...(linkHost === null ? [] : [["link host", `${linkHost.host} (${linkHost.status.toLowerCase()})`]]),
    ...(linkHost?.lastError == null ? [] : [["link host error", linkHost.lastError]]),
    ...(lastError === null ? [] : [["last error", lastError]]),
    ["id", id]
  ]
})

/** Values are in the last column and never cut, so that they can be copied. */
const records = ({ records }: Domain): Block => ({
  head: ["type", "name", "status", "needed", "value"],
  rows: records.map(({ type, name, status, required, value }) => [type, name, status, required ? "yes" : "no", value])
})

/** The values that DNS has instead of the expected ones. */
const found = ({ records }: Domain): Block => ({
  head: ["found instead at", "value"],
  rows: records
    .filter(({ status }) => status === "MISMATCH")
    .flatMap(({ name, found }) => found.map((value) => [name, value]))
})

const domainBlocks = (domain: Domain): ReadonlyArray<Block> => [standing(domain), records(domain), found(domain)]

const domainArgument = Argument.String("domain").pipe(
  Argument.withDescription("Name of the domain, in any spelling, or its id")
)

/** The form that the service stores: lower case, ASCII, no final dot. */
const canonical = (name: string): string => domainToASCII(name.trim().replace(/\.$/, "").toLowerCase())

const domainOf = Effect.fnUntraced(function* (nameOrId: string): Effect.fn.Return<Domain, CommandFailure, Api> {
  const { call, project } = yield* Api
  const id = yield* project
  const name = canonical(nameOrId)
  const all = yield* call(({ domains }) => domains.list(id))
  const found = all.find((domain) => domain.id === nameOrId || domain.domain === name)
  if (found !== undefined) return found
  return yield* new CommandFailure({
    exit: "notFound",
    code: "RESOURCE_NOT_FOUND",
    message: `The project has no domain ${nameOrId}.`,
    suggestion: "`posthorn domains list` shows its domains."
  })
})

const add = Command.make(
  "add",
  { domain: Argument.String("domain").pipe(Argument.withDescription("Name of the domain")), ...connectionOptions },
  Effect.fnUntraced(function* ({ domain }) {
    const { call } = yield* Api
    const added = yield* call(({ domains }) => domains.add({ domain }))
    yield* Output.one(added, ...domainBlocks(added))
  })
).pipe(
  Command.withDescription("Add a domain and show the DNS records to publish"),
  Command.withExamples([{ command: "posthorn domains add mail.example.com" }]),
  withApi
)

const list = Command.make(
  "list",
  connectionOptions,
  Effect.fnUntraced(function* () {
    const { call, project } = yield* Api
    const id = yield* project
    const domains = yield* call(({ domains }) => domains.list(id))
    yield* Output.list(Stream.fromIterable(domains), {
      head: ["domain", "status", "last checked", "id"],
      row: ({ domain, status, lastCheckedAt, id }) => [domain, status, lastCheckedAt, id],
      none: "The project has no domains yet. Add one with `posthorn domains add <domain>`."
    })
  })
).pipe(
  Command.withDescription("List the domains of the project"),
  Command.withExamples([{ command: "posthorn domains list" }]),
  withApi
)

const remove = Command.make(
  "remove",
  { domain: domainArgument, yes, ...connectionOptions },
  Effect.fnUntraced(function* ({ domain: nameOrId, yes }) {
    const { call } = yield* Api
    const { domain, id } = yield* domainOf(nameOrId)
    yield* confirm(`Remove ${domain}? Its signing keys are destroyed.`, yes)
    yield* call(({ domains }) => domains.remove(id))
    yield* Output.one({ id, domain, removed: true }, { rows: [["removed", domain]] })
  })
).pipe(
  Command.withDescription("Remove a domain and destroy its signing keys; asks first"),
  Command.withExamples([{ command: "posthorn domains remove mail.example.com --yes" }]),
  withApi
)

const trust = Command.make(
  "trust",
  {
    domain: Argument.String("domain").pipe(Argument.withDescription("Name of the domain")),
    yes,
    project: operatorProjectOption,
    ...databaseOptions
  },
  Effect.fnUntraced(function* ({ domain: name, project, yes }) {
    const { setTrust } = yield* Operator
    const id = project === undefined ? undefined : (yield* operatorProject(project)).id
    yield* confirm(`Verify ${name} without DNS, and keep it verified regardless of DNS?`, yes)
    const domain = yield* setTrust(name, id, true)
    yield* Output.one(domain, ...domainBlocks(domain))
  })
).pipe(
  Command.withDescription(
    "Verify a domain without DNS, and keep it verified regardless of DNS; for operators, needs the database. Asks for " +
      "confirmation. `posthorn domains verify --end-trust` undoes it."
  ),
  Command.withShortDescription("Verify a domain without DNS; for operators"),
  Command.withExamples([{ command: "posthorn domains trust mail.example.com --yes" }]),
  withOperator
)

const check = Effect.fnUntraced(function* (nameOrId: string) {
  const { call } = yield* Api
  const { id } = yield* domainOf(nameOrId)
  return yield* call(({ domains }) => domains.verify(id))
})

const endTrust = Effect.fnUntraced(function* (name: string, project: string | undefined) {
  const { setTrust } = yield* Operator
  return yield* setTrust(name, project === undefined ? undefined : (yield* operatorProject(project)).id, false)
})

const verify = Command.make(
  "verify",
  {
    domain: domainArgument,
    endTrust: Flag.Boolean("end-trust").pipe(
      Flag.withoutNegation,
      Flag.withDefault(false),
      Flag.withDescription("Undo `posthorn domains trust`; for operators, needs the database")
    ),
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ domain: nameOrId, endTrust: endsTrust, ...input }) {
    const domain = endsTrust
      ? yield* asOperator(endTrust(nameOrId, input.project), input)
      : yield* Effect.provide(check(nameOrId), apiLayer(input))
    yield* Output.one(domain, ...domainBlocks(domain))
  })
).pipe(
  Command.withDescription("Check the DNS records of a domain now, and show the result"),
  Command.withExamples([
    { command: "posthorn domains verify mail.example.com" },
    { command: "posthorn domains verify mail.example.com --end-trust", description: "Let DNS decide again" }
  ])
)

const linkHost = Command.make(
  "link-host",
  {
    domain: domainArgument,
    host: Argument.String("host").pipe(
      Argument.withDescription("Host name below the domain; without it, shows the current one"),
      Argument.atMost(1)
    ),
    remove: Flag.Boolean("remove").pipe(
      Flag.withoutNegation,
      Flag.withDefault(false),
      Flag.withDescription("Links of new mail use the public URL again; links of sent mail keep working")
    ),
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ domain: nameOrId, host: [host], remove }) {
    const { call } = yield* Api
    if (remove && host !== undefined) return yield* wrongUsage("Pass either a host or --remove.")
    const { id } = yield* domainOf(nameOrId)
    const domain = yield* remove || host !== undefined
      ? call(({ domains }) => domains.update(id, { linkHost: remove ? null : (host ?? null) }))
      : call(({ domains }) => domains.get(id))
    yield* Output.one(domain, ...domainBlocks(domain))
  })
).pipe(
  Command.withDescription("Show or set the host of the links in mail from a domain"),
  Command.withExamples([
    { command: "posthorn domains link-host mail.example.com links.mail.example.com" },
    { command: "posthorn domains link-host mail.example.com --remove" }
  ]),
  withApi
)

export const domains = Command.make("domains").pipe(
  Command.withDescription("Sender domains and their DNS records"),
  Command.withExamples([{ command: "posthorn domains add mail.example.com" }]),
  Command.withSubcommands([list, add, verify, remove, trust, linkHost])
)
