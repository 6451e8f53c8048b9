/** Where the sliding windows of the rate limit are counted, for all processes together. */
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"

export interface Reservation {
  readonly granted: number
  /** Slots taken in the window, those granted now included. */
  readonly used: number
  /** The second, of the clock that asked, in which the next slot is free. */
  readonly nextFree: number
}

export class RateWindows extends Context.Service<
  RateWindows,
  {
    /**
     * Gives unused slots `back`, then takes up to `wanted` slots of `second` in a window of 60 seconds that holds
     * `ceiling`. `holder` is the id of a project or a user; seconds are of the caller's clock, since 1970. A slot may be
     * forgotten when the database server crashes: a request does not wait for its disk.
     */
    readonly reserve: (
      holder: string,
      second: number,
      wanted: number,
      ceiling: number,
      back: { readonly second: number; readonly slots: number }
    ) => Effect.Effect<Reservation>
  }
>()("@posthorn/core/http/RateWindows") {}

const oneRow = Schema.decodeUnknownEffect(
  Schema.Tuple([Schema.Struct({ granted: Schema.Int, used: Schema.Int, nextFree: Schema.Int })])
)

export const layerSql: Layer.Layer<RateWindows, never, SqlClient.SqlClient> = Layer.effect(
  RateWindows,
  Effect.map(SqlClient.SqlClient, (sql) =>
    RateWindows.of({
      reserve: (holder, second, wanted, ceiling, back) =>
        sql`
          with hurried as materialized (select set_config('synchronous_commit', 'off', true))
          select granted, used, next_free::float8 as "nextFree"
          from hurried, take_rate_slots(${holder}::uuid, ${second}::bigint, ${wanted}::int, ${ceiling}::int,
                               ${back.second}::bigint, ${back.slots}::int)`.pipe(
          Effect.flatMap(oneRow),
          Effect.map(([reservation]) => reservation),
          Effect.orDie
        )
    })
  )
)
