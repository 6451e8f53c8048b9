/** A database as it was before a migration, for the tests of that migration. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as Migrations from "../platform/migrations/index.ts"

/** Replaces the schema by that of the migrations before this one. */
export const migratedBefore = Effect.fnUntraced(function* (name: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe("drop schema posthorn cascade").unprepared
  const earlier = Object.entries(Migrations.migrations).filter(([each]) => each < name)
  yield* Migrations.migrateTo(Object.fromEntries(earlier))
})
