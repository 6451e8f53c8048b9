/** Helpers that several SQL stores share. */
import { DateTime, Effect, Schema } from "effect"
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

/**
 * The `updated_at` of a row that changes: now, but later than before, even if the clock has not moved since, or was set
 * back. Each stored state of the row thus has its own `updated_at`.
 */
export const changedAt = (sql: SqlClient.SqlClient, before: string, now: DateTime.Utc): Statement.Fragment =>
  sql`greatest(${DateTime.toDate(now)}::timestamptz, ${sql(before)} + interval '1 millisecond')`

/** Whether a row is still as the caller has read it. True if the caller does not ask. */
export const isUnchanged = (
  sql: SqlClient.SqlClient,
  column: string,
  ifUpdatedAt: DateTime.Utc | null | undefined
): Statement.Fragment =>
  ifUpdatedAt == null ? sql`true` : sql`${sql(column)} = ${DateTime.toDate(ifUpdatedAt)}::timestamptz`
