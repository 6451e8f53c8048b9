/** Helpers that several SQL stores share. */
import { Effect, Schema } from "effect"
import type { SqlClient, Statement } from "effect/sql"

const countRow = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ count: Schema.Int })]))

/** The `count` column of a result with one row. */
export const readCount = (rows: unknown): Effect.Effect<number, Schema.SchemaError> =>
  Effect.map(countRow(rows), ([{ count }]) => count)

/** The `count` of a statement. A failure of the statement is a defect. */
export const countOf = (statement: Effect.Effect<unknown, unknown>): Effect.Effect<number> =>
  Effect.orDie(Effect.flatMap(statement, readCount))

/** Whether a column contains this text, ignoring case. */
export const contains = (sql: SqlClient.SqlClient, column: string, text: string): Statement.Fragment =>
  sql`strpos(lower(${sql(column)}), lower(${text}::text)) > 0`
