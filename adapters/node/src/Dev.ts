/** `posthorn dev`: the whole service on one machine, without settings. */
import { Submission } from "@posthorn/core/mail/submission/Submission"
import { Settings } from "@posthorn/core/platform/Settings"
import * as MailboxHttp from "@posthorn/platform-node/mailbox/MailboxHttp"
import * as MailboxReports from "@posthorn/platform-node/mailbox/MailboxReports"
import * as MailboxStore from "@posthorn/platform-node/mailbox/MailboxStore"
import { Clock, Console, Effect, Layer, Option, Path } from "effect"
import { compact } from "./Compaction.ts"
import * as Config from "./Config.ts"
import { warnIdle } from "./config/IdleVariables.ts"
import { textOf } from "./config/Variable.ts"
import { variables } from "./config/Variables.ts"
import * as ConsoleBuild from "./console/ConsoleBuild.ts"
import * as Database from "./Database.ts"
import { makeFilesForOwnerOnly } from "./DataDir.ts"
import * as ClockHttp from "./dev/ClockHttp.ts"
import * as DevClock from "./dev/DevClock.ts"
import * as DevDatabase from "./dev/DevDatabase.ts"
import * as DevMail from "./dev/DevMail.ts"
import * as DevProject from "./dev/DevProject.ts"
import * as DevState from "./dev/DevState.ts"
import * as SessionHttp from "./dev/SessionHttp.ts"
import { starterIsGone } from "./dev/Starter.ts"
import * as StartPage from "./dev/StartPage.ts"
import { type Welcome, welcomeLine, welcomePage } from "./dev/Welcome.ts"
import * as Failpoints from "./Failpoints.ts"
import * as Host from "./Host.ts"
import * as Apps from "./http/Apps.ts"
import * as Logs from "./Logs.ts"
import { standardError } from "./Process.ts"
import * as Server from "./Server.ts"
import * as Shutdown from "./Shutdown.ts"
import { version } from "./Version.ts"

export interface DevOptions extends Omit<Config.Options, "role"> {
  /** Print one line of JSON instead of the welcome text. */
  readonly json?: boolean | undefined
}

/** The routes under /dev. */
const routes = ({ open }: Config.Config) =>
  Layer.unwrap(
    Effect.map(Settings, ({ publicUrl }) =>
      Layer.mergeAll(
        MailboxHttp.layer({ publicUrl, open }),
        ClockHttp.layer({ publicUrl, open }),
        SessionHttp.layer({ publicUrl, open }),
        StartPage.layer({ publicUrl, open })
      )
    )
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
      const submission = Option.getOrUndefined(yield* Submission.use(({ listening }) => listening))
      const found: Welcome = {
        ...project,
        url,
        console: config.settings.hasConsole ? `${url}/console` : null,
        mailbox: `${url}/dev/mailbox`,
        smtp,
        submission,
        pid: process.pid
      }
      yield* Host.durability(config)
      const sendsTo = config.transports === undefined ? undefined : smtp
      yield* Console.log(json ? welcomeLine(found) : welcomePage(found, { version, dataDir: config.dataDir, sendsTo }))
      yield* compact
    })
  )

/** Each layer is built after the layers below it and ends before them. */
const run = (config: Config.Config, json: boolean, before: ReturnType<typeof DevDatabase.guard>) =>
  (config.settings.hasConsole ? ConsoleBuild.layer : Layer.empty).pipe(
    Layer.provideMerge(welcome(config, json)),
    Layer.merge(Layer.merge(MailboxReports.layer, Host.bounces(config))),
    Layer.provideMerge(Host.submission(config)),
    Layer.provideMerge(Shutdown.layer),
    Layer.provideMerge(Host.loops(config)),
    Layer.provideMerge(Apps.api(config, routes(config))),
    Layer.provideMerge(Host.deliveringStatus(config)),
    Layer.provideMerge(DevMail.layer(config)),
    Layer.provideMerge(Layer.merge(DevProject.layer, mailbox(config.dataDir))),
    Layer.provideMerge(Host.services(config)),
    Layer.provideMerge(Host.settings(config)),
    Layer.provideMerge(DevState.layer(config.dataDir)),
    Layer.provide(Server.layer(config)),
    Layer.provide(Layer.provideMerge(DevDatabase.mark, Host.database(config, { migrate: true, before }))),
    Layer.launch
  )

const guard = ({ databaseUrl, dataDir }: Config.Config) =>
  Effect.map(DevState.read(dataDir), (state) =>
    databaseUrl === undefined
      ? DevDatabase.guard(`The data folder ${dataDir}`, { known: Option.isSome(state) })
      : DevDatabase.guard(Database.describe({ databaseUrl }), { known: false })
  )

/** Logs that the database in the environment is ignored, and warns if mail goes to a real server. */
const announce = Effect.fnUntraced(function* ({ databaseUrl, dataDir, smtpPort, transports }: Config.Config) {
  const named = yield* textOf(variables.databaseUrl.name)
  if (Option.isSome(named) && databaseUrl === undefined) {
    yield* Effect.logWarning(
      `posthorn dev ignores POSTHORN_DATABASE_URL and uses the embedded database in ${dataDir}. Use --database URL for another one.`
    )
  }
  if (transports !== undefined) {
    const servers = transports.map(({ host, port }) => `${host}:${port}`).join(", ")
    yield* Effect.logWarning(`POSTHORN_SMTP_URL is set: emails are sent to ${servers}. The mailbox keeps copies.`)
    if (smtpPort !== undefined) yield* Effect.logWarning("--smtp-port has no effect while POSTHORN_SMTP_URL is set.")
  }
})

const onOwnClock = Effect.fnUntraced(function* (config: Config.Config, json: boolean) {
  const clock = DevClock.make(yield* DevState.clockOffset(config.dataDir))
  return yield* run(config, json, yield* guard(config)).pipe(
    Effect.provideService(ClockHttp.ServiceClock, clock),
    Effect.provideService(Clock.Clock, clock)
  )
})

/** Runs until it is interrupted or the process that started it has ended, then shuts down. */
export const dev = Effect.fn("dev")(function* ({ json = false, ...options }: DevOptions) {
  yield* makeFilesForOwnerOnly
  const config = yield* Config.read("dev", { ...options, role: "all" })
  return yield* warnIdle.pipe(
    Effect.andThen(announce(config)),
    Effect.andThen(Effect.raceFirst(onOwnClock(config, json), starterIsGone)),
    Effect.provide([Logs.layer(config, standardError), Failpoints.layer, Host.platform])
  )
})
