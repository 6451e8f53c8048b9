/** The API of the service, for commands. */
import { type Call, type List, Posthorn, PosthornError } from "@posthorn/client"
import { Context, Effect, type FileSystem, Layer, type Path, Stream } from "effect"
import { Command } from "effect/cli"
import { CommandFailure } from "../Failure.ts"
import { sessionClient, userAgent } from "../session/Requests.ts"
import { apiFailure } from "./ApiFailure.ts"
import { type ConnectionInput, connect } from "./Connection.ts"

export class Api extends Context.Service<
  Api,
  {
    /** The data of one call. */
    readonly call: <A>(call: (client: Posthorn) => Call<A>) => Effect.Effect<A, CommandFailure>
    /** The items of a list through all of its pages, asked for as they are taken. */
    readonly items: <A>(list: (client: Posthorn) => List<A, unknown>) => Stream.Stream<A, CommandFailure>
    /** The project of the key. */
    readonly project: Effect.Effect<string, CommandFailure>
  }
>()("posthorn/api/Api") {}

const unknownProject = new CommandFailure({
  exit: "usage",
  code: "UNKNOWN_PROJECT",
  message: "The project of the key is not known: it has neither mail nor contacts nor templates that would tell.",
  suggestion: "Give its id with --project; `posthorn projects list` shows it to the operator."
})

const make = Effect.fnUntraced(function* (input: ConnectionInput) {
  const { project: known, url, session, ...keys } = yield* connect(input)
  const asUser = session === undefined ? {} : sessionClient(session, known ?? "")
  const client = new Posthorn({ ...keys, ...asUser, baseUrl: url, userAgent })
  const failure = (error: unknown) =>
    error instanceof PosthornError
      ? apiFailure(error, url)
      : new CommandFailure({ exit: "failed", code: "UNEXPECTED", message: String(error) })

  const call = <A>(make: (client: Posthorn) => Call<A>) =>
    Effect.tryPromise({ try: () => make(client).orThrow(), catch: failure })

  const items = <A>(list: (client: Posthorn) => List<A, unknown>) => Stream.fromAsyncIterable(list(client), failure)

  /** No call asks for it, but every record names it. */
  const told = Effect.gen(function* () {
    const limit = { limit: 1 }
    const [email] = (yield* call(({ emails }) => emails.list(limit).page())).data
    if (email !== undefined) return email.projectId
    const [contact] = (yield* call(({ contacts }) => contacts.list(limit).page())).data
    if (contact !== undefined) return contact.projectId
    const [template] = (yield* call(({ templates }) => templates.list({ pageSize: 1 }).page())).data
    return template === undefined ? yield* unknownProject : template.projectId
  })

  return Api.of({ call, items, project: known === undefined ? told : Effect.succeed(known) })
})

export const layer = (input: ConnectionInput): Layer.Layer<Api, CommandFailure, FileSystem.FileSystem | Path.Path> =>
  Layer.effect(Api, make(input))

/** For a command with `connectionOptions`. */
export const withApi = <const Name extends string, Input extends ConnectionInput, ContextInput, E, R>(
  command: Command.Command<Name, Input, ContextInput, E, R>
) => Command.provide(command, layer)
