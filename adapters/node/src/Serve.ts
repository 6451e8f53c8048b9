/** `posthorn serve` and `posthorn worker`: the service as its own process. */
import { Settings } from "@posthorn/core/platform/Settings"
import { Smtp } from "@posthorn/mailer-smtp"
import { Console, Effect, Layer } from "effect"
import { compact } from "./Compaction.ts"
import * as Config from "./Config.ts"
import { warnIdle } from "./config/IdleVariables.ts"
import * as Database from "./Database.ts"
import { makeFilesForOwnerOnly } from "./DataDir.ts"
import * as DevDatabase from "./dev/DevDatabase.ts"
import * as Failpoints from "./Failpoints.ts"
import * as Host from "./Host.ts"
import * as Apps from "./http/Apps.ts"
import * as Logs from "./Logs.ts"
import { standardError } from "./Process.ts"
import * as Server from "./Server.ts"
import * as Shutdown from "./Shutdown.ts"

export interface ServeOptions extends Config.Options {
  /** Print the readiness line as JSON. */
  readonly json?: boolean | undefined
  /** False: fail if migrations are pending. */
  readonly migrate?: boolean | undefined
}

/** Printed once the process is ready. */
export interface Readiness {
  /** The URL of the server on this machine; null for a worker without a port. */
  readonly url: string | null
  readonly role: Config.Role
  readonly database: string
  readonly pid: number
}

const readinessLine = ({ url, role, database, pid }: Readiness, json: boolean) =>
  json
    ? JSON.stringify({ url, role, database, pid })
    : `Posthorn is ready${url === null ? "" : ` at ${url}`} (role ${role}, database ${database}, pid ${pid})`

const ready = (config: Config.Config, json: boolean) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const url = yield* Server.LocalUrl
      if (config.publicUrl === undefined) {
        const { publicUrl } = yield* Settings
        yield* Effect.logWarning(`POSTHORN_PUBLIC_URL is not set: links in emails lead to ${publicUrl}`)
      }
      yield* Host.durability(config)
      const { role } = config
      yield* Console.log(readinessLine({ url, role, database: Database.describe(config), pid: process.pid }, json))
      yield* compact
    })
  )

/** Each layer is built after the layers below it and ends before them. The database is the lowest layer. */
const byRole = (config: Config.Config, json: boolean) => {
  const { listens, role, transports } = config
  const listeners = role === "worker" ? Layer.empty : Layer.merge(Host.bounces(config), Host.submission(config))
  const listening = Layer.provideMerge(ready(config, json), listeners)
  const last = Layer.provideMerge(listening, Shutdown.layer)
  const services = Layer.provideMerge(Host.services(config), Host.settings(config))

  // A role that sends mail has transports; otherwise the configuration is invalid.
  if (role === "api" || transports === undefined) {
    return last.pipe(
      Layer.provideMerge(Apps.api(config, Layer.empty)),
      Layer.provideMerge(Host.answeringStatus(config)),
      Layer.provideMerge(services),
      Layer.provide(Server.layer(config))
    )
  }

  const working = Layer.provideMerge(last, Host.loops(config))
  const delivering = Layer.provideMerge(
    Layer.provideMerge(Host.deliveringStatus(config), Smtp.layer(transports)),
    services
  )
  if (!listens) {
    return working.pipe(Layer.provideMerge(delivering), Layer.provide(Layer.succeed(Server.LocalUrl, null)))
  }
  return working.pipe(
    Layer.provideMerge(role === "worker" ? Apps.worker(config) : Apps.api(config, Layer.empty)),
    Layer.provideMerge(delivering),
    Layer.provide(Server.layer(config))
  )
}

const run = (config: Config.Config, { json = false, migrate = true }: ServeOptions) =>
  byRole(config, json).pipe(
    Layer.provide(Layer.provideMerge(DevDatabase.unmark, Host.database(config, { migrate }))),
    Layer.provide(Host.platform),
    Layer.launch
  )

/** Runs until it is interrupted, then shuts down. */
export const serve = Effect.fn("serve")(function* (options: ServeOptions) {
  yield* makeFilesForOwnerOnly
  const config = yield* Config.read("serve", options)
  return yield* warnIdle.pipe(
    Effect.andThen(run(config, options)),
    Effect.provide([Logs.layer(config, standardError), Failpoints.layer])
  )
})
