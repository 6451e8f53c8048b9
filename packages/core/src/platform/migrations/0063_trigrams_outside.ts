import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Moves the extension pg_trgm from our schema to `public`, where an application that shares the database finds it. A
 * database has an extension only once, so the application's `create extension if not exists pg_trgm` does nothing.
 * Where the role may not move it, it stays. The index of the search works in either place.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    do $$
    begin
      if exists (
        select from pg_extension join pg_namespace on pg_namespace.oid = extnamespace
        where extname = 'pg_trgm' and nspname = current_schema() and nspname <> 'public'
      ) then
        alter extension pg_trgm set schema public;
      end if;
    exception
      when insufficient_privilege or invalid_schema_name or duplicate_object or duplicate_function
        or object_not_in_prerequisite_state or feature_not_supported then null;
    end $$`
  const [left] = yield* sql`
    select current_schema() as schema from pg_extension join pg_namespace on pg_namespace.oid = extnamespace
    where extname = 'pg_trgm' and nspname = current_schema() and nspname <> 'public'`
  if (left === undefined) return
  const schema = String(left["schema"])
  yield* Effect.logWarning(
    `The extension pg_trgm stays in the schema ${schema}: this role may not move it. Where others use the database, let ` +
      "its owner run: alter extension pg_trgm set schema public;"
  )
})
