/** Notifications about emails that are not known yet, and receipts of notifications that change no state. */
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { deleteInBatches } from "./Batches.ts"

export interface Parked {
  readonly kind: string
  readonly id: string
  /** JSON. */
  readonly payload: string
}

/** A port: mail and billing store in it. A parked notification belongs to no project until its email is known. */
export class ParkedNotifications extends Context.Service<
  ParkedNotifications,
  {
    /** False when it is already parked. */
    readonly park: (parked: Parked, now: DateTime.Utc) => Effect.Effect<boolean>
    /** Up to `limit` notifications that were not tried since `before`. Marks them as tried now. */
    readonly take: (limit: number, before: DateTime.Utc, now: DateTime.Utc) => Effect.Effect<ReadonlyArray<Parked>>
    readonly drop: (parked: Pick<Parked, "kind" | "id">) => Effect.Effect<void>
    /** Deletes notifications that were parked before this time. Returns how many. */
    readonly expire: (before: DateTime.Utc) => Effect.Effect<number>
    /** Stores a receipt. False when it is already stored. Joins a transaction. */
    readonly receive: (kind: string, id: string, now: DateTime.Utc) => Effect.Effect<boolean>
    /** Deletes receipts older than `before`. */
    readonly sweepReceipts: (before: DateTime.Utc) => Effect.Effect<void>
  }
>()("@posthorn/core/platform/ParkedNotifications") {}

const rows = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ kind: Schema.String, id: Schema.String, payload: Schema.String }))
)

export const layerSql: Layer.Layer<ParkedNotifications, never, SqlClient.SqlClient> = Layer.effect(
  ParkedNotifications,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const some = Effect.map((found: ReadonlyArray<unknown>) => found.length > 0)
    const many = Effect.map((found: ReadonlyArray<unknown>) => found.length)
    return ParkedNotifications.of({
      park: ({ kind, id, payload }, now) =>
        sql`
          insert into parked_notifications (kind, id, payload, parked_at, tried_at)
          values (${kind}, ${id}, ${payload}, ${DateTime.toDate(now)}, ${DateTime.toDate(now)})
          on conflict do nothing returning id`.pipe(some, Effect.orDie),
      take: (limit, before, now) =>
        sql`
          update parked_notifications as parked set tried_at = ${DateTime.toDate(now)}
          from (select kind, id from parked_notifications where tried_at < ${DateTime.toDate(before)}
                order by tried_at, kind, id limit ${limit} for update skip locked) as due
          where parked.kind = due.kind and parked.id = due.id
          returning parked.kind, parked.id, payload`.pipe(Effect.flatMap(rows), Effect.orDie),
      drop: ({ kind, id }) =>
        sql`delete from parked_notifications where kind = ${kind} and id = ${id}`.pipe(Effect.asVoid, Effect.orDie),
      expire: (before) =>
        sql`
          delete from parked_notifications where parked_at < ${DateTime.toDate(before)}
          returning 1`.pipe(many, Effect.orDie),
      receive: (kind, id, now) =>
        sql`
          insert into notification_receipts (kind, id, received_at) values (${kind}, ${id}, ${DateTime.toDate(now)})
          on conflict do nothing returning id`.pipe(some, Effect.orDie),
      sweepReceipts: (before) =>
        deleteInBatches(sql, "notification_receipts", sql`received_at < ${DateTime.toDate(before)}`).pipe(
          Effect.asVoid,
          Effect.orDie
        )
    })
  })
)
