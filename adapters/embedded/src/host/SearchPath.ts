/** The search path of a connection. */
import { Effect, Schema } from "effect"
import type { SqlConnection, SqlError } from "effect/sql"

const Rows = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ before: Schema.String })]))

/** The quoted search path of a schema. `pg_temp` is last, because temporary tables would otherwise hide our tables. */
export const pathOf = (schema: string): string => `${JSON.stringify(schema)}, pg_temp`

/** Sets the path, for the session or until the transaction ends, and returns the previous one. */
export const setPath = (
  connection: SqlConnection.Connection,
  path: string,
  lasts: "session" | "transaction"
): Effect.Effect<string, SqlError.SqlError> =>
  connection
    .execute(
      `select before, set_config('search_path', $1, $2)
       from (select current_setting('search_path') as before offset 0) as path`,
      [path, lasts === "transaction"],
      undefined
    )
    .pipe(
      Effect.flatMap((rows) => Effect.orDie(Rows(rows))),
      Effect.map(([{ before }]) => before)
    )
