/**
 * Totals that writers do not update themselves: each appends a delta, and a job adds the deltas up. Readers sum the
 * totals and the deltas that remain.
 */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"

export interface Options {
  /** The deltas. Their primary key is `key` and `id`. */
  readonly deltas: string
  /** The totals. Their primary key is `key`. */
  readonly totals: string
  readonly key: ReadonlyArray<string>
  readonly sums: ReadonlyArray<string>
}

/** The deltas that one statement adds up. */
const maxBatch = 10_000

/** Adds up a batch of deltas. Returns whether it was full: then more may wait. */
export const rollUp = (
  sql: SqlClient.SqlClient,
  { deltas, totals, key, sums }: Options
): Effect.Effect<boolean, SqlError.SqlError> => {
  const list = (names: ReadonlyArray<string>) => sql.literal(names.join(", "))
  const each = (expression: (name: string) => string) => list(sums.map(expression))
  const from = sql.literal(deltas)
  const keys = list(key)
  const ids = list([...key, "id"])
  return Effect.map(
    sql`
      with taken as (
        delete from ${from} where (${ids}) in (select ${ids} from ${from} limit ${maxBatch} for update skip locked)
        returning *
      ),
      rolled as (
        insert into ${sql.literal(totals)} as held (${keys}, ${list(sums)})
        select ${keys}, ${each((name) => `sum(${name})`)} from taken group by ${keys} order by ${keys}
        on conflict (${keys}) do update set ${each((name) => `${name} = held.${name} + excluded.${name}`)}
      )
      select 1 from taken`,
    (taken) => taken.length === maxBatch
  )
}
