/** The database as an operator's command finds it: it answers now, or the command fails. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Config from "@posthorn/node/Config"
import * as Database from "@posthorn/node/Database"
import * as Logs from "@posthorn/node/Logs"
import { standardError } from "@posthorn/node/Process"
import { Effect, FileSystem, Layer } from "effect"
import { CommandFailure } from "../Failure.ts"

/** What a server could not do without may be missing here. */
export const config = (dataDir: string | undefined) => Config.read("operate", { dataDir })

/** An operator who mistypes a folder is told, and does not get a new database there. */
export const existing = Effect.fnUntraced(function* ({ databaseUrl, dataDir }: Config.Config) {
  const fs = yield* FileSystem.FileSystem
  if (databaseUrl !== undefined || (yield* Effect.orDie(fs.exists(dataDir)))) return
  return yield* new CommandFailure({
    exit: "failed",
    code: "NO_DATABASE",
    message: `There is no database in ${dataDir}.`,
    suggestion:
      "Set POSTHORN_DATABASE_URL or --data-dir; `posthorn migrate` and `posthorn serve` make a new one. Where the service " +
      "runs elsewhere, log in with `posthorn login`."
  })
}, Effect.provide(NodeServices.layer))

/** The log of whatever is done there: standard output is for what a command answers. */
export const logs = (config: Config.Config) => Logs.layer(config, standardError)

export const layer = (config: Config.Config) => Layer.provideMerge(Database.layerNow(config), logs(config))
