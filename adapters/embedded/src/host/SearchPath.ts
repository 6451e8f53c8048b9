/** What names without a schema mean on a connection. */
import { Effect, Schema } from "effect"
import type { SqlConnection, SqlError } from "effect/sql"

const Rows = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ before: Schema.String })]))

/** The names of a schema, quoted; what is temporary in the session comes last, or it could stand before our tables. */
export const pathOf = (schema: string): string => `${JSON.stringify(schema)}, pg_temp`

/** Sets the path, for the session or to the end of the transaction, and gives the one before it. */
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
