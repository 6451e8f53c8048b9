/** `posthorn dev`: the whole service on one machine, with nothing to set up (doors 1). */
import { Settings } from "@posthorn/core/Settings"
import { Clock, Console, Effect, Layer, Path } from "effect"
import { compact } from "./Compaction.ts"
import * as Config from "./Config.ts"
import { warnIdle } from "./config/IdleVariables.ts"
import * as ClockHttp from "./dev/ClockHttp.ts"
import * as DeliveryReports from "./dev/DeliveryReports.ts"
import * as DevClock from "./dev/DevClock.ts"
import * as DevMail from "./dev/DevMail.ts"
import * as DevProject from "./dev/DevProject.ts"
import * as DevState from "./dev/DevState.ts"
import { type Welcome, welcomeLine, welcomePage } from "./dev/Welcome.ts"
import * as Failpoints from "./Failpoints.ts"
import * as Host from "./Host.ts"
import * as Apps from "./http/Apps.ts"
import * as Logs from "./Logs.ts"
import * as MailboxHttp from "./mailbox/MailboxHttp.ts"
import * as MailboxStore from "./mailbox/MailboxStore.ts"
import { standardError } from "./Process.ts"
import * as Server from "./Server.ts"
import * as Shutdown from "./Shutdown.ts"
import { version } from "./Version.ts"

export interface DevOptions extends Omit<Config.Options, "role"> {
  /** One line of JSON instead of the page for people. */
  readonly json?: boolean | undefined
}

/** The pages under /dev. */
const routes = Layer.unwrap(
  Effect.map(Settings, ({ publicUrl }) => Layer.merge(MailboxHttp.layer({ publicUrl }), ClockHttp.layer({ publicUrl })))
)

const mailbox = (dataDir: string) =>
  Layer.unwrap(Effect.map(Path.Path, (path) => MailboxStore.layer({ folder: path.join(dataDir, "mailbox") })))

const welcome = (config: Config.Config, json: boolean) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const url = (yield* Server.LocalUrl) ?? ""
      const smtp = yield* DevMail.HandedTo
      const project = yield* DevProject.DevProject
      yield* DevState.remember({ url })
      const found: Welcome = { ...project, url, mailbox: `${url}/dev/mailbox`, smtp, pid: process.pid }
      yield* Host.durability(config)
      yield* Console.log(json ? welcomeLine(found) : welcomePage(found, { version, dataDir: config.dataDir }))
      yield* compact
    })
  )

/** Each line is built on those below it, and ends before them. */
const run = (config: Config.Config, json: boolean) =>
  Layer.mergeAll(welcome(config, json), DeliveryReports.layer, Host.bounces(config)).pipe(
    Layer.provideMerge(Shutdown.layer),
    Layer.provideMerge(Host.loops(config)),
    Layer.provideMerge(Apps.api(config, routes)),
    Layer.provideMerge(Host.deliveringStatus(config)),
    Layer.provideMerge(DevMail.layer(config.transports)),
    Layer.provideMerge(Layer.merge(DevProject.layer, mailbox(config.dataDir))),
    Layer.provideMerge(Host.services(config)),
    Layer.provideMerge(Host.settings(config)),
    Layer.provideMerge(DevState.layer(config.dataDir)),
    Layer.provide(Server.layer(config)),
    Layer.provide(Host.database(config, { migrate: true })),
    Layer.launch
  )

const onOwnClock = Effect.fnUntraced(function* (config: Config.Config, json: boolean) {
  const clock = DevClock.make(yield* DevState.clockOffset(config.dataDir))
  return yield* run(config, json).pipe(
    Effect.provideService(ClockHttp.ServiceClock, clock),
    Effect.provideService(Clock.Clock, clock)
  )
})

/** Runs until it is interrupted, and ends in order then. */
export const dev = Effect.fn("dev")(function* ({ json = false, ...options }: DevOptions) {
  const config = yield* Config.read("dev", { ...options, role: "all" })
  return yield* warnIdle.pipe(
    Effect.andThen(onOwnClock(config, json)),
    Effect.provide([Logs.layer(config, standardError), Failpoints.layer, Host.platform])
  )
})
