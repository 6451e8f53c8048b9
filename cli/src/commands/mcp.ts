/** `posthorn mcp`: the tools of a server for a client of the Model Context Protocol that starts this program. */
import { Effect, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { connect, connectionOptions } from "../api/Connection.ts"
import { CommandFailure, Signals, wrongUsage } from "../Failure.ts"
import { optional } from "../options/Options.ts"
import { requestText, type Sender } from "../session/Session.ts"

const needsSecretKey = new CommandFailure({
  exit: "notAuthorised",
  code: "MISSING_KEY",
  message: "The tools need the secret key or an API key, not the public key.",
  suggestion: "Set POSTHORN_KEY or pass --key. An API key with few scopes is best: `posthorn keys create`."
})

const isMethod = Schema.is(Schema.Literals(["DELETE", "GET", "PATCH", "POST", "PUT"]))

/** Standard input ends when the client goes. */
const inputEnded = Effect.callback<void>((resume) => {
  for (const event of ["end", "close", "error"]) process.stdin.once(event, () => resume(Effect.void))
})

export const mcp = Command.make(
  "mcp",
  {
    write: Flag.Boolean("write").pipe(
      Flag.withoutNegation,
      Flag.withDefault(false),
      Flag.withDescription("Also offer tools that change data or send mail, as far as the key allows")
    ),
    groups: Flag.String("groups").pipe(
      Flag.withMetavar("<names>"),
      Flag.withDescription("Only tools of these groups, with commas between them: v1,emails,contacts"),
      optional
    ),
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ write, groups, ...input }) {
    const { url, secretKey, session = "", project } = yield* connect(input)
    if (secretKey === undefined && session === "") return yield* needsSecretKey
    const sender: Sender = {
      url,
      session,
      headers: {
        ...(secretKey !== undefined && { authorization: `Bearer ${secretKey}` }),
        ...(session !== "" && project !== undefined && { "x-project-id": project })
      }
    }
    const ask = (method: string, path: string, headers: Readonly<Record<string, string>>, body?: string) =>
      isMethod(method)
        ? requestText({ ...sender, headers: { ...sender.headers, ...headers } }, method, path, body)
        : Effect.die(new Error(`No method ${method}`))

    const { OpenApiDocument } = yield* Effect.promise(() => import("@posthorn/docs/document/OpenApiDocument"))
    const { serve, toolboxOf } = yield* Effect.promise(() => import("@posthorn/mcp/stdio"))
    const { text } = yield* ask("GET", "/openapi.json", {})
    const document = yield* Effect.mapError(
      Schema.decodeUnknownEffect(Schema.fromJsonString(OpenApiDocument))(text),
      () =>
        new CommandFailure({
          exit: "failed",
          code: "UNEXPECTED_RESPONSE",
          message: `${url} has no OpenAPI document of Posthorn.`,
          suggestion: "Check --url: the server there is not Posthorn."
        })
    )
    const toolbox = toolboxOf(document)
    const named = groups?.split(",")
    const unknown = named?.find((name) => !toolbox.groups.includes(name))
    if (unknown !== undefined) {
      return yield* wrongUsage(`There is no group ${unknown}.`, `There are ${toolbox.groups.join(", ")}.`)
    }

    const { endInOrder } = yield* Signals
    yield* endInOrder
    const server = serve(toolbox, { write, groups: named }, ({ method, path, headers, body }) =>
      Effect.runPromise(
        Effect.match(ask(method, path, headers, body), {
          onSuccess: ({ status, text }) => ({ status, text }),
          onFailure: ({ code, message, suggestion }) => ({
            status: 503,
            text: JSON.stringify({ error: { code, message, suggestion } })
          })
        })
      )
    )
    yield* Effect.ensuring(
      inputEnded,
      Effect.promise(() => server.close())
    )
  })
).pipe(
  Command.withDescription(
    "Offer the API to a client of the Model Context Protocol, over standard input and output. Tools only read, unless " +
      "--write is given. Clients start this program themselves."
  ),
  Command.withShortDescription("Offer the API as tools of the Model Context Protocol"),
  Command.withExamples([
    { command: "POSTHORN_URL=https://mail.example.com POSTHORN_KEY=ph_live_... posthorn mcp" },
    { command: "posthorn mcp --write --groups v1,emails,contacts" }
  ])
)
