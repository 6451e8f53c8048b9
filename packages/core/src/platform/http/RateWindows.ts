/** The sliding windows of rate limits, which all processes share. `RateWindowsSuite.ts` tests an implementation. */
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"

/** Slots in a window of 60 seconds. */
export interface Ceilings {
  readonly all: number
  /** The slots that the public key may use. Undefined for a request with another key, or of a user. */
  readonly ofPublicKey: number | undefined
}

export interface Reservation {
  readonly granted: number
  /** Slots that are not free for this kind of key, including those granted now. */
  readonly used: number
  /** The second in which the next slot is free, by the clock of the caller. */
  readonly nextFree: number
}

/**
 * What a window counts. The messages of a project by SMTP have a window of their own, and so have users of the host, whose
 * ids are any texts.
 */
export type WindowOf = "host users" | "messages" | "requests"

/** A port: a host may keep the windows elsewhere, such as on Redis. */
export class RateWindows extends Context.Service<
  RateWindows,
  {
    /**
     * Gives back the unused slots `back`, then takes up to `wanted` slots of `second` in a window of 60 seconds, in one
     * step. Where `ofPublicKey` is set, both are slots of the public key. `holder` is the id of a project, a user or an
     * API key. Seconds are of the caller's clock, since 1970: a caller that is behind another takes slots of the latest
     * second, and used slots count as of now if that second is more than 61 seconds ahead. Dies if the windows cannot be
     * reached. A crash of their storage may lose slots.
     */
    readonly reserve: (
      of: WindowOf,
      holder: string,
      second: number,
      wanted: number,
      ceilings: Ceilings,
      back: { readonly second: number; readonly slots: number }
    ) => Effect.Effect<Reservation>
  }
>()("@posthorn/core/platform/http/RateWindows") {}

const oneRow = Schema.decodeUnknownEffect(
  Schema.Tuple([Schema.Struct({ granted: Schema.Int, used: Schema.Int, nextFree: Schema.Int })])
)

/** One statement for each reservation. Its commit does not wait for the disk. */
export const layerSql: Layer.Layer<RateWindows, never, SqlClient.SqlClient> = Layer.effect(
  RateWindows,
  Effect.map(SqlClient.SqlClient, (sql) =>
    RateWindows.of({
      reserve: (of, holder, second, wanted, { all, ofPublicKey }, back) => {
        // Windows are known by a uuid.
        const window = of === "requests" ? sql`${holder}::uuid` : sql`md5(${`${of} of ${holder}`}::text)::uuid`
        return sql`
          with hurried as materialized (select set_config('synchronous_commit', 'off', true))
          select granted, used, next_free::float8 as "nextFree"
          from hurried, take_rate_slots(${window}, ${second}::bigint, ${wanted}::int, ${all}::int,
                                        ${back.second}::bigint, ${back.slots}::int,
                                        ${ofPublicKey !== undefined}::boolean, ${ofPublicKey ?? all}::int)`.pipe(
          Effect.flatMap(oneRow),
          Effect.map(([reservation]) => reservation),
          Effect.orDie
        )
      }
    })
  )
)
