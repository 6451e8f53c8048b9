/** The stored list of mailbox providers: what an operator changed or added. */
import { Duration, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { cachedFor } from "../../platform/Elapsed.ts"
import { listOf, otherQueue, type ProviderList } from "./ProviderList.ts"

const nullableList = Schema.NullOr(Schema.Array(Schema.String))
const nullableInt = Schema.NullOr(Schema.Int)

const changes = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      provider: Schema.String,
      queue: Schema.Int,
      name: Schema.NullOr(Schema.String),
      mxSuffixes: nullableList,
      domains: nullableList,
      maxConnections: nullableInt,
      ratePerMinute: nullableInt,
      messagesPerConnection: nullableInt
    })
  )
)

/** Every process uses a change within this time. */
const lifetime = Duration.seconds(10)

/** What an operator changed or added. */
export const readChanges = (sql: SqlClient.SqlClient) =>
  Effect.flatMap(
    sql`
      select provider, queue, name, mx_suffixes as "mxSuffixes", domains, max_connections as "maxConnections",
             rate_per_minute as "ratePerMinute", messages_per_connection as "messagesPerConnection"
      from mailbox_providers order by queue`,
    changes
  )

/** The list as it is now. */
export const read = (sql: SqlClient.SqlClient): Effect.Effect<ProviderList> =>
  Effect.orDie(Effect.map(readChanges(sql), listOf))

/** The list as it was at most 10 seconds ago. */
export const make: Effect.Effect<Effect.Effect<ProviderList>, never, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* cachedFor(lifetime)(read(sql))
})

/** Stores the domains that are known without DNS, so that mail of campaigns to them has its queue. */
export const storeKnown = (sql: SqlClient.SqlClient, list: ProviderList) => {
  const known = list.known.map(({ domain, provider }) => ({
    domain,
    provider,
    queue: list.row(provider)?.queue ?? otherQueue
  }))
  const given = sql`
    jsonb_to_recordset(${JSON.stringify(known)}::text::jsonb) as given(domain text, provider text, queue smallint)`
  return Effect.orDie(
    Effect.asVoid(sql`
      insert into recipient_domains as held (domain, provider, queue, looked_up_at)
      select domain, provider, queue, 'infinity' from ${given} order by domain
      on conflict (domain) do update
        set provider = excluded.provider, queue = excluded.queue, looked_up_at = excluded.looked_up_at, exchange = null
        where (held.provider, held.queue, held.looked_up_at) is distinct from
              (excluded.provider, excluded.queue, excluded.looked_up_at)`)
  )
}
