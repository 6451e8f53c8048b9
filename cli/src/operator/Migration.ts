/** Bringing the schema of the database up to date, or looking at it. */
import * as Migrations from "@posthorn/core/migrations/index"
import { makeDataDir } from "@posthorn/node/DataDir"
import { Effect } from "effect"
import * as OperatorDatabase from "./OperatorDatabase.ts"

/** Of a database that is there. */
export const status = Effect.fn("Migration.status")(function* (dataDir: string | undefined) {
  const config = yield* OperatorDatabase.config(dataDir)
  yield* OperatorDatabase.existing(config)
  return yield* Effect.provide(Migrations.status, OperatorDatabase.layer(config))
})

/** What was missing, and is there now. An embedded database that is not there yet is made. */
export const migrate = Effect.fn("Migration.migrate")(function* (dataDir: string | undefined) {
  const config = yield* OperatorDatabase.config(dataDir)
  yield* makeDataDir(config.dataDir)
  return yield* Effect.gen(function* () {
    const { missing } = yield* Migrations.status
    yield* Migrations.migrate
    return missing
  }).pipe(Effect.provide(OperatorDatabase.layer(config)))
})
