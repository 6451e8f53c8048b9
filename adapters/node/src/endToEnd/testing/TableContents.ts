/** The contents of a database, to check whether anything was written. */
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

/** What processes write by themselves, service emails that are sent meanwhile, and request counts. */
const unasked = [
  "event_names",
  "event_outbox",
  "event_totals",
  "event_totals_mark",
  "mail_total_deltas",
  "mail_totals",
  "periodic_jobs",
  "rate_windows",
  "system_mails",
  "workers"
]

const Names = Schema.Array(Schema.Struct({ name: Schema.String }))
const Rows = Schema.Array(Schema.Struct({ row: Schema.String }))

export interface TableContents {
  readonly [table: string]: ReadonlyArray<string>
}

/** Every row of every table as text, without the dispatch time of events. */
export const tableContents = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rowsOf = Effect.fnUntraced(function* (table: string) {
    const rows = yield* sql`select (to_jsonb(t) - 'dispatched_at')::text as row from ${sql(table)} t order by 1`
    const decoded = yield* Schema.decodeUnknownEffect(Rows)(rows)
    return [table, decoded.map(({ row }) => row)] as const
  })
  const tables = yield* sql`select table_name as name from information_schema.tables where table_schema = 'posthorn'`
  const names = yield* Schema.decodeUnknownEffect(Names)(tables)
  const asked = names.map(({ name }) => name).filter((name) => !unasked.includes(name))
  return Object.fromEntries(yield* Effect.forEach(asked, rowsOf)) satisfies TableContents
}).pipe(Effect.orDie)
