/** For commands of an operator, which work on the database itself: no port, no loops, no transport (doors 3). */
import * as Migrations from "@posthorn/core/migrations/index"
import type { Services } from "@posthorn/core/Posthorn"
import { Effect, Layer } from "effect"
import type { SqlClient } from "effect/sql"
import * as Config from "./Config.ts"
import * as Database from "./Database.ts"
import * as Host from "./Host.ts"
import * as Logs from "./Logs.ts"
import { standardError } from "./Process.ts"
import { LocalUrl } from "./Server.ts"

export interface OperatorOptions {
  readonly dataDir?: string | undefined
}

const configured = ({ dataDir }: OperatorOptions) => Config.read("operate", { dataDir })

/** Runs with all services, on a database that is exactly as this program knows it. */
export const operate = Effect.fn("operate")(function* <A, E>(
  effect: Effect.Effect<A, E, Services | SqlClient.SqlClient>,
  options: OperatorOptions = {}
) {
  const config = yield* configured(options)
  return yield* effect.pipe(
    Effect.provide(
      Host.services(config).pipe(
        Layer.provideMerge(Host.settings(config)),
        Layer.provide(Layer.succeed(LocalUrl, null)),
        Layer.provideMerge(Host.database(config, { migrate: false })),
        Layer.provideMerge(Host.platform)
      )
    ),
    Effect.provide(Logs.layer(config, standardError))
  )
})

const onDatabase = Effect.fnUntraced(function* <A, E>(
  effect: Effect.Effect<A, E, SqlClient.SqlClient>,
  options: OperatorOptions
) {
  const config = yield* configured(options)
  const database = Layer.provide(Database.layerNow(config), Host.dataDir(config))
  return yield* effect.pipe(Effect.provide(database), Effect.provide(Logs.layer(config, standardError)))
})

/** Which migrations the database has, lacks, and has beyond this program. */
export const migrationStatus = (options: OperatorOptions = {}) => onDatabase(Migrations.status, options)

/** Brings the database up to date, and tells what it lacked. */
export const migrate = (options: OperatorOptions = {}) =>
  onDatabase(
    Effect.gen(function* () {
      const { missing } = yield* Migrations.status
      yield* Migrations.migrate
      return missing
    }),
    options
  )
