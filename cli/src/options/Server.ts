/** Options of the commands that run a server or open its database. */
import { Config, Effect, Option } from "effect"
import { Flag } from "effect/cli"
import { optional } from "./Options.ts"

const option = (what: string) =>
  Flag.String("data-dir").pipe(
    Flag.withMetavar("<folder>"),
    Flag.withDescription(`${what}; default: POSTHORN_DATA_DIR, then ./.posthorn`),
    optional
  )

export const dataDirOption = option("Data folder")

/** For commands that need the database. */
export const databaseFolderOption = option("Folder of the embedded database, unless POSTHORN_DATABASE_URL is set")

/** For commands that call the API. */
export const devFolderOption = option("Data folder of `posthorn dev`")

export const dataDirOf = (option: string | undefined): Effect.Effect<string> =>
  Effect.map(orVariable(option, "POSTHORN_DATA_DIR"), (folder) => folder ?? "./.posthorn")

export const noMigrate = Flag.Boolean("no-migrate").pipe(
  Flag.withoutNegation,
  Flag.withDefault(false),
  Flag.withDescription("Do not run pending migrations; refuse to start if there are any")
)

/** The option, otherwise the variable. A blank variable counts as unset. */
export const orVariable = (option: string | undefined, name: string): Effect.Effect<string | undefined> =>
  option === undefined
    ? Config.option(Config.String(name)).pipe(
        Effect.orDie,
        Effect.map((value) => Option.getOrUndefined(Option.filter(value, (text) => text.trim() !== "")))
      )
    : Effect.succeed(option)

export const portOption = (name: string) =>
  Flag.Int(name).pipe(
    Flag.filter(
      (port) => port >= 0 && port <= 65535,
      () => "a whole number from 0 to 65535"
    ),
    Flag.withMetavar("<port>")
  )

export const listeningOptions = {
  host: Flag.String("host").pipe(
    Flag.withMetavar("<address>"),
    Flag.withDescription("Address to listen on; default: POSTHORN_HOST, then 127.0.0.1"),
    optional
  ),
  port: portOption("port").pipe(
    Flag.withDescription("Port to listen on, 0 for a free one; default: POSTHORN_PORT, then 3000"),
    optional
  ),
  dataDir: dataDirOption
}
