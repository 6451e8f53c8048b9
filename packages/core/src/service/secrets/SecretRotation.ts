/**
 * Seals all texts again that previous secrets of the installation sealed, so that those secrets can be removed.
 *
 * Each text is replaced by its own statement, which compares the old text. So a run may stop at any point, and several
 * may run at once. The next run finishes the rest, and finds texts that a process sealed with an old secret meanwhile.
 */
import { Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as ErasureKeys from "../../audience/suppression/ErasureKeys.ts"
import { SecretBox } from "../../platform/SecretBox.ts"
import { type SealedColumn, sealedColumns } from "./SealedColumns.ts"

/** Counts of one sealed column, or of the hashes. */
export interface SealedCount {
  readonly what: string
  /** All texts. */
  readonly rows: number
  /** Texts that only a previous secret opens. */
  readonly previous: number
  /** Texts that no configured secret opens. */
  readonly lost: number
}

/** A service, because it needs the secrets of the installation, which jobs do not see. */
export class SecretRotation extends Context.Service<
  SecretRotation,
  {
    /**
     * Renews everything. Returns the number of renewed texts. A text that does not open is logged and stays as it is.
     */
    readonly rotate: Effect.Effect<number>
    /** One count for each sealed column, and one for the hashes of erased addresses. Changes nothing. */
    readonly status: Effect.Effect<ReadonlyArray<SealedCount>>
  }
>()("@posthorn/core/service/secrets/SecretRotation") {}

const part = 100

const sealedRows = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ key: Schema.String, owner: Schema.String, sealed: Schema.String }))
)
const countRow = Schema.decodeUnknownEffect(
  Schema.Tuple([Schema.Struct({ rows: Schema.Int, current: Schema.Int, previous: Schema.Int })])
)

export const layer: Layer.Layer<SecretRotation, never, ErasureKeys.Needs> = Layer.effect(
  SecretRotation,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const box = yield* SecretBox
    const erasure = yield* ErasureKeys.make

    const renew = Effect.fnUntraced(function* (place: SealedColumn) {
      const { purpose, what } = place
      const [table, column, key] = [sql(place.table), sql(place.column), sql(place.key)]
      const [current] = yield* box.beginnings(purpose)
      const after = (last: string | undefined) => (last === undefined ? sql`true` : sql`${key} > ${last}`)
      let count = 0
      let last: string | undefined
      do {
        const rows = yield* sealedRows(
          yield* sql`
            select ${key}::text as key, (${sql.literal(place.owner)})::text as owner, ${column} as sealed from ${table}
            where ${column} is not null and not starts_with(${column}, ${current}) and ${after(last)}
            order by ${key} limit ${part}`
        )
        last = rows.at(-1)?.key
        for (const { key: row, owner, sealed } of rows) {
          const renewed = yield* box
            .renew({ purpose, owner }, sealed)
            .pipe(Effect.catchTag("CannotOpen", ({ message }) => Effect.as(Effect.logError(message), Option.none())))
          if (Option.isNone(renewed)) continue
          const replaced = yield* sql`
            update ${table} set ${column} = ${renewed.value} where ${key} = ${row} and ${column} = ${sealed} returning 1`
          count += replaced.length
        }
      } while (last !== undefined)
      if (count > 0) yield* Effect.logInfo(`Sealed ${count} ${what} again with the current secret`)
      return count
    })

    const rotate = Effect.gen(function* () {
      const kept = yield* erasure.keep
      const renewed = yield* Effect.forEach(sealedColumns, renew)
      return renewed.reduce((sum, each) => sum + each, kept)
    }).pipe(Effect.orDie, Effect.withSpan("SecretRotation.rotate"))

    const count = Effect.fnUntraced(function* ({ table, column, purpose, what }: SealedColumn) {
      const [current, ...before] = yield* box.beginnings(purpose)
      const isPrevious =
        before.length === 0 ? sql`false` : sql.or(before.map((text) => sql`starts_with(${sql(column)}, ${text})`))
      const [found] = yield* countRow(
        yield* sql`
          select count(*)::int as rows, count(*) filter (where starts_with(${sql(column)}, ${current}))::int as current,
            count(*) filter (where ${isPrevious})::int as previous
          from ${sql(table)} where ${sql(column)} is not null`
      )
      const { rows, previous } = found
      return { what, rows, previous, lost: rows - found.current - previous } satisfies SealedCount
    })

    const status = Effect.gen(function* () {
      const sealed = yield* Effect.forEach(sealedColumns, count)
      const { hashes, needPrevious } = yield* erasure.status
      return [
        ...sealed,
        { what: "hashes of erased addresses", rows: hashes, previous: needPrevious ? hashes : 0, lost: 0 }
      ]
    }).pipe(Effect.orDie, Effect.withSpan("SecretRotation.status"))

    return SecretRotation.of({ rotate, status })
  })
)
