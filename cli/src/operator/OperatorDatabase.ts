/** The database of an operator's command. The command fails if the database does not answer at once. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Migrations from "@posthorn/core/platform/migrations/index"
import * as SecretBox from "@posthorn/core/platform/SecretBox"
import * as SecretRotation from "@posthorn/core/service/secrets/SecretRotation"
import * as Config from "@posthorn/node/Config"
import { warnIdle } from "@posthorn/node/config/IdleVariables"
import * as Database from "@posthorn/node/Database"
import { makeDataDir } from "@posthorn/node/DataDir"
import { platform } from "@posthorn/node/Host"
import * as Logs from "@posthorn/node/Logs"
import { standardError } from "@posthorn/node/Process"
import * as SecretFile from "@posthorn/node/SecretFile"
import { Effect, FileSystem, Layer } from "effect"
import { CommandFailure } from "../Failure.ts"
import { orVariable } from "../options/Server.ts"

/** The configuration, where settings that only a server needs may be missing. */
export const config = (dataDir: string | undefined) =>
  Effect.tap(Config.read("operate", { dataDir }), (config) => Effect.provide(warnIdle, logs(config)))

/** Fails for a mistyped folder instead of creating a new database there. */
export const existing = Effect.fnUntraced(function* ({ databaseUrl, dataDir }: Config.Config) {
  const fs = yield* FileSystem.FileSystem
  if (databaseUrl !== undefined || (yield* Effect.orDie(fs.exists(dataDir)))) return
  return yield* new CommandFailure({
    exit: "failed",
    code: "NO_DATABASE",
    message: `There is no database in ${dataDir}.`,
    suggestion:
      "Set POSTHORN_DATABASE_URL or --data-dir; `posthorn migrate` and `posthorn serve` create a new database. If the " +
      "service runs elsewhere, log in with `posthorn login`."
  })
}, Effect.provide(NodeServices.layer))

/**
 * A database server, the given folder, or the default folder if it exists. A command never creates a database in the
 * current folder.
 */
export const chosen = Effect.fnUntraced(function* (
  { databaseUrl, dataDir }: Config.Config,
  option: string | undefined
) {
  if (databaseUrl !== undefined || (yield* orVariable(option, "POSTHORN_DATA_DIR")) !== undefined) return
  const fs = yield* FileSystem.FileSystem
  if (yield* Effect.orDie(fs.exists(`${dataDir}/database`))) return
  return yield* new CommandFailure({
    exit: "usage",
    code: "NO_DATABASE",
    message: "POSTHORN_DATABASE_URL is not set.",
    suggestion: "Set it, or name the folder of an embedded database with --data-dir."
  })
}, Effect.provide(NodeServices.layer))

/** Logs go to standard error, because standard output has the result of the command. */
export const logs = (config: Config.Config) => Logs.layer(config, standardError)

export const layer = (config: Config.Config) => Layer.provideMerge(Database.layerDirect(config), logs(config))

export const { describeUnfinished } = Migrations

/** For an existing database. */
export const status = Effect.fn("Migration.status")(function* (dataDir: string | undefined) {
  const settings = yield* config(dataDir)
  yield* existing(settings)
  return yield* Effect.provide(Migrations.status, layer(settings))
})

/**
 * Applies the missing migrations, and what remains of all if asked. Returns those that were missing, and what remains.
 * Creates an embedded database only if its folder is named.
 */
export const migrate = Effect.fn("Migration.migrate")(function* (
  dataDir: string | undefined,
  { finish }: { readonly finish: boolean }
) {
  const settings = yield* config(dataDir)
  yield* chosen(settings, dataDir)
  yield* makeDataDir(settings.dataDir)
  return yield* Effect.gen(function* () {
    const { missing } = yield* Migrations.status
    yield* Database.preparePooled(settings)
    yield* Migrations.migrate
    if (finish) yield* Migrations.finish
    const { unfinished } = yield* Migrations.status
    return { applied: missing, unfinished }
  }).pipe(Effect.provide(layer(settings)))
})

/** The database must have the schema of this version. Nothing is migrated implicitly. */
export const secretServices = (dataDir: string | undefined) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const settings = yield* config(dataDir)
      yield* existing(settings)
      return SecretRotation.layer.pipe(
        Layer.provide(SecretBox.layer),
        Layer.provide(SecretFile.layer(settings)),
        Layer.provide(platform),
        Layer.merge(logs(settings)),
        Layer.provide(Layer.provideMerge(Migrations.layerCheck, layer(settings)))
      )
    })
  )
