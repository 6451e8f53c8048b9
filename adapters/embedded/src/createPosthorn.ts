/**
 * Posthorn inside an application: an HTTP handler, a client and transactions over one set of services.
 *
 * It reads no environment variable, installs no signal handler, writes to no stream, patches nothing, and keeps nothing
 * alive after `close()`.
 */
import type { IncomingMessage, ServerResponse } from "node:http"
import { inspect } from "node:util"
import { Posthorn as Client } from "@posthorn/client"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Projects } from "@posthorn/core/accounts/projects/Projects"
import { Live } from "@posthorn/core/insight/live/Live"
import * as ProviderSettings from "@posthorn/core/mail/shaping/ProviderSettings"
import { Effect, Layer, ManagedRuntime, Predicate, Schema } from "effect"
import type { ConsoleOptions } from "./console/ConsoleOptions.ts"
import * as Mount from "./console/Mount.ts"
import { type EnsuredProject, type EnsureOptions, ensureProject } from "./EnsureProject.ts"
import * as FetchHandler from "./FetchHandler.ts"
import { type HostTransaction, hostOf } from "./host/Drivers.ts"
import { keys } from "./InProcess.ts"
import * as Layers from "./Layers.ts"
import * as NodeHandler from "./NodeHandler.ts"
import { InvalidOption, type PosthornOptions } from "./Options.ts"
import { CannotJoin, within } from "./Transactions.ts"

export interface Posthorn {
  /**
   * The HTTP API for any server that uses `Request` and `Response`. It needs keys, as over the network. If `publicUrl`
   * has a path, requests may have it or not. `address` is the other end of the connection, if the host knows it: logins
   * are limited per address, and the pages of dev mode refuse other machines.
   */
  readonly fetch: (request: Request, from?: { readonly address?: string | undefined }) => Promise<Response>
  /**
   * The same for Node's HTTP server and frameworks that use it. Resolves when the response is sent, and never rejects.
   */
  readonly node: (request: IncomingMessage, response: ServerResponse) => Promise<void>
  /**
   * The console for the people of the application, with the application's own login. Throws if an option is not valid or
   * the package `@posthorn/console` is missing.
   */
  readonly console: (options: ConsoleOptions) => Mount.MountedConsole
  /**
   * The project of this name, with its keys. The first call creates the project and the account that owns it; of
   * concurrent calls, even in several processes, only one does. A project of another owner with the same name is
   * ignored. A project that was renamed or deleted is created again. Rejects with `InvalidOption` if the name or the
   * owner is not valid.
   */
  readonly ensureProject: (name: string, options?: EnsureOptions) => Promise<EnsuredProject>
  /** The client of one project, in the process, without network and key. */
  readonly client: (projectId: string) => Client
  /**
   * Calls of `mail` are part of a transaction that the application has begun and will end: they take effect if and only
   * if the application commits. Takes a client of `pg`, the transaction of `postgres`, or Effect's SqlClient within its
   * `withTransaction`. Requires `database` to be the application's own.
   *
   * If a write is refused, the promise rejects with the first refusal, so that the application rolls back. That call
   * itself is already rolled back. A running call uses the connection, so await it before the next statement.
   *
   * `projectId` is optional if there is only one project.
   */
  readonly transaction: <A>(host: HostTransaction, work: (mail: Client) => Promise<A>, projectId?: string) => Promise<A>
  /** The services, for applications written in Effect. */
  readonly run: <A, E>(effect: Effect.Effect<A, E, Layers.EmbeddedServices>) => Promise<A>
  /**
   * Stops the loops, lets emails in transmission finish, and closes the database. A pool of the application stays open.
   */
  readonly close: () => Promise<void>
}

const isProjectId = Schema.is(ProjectId)

const idOf = (project: string): ProjectId => {
  const id = project.toLowerCase()
  if (isProjectId(id)) return id
  throw new InvalidOption({ message: `projectId is ${JSON.stringify(project)}, which is not the id of a project.` })
}

/** Some servers pass other values as the second argument of a handler. */
const addressIn = (from: unknown): string | undefined =>
  Predicate.hasProperty(from, "address") && Predicate.isString(from.address) ? from.address : undefined

/** Stores the providers of the options. */
const ensureProviders = ({ providers = [] }: PosthornOptions) =>
  ProviderSettings.ensure(providers).pipe(
    Effect.mapError(({ message }) => new InvalidOption({ message: `providers: ${message}` }))
  )

/** A program without types may leave the option out, as one does whose environment lacks the variable. */
const isDatabase = (database: unknown): boolean =>
  typeof database === "string"
    ? database !== ""
    : Predicate.hasProperty(database, "pool") || Predicate.hasProperty(database, "dataDir")

/** Opens the database, migrates its schema and starts the loops. Rejects with the reason if it cannot. */
export const createPosthorn = async (given: PosthornOptions): Promise<Posthorn> => {
  if (!isDatabase(given.database)) {
    throw new InvalidOption({ message: 'database is missing: pass "postgres://...", { pool } or { dataDir }.' })
  }
  // Only dev mode needs a mail server and a parser of mails.
  const devMode = given.dev === true ? (await import("./dev/DevMode.ts")).make(given) : undefined
  const options = devMode?.options ?? given
  // Two builders use the same layers. One memo map gives them one database.
  const memoMap = Layer.makeMemoMapUnsafe()
  const services = Layers.layer(options, devMode)
  const runtime = ManagedRuntime.make(services, { memoMap })
  await runtime.context()
  const refuse = async (error: unknown): Promise<never> => {
    await runtime.dispose()
    throw error
  }
  await runtime.runPromise(ensureProviders(options)).catch(refuse)
  const live = await runtime.runPromise(Live)
  const http = await FetchHandler.open(services, memoMap, options, devMode).catch(refuse)

  const onlyProject = async () => {
    const [first, ...others] = await runtime.runPromise(Projects.use(({ list }) => list))
    if (first !== undefined && others.length === 0) return first.id
    throw new CannotJoin({
      message: "There is more than one project, or none. Pass the id of the project as the third argument."
    })
  }

  const failed = (error: unknown) =>
    options.onLog?.({
      level: "Error",
      message: "A response has failed",
      at: new Date(),
      fields: { cause: options.dev === true ? inspect(error, { depth: 5 }) : String(error) }
    })

  return {
    fetch: (request, from) => http.answer(request, { address: addressIn(from) }),
    node: (request, response) =>
      NodeHandler.answer((asked, address) => http.answer(asked, { address }), request, response, failed),
    console: (mounted) => {
      const answer = Mount.mount(mounted, { answer: http.answer, publicUrl: options.publicUrl })
      return {
        fetch: (request, from) => answer(request, addressIn(from)),
        node: (request, response) => NodeHandler.answer(answer, request, response, failed)
      }
    },
    ensureProject: (name, ensured = {}) => runtime.runPromise(ensureProject(name, ensured, options)),
    client: (projectId) => {
      const project = idOf(projectId)
      return new Client({ ...keys, fetch: (url, init) => http.answer(new Request(url, init), { project }) })
    },
    transaction: async (host, work, projectId) => {
      // Before any await: Effect's client looks up the transaction of the calling fiber.
      const joined = hostOf(host)
      if (typeof options.database === "object" && "dataDir" in options.database) {
        throw new CannotJoin({
          message: "Posthorn has its own database. Pass it the database of the application, as a URL or a pool."
        })
      }
      if (joined === undefined) {
        throw new CannotJoin({ message: "No transaction is open in this fiber. Call it within sql.withTransaction." })
      }
      const project = projectId === undefined ? await onlyProject() : idOf(projectId)
      return within(runtime, http, { ...joined, schema: Layers.schemaOf(options), project, work })
    },
    run: (effect) => runtime.runPromise(effect),
    close: async () => {
      // Streams end at once, so that no connection of the application stays open.
      await Effect.runPromise(live.end)
      await http.close()
      await runtime.dispose()
    }
  }
}
