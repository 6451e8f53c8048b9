/**
 * Posthorn inside an application: several doors over one set of services.
 *
 * It reads no environment, installs no signal handler, writes to no stream, patches nothing, and keeps nothing alive
 * after `close()`.
 */
import type { IncomingMessage, ServerResponse } from "node:http"
import { Posthorn as Client } from "@posthorn/client"
import { ProjectId } from "@posthorn/contract/Auth"
import { Projects } from "@posthorn/core/projects/Projects"
import { type Effect, Layer, ManagedRuntime, Schema } from "effect"
import * as Doors from "./Doors.ts"
import * as HttpDoor from "./HttpDoor.ts"
import { type HostTransaction, hostOf } from "./host/Drivers.ts"
import { keys } from "./InProcess.ts"
import * as NodeDoor from "./NodeDoor.ts"
import { InvalidOption, type PosthornOptions } from "./Options.ts"
import { CannotJoin, within } from "./TransactionDoor.ts"

export interface Posthorn {
  /**
   * The HTTP API, for any server that speaks `Request` and `Response`. Takes keys, as over the network. Where `publicUrl`
   * has a path, requests may come with it or without.
   */
  readonly fetch: (request: Request) => Promise<Response>
  /** The same for Node's own server and those built on it. Resolves when the response is out, and never rejects. */
  readonly node: (request: IncomingMessage, response: ServerResponse) => Promise<void>
  /** The client of one project, in the process: no network, and no key. */
  readonly client: (projectId: string) => Client
  /**
   * What is done through `mail` is part of a transaction that the application has begun and will end: it is there exactly
   * if the application commits. Takes a client of `pg`, the transaction of `postgres`, or Effect's SqlClient, from within
   * its `withTransaction`. Needs `database` to be the application's own.
   *
   * Rejects, with the first refusal, when a call that writes was refused, so that the application rolls back; what that
   * call had begun is already undone. While a call runs the connection is busy: await it before the next statement.
   *
   * `projectId` may be left out where there is one project.
   */
  readonly transaction: <A>(host: HostTransaction, work: (mail: Client) => Promise<A>, projectId?: string) => Promise<A>
  /** The services themselves, for applications written in Effect. */
  readonly run: <A, E>(effect: Effect.Effect<A, E, Doors.Services>) => Promise<A>
  /** Stops the loops, lets mails on the wire finish, and closes the database; a pool of the application stays open. */
  readonly close: () => Promise<void>
}

const isProjectId = Schema.is(ProjectId)

const idOf = (project: string): ProjectId => {
  const id = project.toLowerCase()
  if (isProjectId(id)) return id
  throw new InvalidOption({ message: `projectId is ${JSON.stringify(project)}, which is no id of a project.` })
}

/** Opens the database, brings its schema up to date and starts the loops; rejects with the reason where it cannot. */
export const createPosthorn = async (options: PosthornOptions): Promise<Posthorn> => {
  // Two builders of the same layers: one memo map makes it one database behind both.
  const memoMap = Layer.makeMemoMapUnsafe()
  const services = Doors.layer(options)
  const runtime = ManagedRuntime.make(services, { memoMap })
  await runtime.context()
  const http = await HttpDoor.open(services, memoMap, options.publicUrl)

  const onlyProject = async () => {
    const [first, ...others] = await runtime.runPromise(Projects.use(({ list }) => list))
    if (first !== undefined && others.length === 0) return first.id
    throw new CannotJoin({ message: "There is more than one project, or none: say which as the third argument." })
  }

  return {
    fetch: (request) => http.answer(request),
    node: (request, response) =>
      NodeDoor.answer(
        (asked, address) => http.answer(asked, { address }),
        request,
        response,
        (error) =>
          options.onLog?.({
            level: "Error",
            message: "A response has failed",
            at: new Date(),
            fields: { cause: String(error) }
          })
      ),
    client: (projectId) => {
      const project = idOf(projectId)
      return new Client({ ...keys, fetch: (url, init) => http.answer(new Request(url, init), { project }) })
    },
    transaction: async (host, work, projectId) => {
      // Before anything is awaited: Effect's client is asked for the transaction of the calling fiber.
      const joined = hostOf(host)
      if (typeof options.database === "object" && "dataDir" in options.database) {
        throw new CannotJoin({ message: "Posthorn has a database of its own; give it yours, by URL or pool." })
      }
      if (joined === undefined) {
        throw new CannotJoin({ message: "No transaction is open in this fiber: call it within sql.withTransaction." })
      }
      const project = projectId === undefined ? await onlyProject() : idOf(projectId)
      return within(runtime, http, { ...joined, schema: Doors.schemaOf(options), project, work })
    },
    run: (effect) => runtime.runPromise(effect),
    close: async () => {
      await http.close()
      await runtime.dispose()
    }
  }
}
