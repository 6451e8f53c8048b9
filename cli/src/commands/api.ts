/** Calls any endpoint, for those without a command. */

import { Console, Effect, FileSystem, Option, Path, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { addressOf, type ConnectionInput, connect, connectionOptions } from "../api/Connection.ts"
import { wrongUsage } from "../Failure.ts"
import { Json } from "../Json.ts"
import { jsonObject, optional } from "../options/Options.ts"
import * as Session from "../session/Session.ts"
import { type Sender, sendRequest } from "../session/Session.ts"

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const

/** The only endpoint that takes the public key. */
const takesPublicKey = (path: string): boolean => /^\/v1\/track(?:\?|$)/.test(path)

/** Without a key, endpoints that need no credentials can still be called. The service refuses the others. */
const senderOf = Effect.fnUntraced(function* (input: ConnectionInput, path: string) {
  const connection = yield* connect(input).pipe(
    Effect.asSome,
    Effect.catchIf(
      ({ code }) => code === "MISSING_KEY",
      () => Effect.succeedNone
    )
  )
  if (Option.isNone(connection)) {
    const url = yield* addressOf(input.url, input.dataDir)
    const anonymous: Sender = { url, session: "" }
    return anonymous
  }
  const { url, secretKey, publicKey, session = "", project } = connection.value
  const key = takesPublicKey(path) ? (publicKey ?? secretKey) : (secretKey ?? publicKey)
  const sender: Sender = {
    url,
    session,
    headers: {
      ...(session === "" && key !== undefined && { authorization: `Bearer ${key}` }),
      ...(session !== "" && project !== undefined && { "x-project-id": project })
    }
  }
  return sender
})

/** A value that begins with `@` names a file. */
const formOf = Effect.fnUntraced(function* (fields: Readonly<Record<string, string>>) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    if (!value.startsWith("@")) {
      form.append(name, value)
      continue
    }
    const file = value.slice(1)
    const bytes = yield* Effect.mapError(fs.readFile(file), ({ reason }) =>
      wrongUsage(`The file ${file} cannot be read (${reason._tag}).`)
    )
    form.append(name, new File([new Uint8Array(bytes)], path.basename(file), { type: typeOf(file) }))
  }
  return form
})

const types: Readonly<Record<string, string>> = {
  csv: "text/csv",
  gif: "image/gif",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  png: "image/png",
  webp: "image/webp"
}

const typeOf = (file: string): string => types[/\.(\w+)$/.exec(file)?.[1]?.toLowerCase() ?? ""] ?? ""

export const api = Command.make(
  "api",
  {
    method: Argument.Literals("method", methods).pipe(Argument.withDescription(`One of ${methods.join(", ")}`)),
    path: Argument.String("path").pipe(
      Argument.withDescription(
        "Path with its query, such as /contacts?limit=5; /docs of the service lists all endpoints"
      )
    ),
    data: jsonObject("data").pipe(Flag.withDescription("Body, as a JSON object"), optional),
    form: Flag.KeyValuePair("form").pipe(
      Flag.withMetavar("<name=value>"),
      Flag.withDescription("A form field, or a file as name=@file; may be repeated"),
      optional
    ),
    headers: Flag.KeyValuePair("headers").pipe(
      Flag.withMetavar("<name=value>"),
      Flag.withDescription("A header; may be repeated"),
      optional
    ),
    login: Flag.Boolean("login").pipe(
      Flag.withoutNegation,
      Flag.withDefault(false),
      Flag.withDescription("Send the session of `posthorn login`, even if there is a key")
    ),
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ method, path, data, form, headers = {}, login, ...input }) {
    if (!path.startsWith("/")) return yield* wrongUsage(`The path ${path} does not begin with a slash.`)
    if (data !== undefined && form !== undefined) return yield* wrongUsage("Pass either --data or --form, not both.")
    const body = form === undefined ? data : yield* formOf(form)
    const answer = login
      ? yield* Session.ask(yield* Session.required(undefined), method, path, Schema.Unknown, body, headers)
      : yield* Effect.flatMap(senderOf(input, path), (sender) =>
          sendRequest({ ...sender, headers: { ...sender.headers, ...headers } }, method, path, Schema.Unknown, body)
        ).pipe(Effect.map(({ data }) => data))
    if (answer !== null) yield* Console.log(JSON.stringify(answer, null, (yield* Json) ? 0 : 2))
  })
).pipe(
  Command.withDescription("Call any endpoint of the API and print the response as JSON"),
  Command.withExamples([
    { command: "posthorn api GET '/analytics/top-events?limit=5'" },
    { command: `posthorn api PATCH /contacts/019a9f3c-0000-7000-8000-0000000000a1 --data '{"data":{"plan":"pro"}}'` },
    { command: "posthorn api POST /uploads/image --form image=@logo.png" },
    { command: "posthorn api GET /users/@me --login" }
  ])
)
