import type { Transport, TransportRoutes } from "@posthorn/client"
import { NewRoute } from "@posthorn/contract/mail/transports/Transport"
import { Effect, FileSystem, Schema, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Api, withApi } from "../api/Api.ts"
import { connectionOptions } from "../api/Connection.ts"
import { CommandFailure, wrongUsage } from "../Failure.ts"
import { confirm, optional, standardInput, text, yes } from "../options/Options.ts"
import * as Output from "../output/Output.ts"
import type { Block, Cell } from "../output/Table.ts"

const transportArgument = Argument.String("transport").pipe(
  Argument.withDescription("Name of the transport, or its id")
)

const stateOf = ({ enabled, failingSince, status }: Transport): string => {
  if (!enabled) return "disabled"
  return status === "FAILING" ? `failing since ${failingSince}` : "ok"
}

const head = ["name", "server", "state", "last used", "id"]
const row = (transport: Transport): ReadonlyArray<Cell> => [
  transport.name,
  `${transport.host}:${transport.port}`,
  stateOf(transport),
  transport.lastUsedAt,
  transport.id
]

const block = (transport: Transport): Block => ({
  rows: [
    ["id", transport.id],
    ["name", transport.name],
    ["server", `${transport.host}:${transport.port}`],
    ["tls", transport.tls],
    ["user", transport.user],
    ["pool", transport.pool],
    ["state", stateOf(transport)],
    ...(transport.lastError === null ? [] : [["last error", transport.lastError]]),
    ["last used", transport.lastUsedAt],
    ["created", transport.createdAt]
  ]
})

const all = Effect.gen(function* () {
  const { call } = yield* Api
  return yield* call(({ transports }) => transports.list())
})

const named = Effect.fnUntraced(function* (nameOrId: string) {
  const found = (yield* all).find(({ id, name }) => id === nameOrId || name === nameOrId)
  if (found !== undefined) return found
  return yield* new CommandFailure({
    exit: "notFound",
    code: "RESOURCE_NOT_FOUND",
    message: `The project has no transport ${nameOrId}.`,
    suggestion: "`posthorn transports list` shows its transports."
  })
})

const list = Command.make(
  "list",
  connectionOptions,
  Effect.fnUntraced(function* () {
    yield* Output.list(Stream.fromIterable(yield* all), {
      head,
      row,
      none: "The project has no transports. Its mail goes through those of the installation."
    })
  })
).pipe(
  Command.withDescription("List the SMTP servers of the project"),
  Command.withExamples([{ command: "posthorn transports list" }]),
  withApi
)

const add = Command.make(
  "add",
  {
    name: Argument.String("name").pipe(Argument.withDescription("Name of the transport")),
    host: Flag.String("host").pipe(Flag.withDescription("Host name or public IP address of the server")),
    port: Flag.Int("port").pipe(
      Flag.withDescription("25, 465, 587, 2465, 2525 or 2587; default: 587"),
      Flag.withDefault(587)
    ),
    tls: Flag.Literals("tls", ["IMPLICIT", "STARTTLS"]).pipe(
      Flag.withDescription("Default: IMPLICIT for ports 465 and 2465, otherwise STARTTLS"),
      optional
    ),
    user: Flag.String("user").pipe(Flag.withDescription("User name of the login"), optional),
    password: text("password").pipe(
      Flag.withDescription("Password of the login; `-` reads it from standard input"),
      optional
    ),
    pool: Flag.Int("pool").pipe(
      Flag.withDescription("Number of mails that each worker sends at the same time, 1 to 50; default: 5"),
      optional
    ),
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ name, host, port, tls, user, password, pool }) {
    const { call } = yield* Api
    const body = { name, host, port, tls, user, password: password?.replace(/\r?\n$/, ""), pool }
    const transport = yield* call(({ transports }) => transports.create(body))
    yield* Output.one(transport, block(transport))
  })
).pipe(
  Command.withDescription("Test an SMTP server and add it"),
  Command.withExamples([
    {
      command: "posthorn transports add Marketing --host smtp.example.com --user apikey --password - < password.txt"
    }
  ]),
  withApi
)

const verify = Command.make(
  "verify",
  { transport: transportArgument, ...connectionOptions },
  Effect.fnUntraced(function* ({ transport: nameOrId }) {
    const { call } = yield* Api
    const { id, name } = yield* named(nameOrId)
    const checked = yield* call(({ transports }) => transports.verify(id))
    yield* Output.one(
      { id, ...checked },
      {
        rows: [
          ["transport", name],
          ["works", checked.ok ? "yes" : "no"],
          ["tls", checked.tls],
          ["largest message", checked.size],
          ["extensions", checked.extensions.join(", ")],
          ...(checked.error === null ? [] : [["error", checked.error]])
        ]
      }
    )
    if (!checked.ok) {
      return yield* new CommandFailure({
        exit: "failed",
        code: "TRANSPORT_FAILED",
        message: `${name} does not work: ${checked.error}`,
        suggestion: "Correct its host, port or login."
      })
    }
  })
).pipe(
  Command.withDescription("Connect to an SMTP server and log in, without sending mail"),
  Command.withExamples([{ command: "posthorn transports verify Marketing" }]),
  withApi
)

const remove = Command.make(
  "remove",
  { transport: transportArgument, yes, ...connectionOptions },
  Effect.fnUntraced(function* ({ transport: nameOrId, yes }) {
    const { call } = yield* Api
    const { id, name } = yield* named(nameOrId)
    yield* confirm(`Remove the transport ${name}? Its password is deleted.`, yes)
    yield* call(({ transports }) => transports.remove(id))
    yield* Output.one({ id, removed: true }, { rows: [["removed", name]] })
  })
).pipe(
  Command.withDescription("Remove an SMTP server that no route uses; asks first"),
  Command.withExamples([{ command: "posthorn transports remove Marketing --yes" }]),
  withApi
)

/** Routes as a file has them, with transports by id or name. */
const Written = Schema.Struct({
  routes: Schema.Array(Schema.Struct({ ...NewRoute.fields, transportIds: Schema.Array(Schema.String) }))
})
const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Written))

const routesBlock = ({ routes }: TransportRoutes, transports: ReadonlyArray<Transport>): Block => ({
  head: ["sender domain", "type", "source", "transports", "then those of the installation"],
  rows: routes.map(({ fallbackToServer, senderDomain, sourceType, transportIds, type }) => [
    senderDomain ?? "any",
    type ?? "any",
    sourceType ?? "any",
    transportIds.map((id) => transports.find((each) => each.id === id)?.name ?? id).join(", "),
    fallbackToServer ? "yes" : "no"
  ])
})

const routes = Command.make(
  "routes",
  {
    file: Argument.String("file").pipe(
      Argument.withDescription("JSON file with the new routes; `-` reads standard input. Without it, shows the routes"),
      Argument.atMost(1)
    ),
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ file: [file] }) {
    const { call } = yield* Api
    const known = yield* all
    const show = (found: TransportRoutes) => Output.one(found, routesBlock(found, known))
    if (file === undefined) return yield* show(yield* call(({ transports }) => transports.routes()))
    const fs = yield* FileSystem.FileSystem
    const written = yield* file === "-"
      ? standardInput
      : Effect.catch(fs.readFileString(file), () => wrongUsage(`The file ${file} cannot be read.`))
    const { routes } = yield* Effect.catch(decode(written), () =>
      wrongUsage(
        "The file has no valid routes.",
        'Write them as {"routes":[{"senderDomain":"example.com","transportIds":["Marketing"]}]}.'
      )
    )
    const idOf = (nameOrId: string) => known.find(({ name }) => name === nameOrId)?.id ?? nameOrId
    const body = { routes: routes.map((route) => ({ ...route, transportIds: route.transportIds.map(idOf) })) }
    yield* show(yield* call(({ transports }) => transports.setRoutes(body)))
  })
).pipe(
  Command.withDescription("Show or replace the routes, which choose the SMTP servers for mail"),
  Command.withExamples([
    { command: "posthorn transports routes" },
    { command: "posthorn transports routes routes.json", description: "Replaces all routes" }
  ]),
  withApi
)

export const transports = Command.make("transports").pipe(
  Command.withDescription("SMTP servers of the project and their routes"),
  Command.withExamples([{ command: "posthorn transports list" }]),
  Command.withSubcommands([list, add, verify, remove, routes])
)
