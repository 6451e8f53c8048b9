/** The API of the service, for commands. */
import {
  type Call,
  type List,
  type LiveEvent,
  type LiveTopic,
  Posthorn,
  PosthornError,
  type Warning
} from "@posthorn/client"
import { Console, Context, Effect, type FileSystem, Layer, type Path, Queue, Stream } from "effect"
import { Command } from "effect/cli"
import { apiFailure, CommandFailure } from "../Failure.ts"
import { printable } from "../output/Table.ts"
import { sessionClient, userAgent } from "../session/Session.ts"
import { type ConnectionInput, connect } from "./Connection.ts"

/** A service, because every command calls it with the connection of its options. */
export class Api extends Context.Service<
  Api,
  {
    /** The data of one call. */
    readonly call: <A>(call: (client: Posthorn) => Call<A>) => Effect.Effect<A, CommandFailure>
    /** The items of a list through all pages. A page is requested when its items are needed. */
    readonly items: <A>(list: (client: Posthorn) => List<A, unknown>) => Stream.Stream<A, CommandFailure>
    /** Changes of the project as they happen. The client connects again by itself. Fails if that cannot help. */
    readonly live: (topics: ReadonlyArray<LiveTopic>) => Stream.Stream<LiveEvent, CommandFailure>
    /** The base URL of the service. */
    readonly url: string
    /** The id of the key's project. */
    readonly project: Effect.Effect<string, CommandFailure>
  }
>()("posthorn/api/Api") {}

/** Prints the warnings of a server that knows fewer fields than this command line. */
const warn = ({ field, message }: Warning) => Console.error(printable(`posthorn: ${field}: ${message}`))

const make = Effect.fnUntraced(function* (input: ConnectionInput) {
  const { project: known, url, session, ...keys } = yield* connect(input)
  const asUser = session === undefined ? {} : sessionClient(session, known ?? "")
  const client = new Posthorn({ ...keys, ...asUser, baseUrl: url, userAgent })
  const failure = (error: unknown) =>
    error instanceof PosthornError
      ? apiFailure(error, url)
      : new CommandFailure({ exit: "failed", code: "UNEXPECTED", message: String(error) })

  const call = <A>(make: (client: Posthorn) => Call<A>) =>
    Effect.flatMap(
      Effect.promise(() => make(client)),
      ({ data, error, meta }) =>
        error === null ? Effect.as(Effect.forEach(meta.warnings, warn), data) : Effect.fail(failure(error))
    )

  const items = <A>(list: (client: Posthorn) => List<A, unknown>) => Stream.fromAsyncIterable(list(client), failure)

  // The signal ends a read that waits for the next change.
  const live = (topics: ReadonlyArray<LiveTopic>) =>
    Stream.callback<LiveEvent, CommandFailure>((queue) =>
      Effect.tryPromise({
        try: async (signal) => {
          for await (const change of client.live(topics, { signal })) Queue.offerUnsafe(queue, change)
        },
        catch: failure
      }).pipe(
        Effect.catch((error) => Queue.fail(queue, error)),
        Effect.forkScoped
      )
    )

  const current = Effect.map(
    call(({ projects }) => projects.current()),
    ({ id }) => id
  )

  return Api.of({ call, items, live, url, project: known === undefined ? current : Effect.succeed(known) })
})

export const layer = (input: ConnectionInput): Layer.Layer<Api, CommandFailure, FileSystem.FileSystem | Path.Path> =>
  Layer.effect(Api, make(input))

/** For a command with `connectionOptions`. */
export const withApi = <const Name extends string, Input extends ConnectionInput, ContextInput, E, R>(
  command: Command.Command<Name, Input, ContextInput, E, R>
) => Command.provide(command, layer)
