import { Effect, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Api, layer as apiLayer, withApi } from "../api/Api.ts"
import { connectionOptions } from "../api/Connection.ts"
import { domainArgument, domainOf } from "../api/DomainOf.ts"
import { Operator } from "../operator/Operator.ts"
import { projectOf, projectOption } from "../operator/ProjectOf.ts"
import { asOperator, databaseOptions, withOperator } from "../operator/WithOperator.ts"
import { confirm, yes } from "../options/Confirmation.ts"
import { domainBlocks } from "../output/DomainText.ts"
import * as Output from "../output/Output.ts"

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
    project: projectOption,
    ...databaseOptions
  },
  Effect.fnUntraced(function* ({ domain: name, project, yes }) {
    const { setTrust } = yield* Operator
    const id = project === undefined ? undefined : (yield* projectOf(project)).id
    yield* confirm(`Verify ${name} without asking DNS, and keep it verified whatever DNS says?`, yes)
    const domain = yield* setTrust(name, id, true)
    yield* Output.one(domain, ...domainBlocks(domain))
  })
).pipe(
  Command.withDescription(
    "Verify a domain without asking DNS, and keep it verified whatever DNS says; for operators, over the database. Asks " +
      "first. `posthorn domains verify --end-trust` takes it back."
  ),
  Command.withShortDescription("Verify a domain without asking DNS; for operators"),
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
  return yield* setTrust(name, project === undefined ? undefined : (yield* projectOf(project)).id, false)
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

export const domains = Command.make("domains").pipe(
  Command.withDescription("Sender domains and their DNS records"),
  Command.withExamples([{ command: "posthorn domains add mail.example.com" }]),
  Command.withSubcommands([list, add, verify, remove, trust])
)
