/** Migrates the database schema, or shows its state. */
import * as Migrations from "@posthorn/core/platform/migrations/index"
import { makeDataDir } from "@posthorn/node/DataDir"
import { Effect } from "effect"
import * as OperatorDatabase from "./OperatorDatabase.ts"

/** For an existing database. */
export const status = Effect.fn("Migration.status")(function* (dataDir: string | undefined) {
  const config = yield* OperatorDatabase.config(dataDir)
  yield* OperatorDatabase.existing(config)
  return yield* Effect.provide(Migrations.status, OperatorDatabase.layer(config))
})

/** Applies and returns the missing migrations. Creates an embedded database only if its folder is named. */
export const migrate = Effect.fn("Migration.migrate")(function* (dataDir: string | undefined) {
  const config = yield* OperatorDatabase.config(dataDir)
  yield* OperatorDatabase.chosen(config, dataDir)
  yield* makeDataDir(config.dataDir)
  return yield* Effect.gen(function* () {
    const { missing } = yield* Migrations.status
    yield* Migrations.migrate
    return missing
  }).pipe(Effect.provide(OperatorDatabase.layer(config)))
})
