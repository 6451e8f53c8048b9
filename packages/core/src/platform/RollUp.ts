/**
 * Totals that writers do not update themselves: each appends a delta, and a job adds the deltas up. Readers sum the
 * totals and the deltas that remain.
 */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"

export interface Options {
  /** The deltas. Their primary key is `deltaKey` and `id`. */
  readonly deltas: string
  /** Default: `key`. */
  readonly deltaKey?: ReadonlyArray<string>
  /** The totals. Their primary key is `key`. */
  readonly totals: string
  readonly key: ReadonlyArray<string>
  readonly sums: ReadonlyArray<string>
  /** A condition on the deltas, `taken`, that count; default all. Others are dropped. */
  readonly where?: string
  /** Further totals of the same deltas. */
  readonly also?: ReadonlyArray<Further>
}

export interface Further {
  readonly totals: string
  /** The columns of its primary key, each with its expression over a delta. */
  readonly key: { readonly [column: string]: string }
  readonly sums: ReadonlyArray<string>
  /** The deltas that count; default all. */
  readonly where?: string
}

/** The deltas that one statement adds up. */
const maxBatch = 10_000

/** Adds up a batch of deltas. Returns whether it was full: then more may wait. */
export const rollUp = (
  sql: SqlClient.SqlClient,
  { deltas, totals, key, deltaKey = key, sums, where = "true", also = [] }: Options
): Effect.Effect<boolean, SqlError.SqlError> => {
  const list = (names: ReadonlyArray<string>) => names.join(", ")
  const add = ({ totals, key, sums, where = "true" }: Further) => `
    insert into ${totals} as held (${list(Object.keys(key))}, ${list(sums)})
    select ${list(Object.values(key))}, ${list(sums.map((name) => `sum(${name})`))} from taken where ${where}
    group by ${list(Object.values(key))} order by ${list(Object.values(key))}
    on conflict (${list(Object.keys(key))})
    do update set ${list(sums.map((name) => `${name} = held.${name} + excluded.${name}`))}`
  const from = sql.literal(deltas)
  const ids = sql.literal(list([...deltaKey, "id"]))
  const first = { totals, key: Object.fromEntries(key.map((name) => [name, name])), sums, where }
  const added = [first, ...also].map((further, n) => `rolled_${n} as (${add(further)})`)
  return Effect.map(
    sql`
      with taken as (
        delete from ${from} where (${ids}) in (select ${ids} from ${from} limit ${maxBatch} for update skip locked)
        returning *
      ),
      ${sql.literal(list(added))}
      select 1 from taken`,
    (taken) => taken.length === maxBatch
  )
}
