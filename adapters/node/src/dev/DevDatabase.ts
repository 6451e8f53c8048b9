/**
 * Keeps dev mode away from other databases, because it would capture their mail in its mailbox and count it as
 * delivered.
 *
 * A comment on the schema says that dev mode created it. A server that starts on the database removes the comment.
 */
import { Data, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { schema } from "../Database.ts"

/** The start fails with it. Nothing was written. */
export class NotOfDev extends Data.TaggedError("NotOfDev")<{ readonly place: string }> {
  override readonly message =
    `${this.place} has a project that posthorn dev did not create. dev would capture its mail, so nothing was changed. ` +
    "Use an empty database, or `posthorn serve` for this one."
}

const comment = "Made by posthorn dev."

const isMarked = (sql: SqlClient.SqlClient): Effect.Effect<boolean, SqlError.SqlError> =>
  Effect.map(
    sql`select from pg_namespace where nspname = ${schema} and obj_description(oid, 'pg_namespace') = ${comment}`,
    (rows) => rows.length > 0
  )

const holdsProject = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const tables = yield* sql`select from pg_tables where schemaname = ${schema} and tablename = 'projects'`
  if (tables.length === 0) return false
  return (yield* sql`select from ${sql(`${schema}.projects`)} limit 1`).length > 0
})

/**
 * Refuses a database with projects that dev mode did not create. It only reads. `place` names the database for people.
 * A folder with a `dev.json` belongs to dev mode (`known`), even if an older version left no comment.
 */
export const guard = (
  place: string,
  { known }: { readonly known: boolean }
): Layer.Layer<never, NotOfDev, SqlClient.SqlClient> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      if (known || (yield* Effect.orDie(isMarked(sql)))) return
      if (yield* Effect.orDie(holdsProject(sql))) return yield* new NotOfDev({ place })
    })
  )

/** Runs after the schema exists and before dev mode creates its project. */
export const mark: Layer.Layer<never, never, SqlClient.SqlClient> = Layer.effectDiscard(
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(`comment on schema ${schema} is '${comment}'`)).pipe(
    Effect.orDie
  )
)

/** Removes the comment when a server starts on the database. */
export const unmark: Layer.Layer<never, never, SqlClient.SqlClient> = Layer.effectDiscard(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    if (yield* isMarked(sql)) yield* sql.unsafe(`comment on schema ${schema} is null`)
  }).pipe(Effect.orDie)
)
