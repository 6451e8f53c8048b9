/** What the SQL of several stores has in common. */
import { Effect, Schema } from "effect"
import type { SqlClient, Statement } from "effect/sql"

const countRow = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ count: Schema.Int })]))

/** The number in the column `count` of a result that is one row. */
export const readCount = (rows: unknown): Effect.Effect<number, Schema.SchemaError> =>
  Effect.map(countRow(rows), ([{ count }]) => count)

/** The same of a statement; a failure of it is a defect. */
export const countOf = (statement: Effect.Effect<unknown, unknown>): Effect.Effect<number> =>
  Effect.orDie(Effect.flatMap(statement, readCount))

/** Whether a column contains this text, in upper or lower case. */
export const contains = (sql: SqlClient.SqlClient, column: string, text: string): Statement.Fragment =>
  sql`strpos(lower(${sql(column)}), lower(${text}::text)) > 0`
