/** The stored states of providers that are in trouble. Each change is one transaction that locks its row. */
import { DateTime, Effect, Schema } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { deleteInBatches } from "../../platform/Batches.ts"
import { firstExchangeQueue, otherQueue } from "../recipients/ProviderList.ts"
import { concerned, recordRecovered, recordSlowed } from "./ShapingEvents.ts"
import {
  installation,
  probed,
  recovered,
  type ShapedKey,
  type ShapingSignal,
  type ShapingState,
  signalled,
  type Traffic
} from "./ShapingState.ts"

/** The transport of a suspension by an operator, which holds for all of them. */
export const everyTransport = ""

/** The reply that caused a state. Null code: an operator did. */
export const ShapingReason = Schema.Struct({
  code: Schema.NullOr(Schema.Int),
  enhancedCode: Schema.NullOr(Schema.String),
  reply: Schema.String,
  at: Schema.String
})
export type ShapingReason = typeof ShapingReason.Type

const Row = Schema.Struct({
  key: Schema.String,
  transport: Schema.String,
  project: Schema.String,
  queue: Schema.Int,
  status: Schema.Literals(["SLOWED", "SUSPENDED", "PROBING"]),
  level: Schema.Int,
  maxConnections: Schema.NullOr(Schema.Int),
  ratePerMinute: Schema.NullOr(Schema.Int),
  until: Schema.Finite,
  raisedAt: Schema.Finite,
  suspension: Schema.Finite,
  accepted: Schema.Int,
  before: Schema.Int,
  reason: ShapingReason,
  /** The projects that were notified. */
  notified: Schema.Array(Schema.String)
})
export type ShapedRow = typeof Row.Type

const rows = Schema.decodeUnknownEffect(Schema.Array(Row))

const millis = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`

const columns = `key, transport, project_id as project, queue, status, level, max_connections as "maxConnections",
  rate_per_minute as "ratePerMinute", ${millis("until")} as until, ${millis("raised_at")} as "raisedAt",
  suspension::float8 as suspension, accepted, before, reason, notified`

type Failure = Schema.SchemaError | SqlError.SqlError

/** The states of all providers in trouble. */
export const readAll = (sql: SqlClient.SqlClient): Effect.Effect<ReadonlyArray<ShapedRow>, Failure> =>
  Effect.flatMap(sql`select ${sql.literal(columns)} from shaping`, rows)

const workerRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: Schema.String })))

/** The ids of the workers that are alive, in their order. */
export const livingWorkers = (sql: SqlClient.SqlClient): Effect.Effect<ReadonlyArray<string>, Failure> =>
  Effect.map(
    Effect.flatMap(sql`select id from workers where lease_until >= clock_timestamp() order by id`, workerRows),
    (found) => found.map(({ id }) => id)
  )

const log = (sql: SqlClient.SqlClient, row: ShapedRow, state: ShapingState | undefined, now: number) => sql`
  insert into shaping_log (at, key, transport, project_id, queue, status, level, max_connections, rate_per_minute, until,
                           reason)
  values (${new Date(now)}, ${row.key}, ${row.transport}, ${row.project}::uuid, ${row.queue}, ${state?.status ?? "NORMAL"},
          ${state?.level ?? 0}, ${state?.maxConnections ?? null}, ${state?.ratePerMinute ?? null},
          ${state === undefined ? null : new Date(state.until)}, ${JSON.stringify(row.reason)}::text::jsonb)`

/** Stores the state of a locked row, and logs a change. */
const save = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  row: ShapedRow,
  state: ShapingState | undefined,
  now: number
) {
  const own = sql`key = ${row.key} and transport = ${row.transport} and project_id = ${row.project}::uuid`
  if (state === undefined) {
    yield* sql`delete from shaping where ${own}`
    if (row.queue >= firstExchangeQueue) {
      yield* sql`
        update recipient_domains set queue = ${otherQueue}
        where queue = ${row.queue} and not exists (select from shaping where key = ${row.key})`
    }
  } else {
    yield* sql`
      update shaping set status = ${state.status}, level = ${state.level}, max_connections = ${state.maxConnections},
             rate_per_minute = ${state.ratePerMinute}, until = ${new Date(state.until)},
             raised_at = ${new Date(state.raisedAt)}, suspension = ${state.suspension}, accepted = ${state.accepted},
             before = ${state.before}, reason = ${JSON.stringify(row.reason)}::text::jsonb, notified = ${row.notified}::uuid[]
      where ${own}`
  }
  if (state?.status !== row.status || state.level !== row.level) yield* log(sql, row, state, now)
})

const locked = (sql: SqlClient.SqlClient, { key, project, transport }: ShapedKey) =>
  Effect.map(
    Effect.flatMap(
      sql`
        select ${sql.literal(columns)} from shaping
        where key = ${key} and transport = ${transport} and project_id = ${project}::uuid for update`,
      rows
    ),
    ([row]) => row
  )

const queueRows = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ queue: Schema.Int })]))

/** Serializes the numbering of exchanges. */
const numbering = 719_190

/**
 * The queue of a mail exchange: the one it has, or the next. A number is used again only after 30 days, because mail that
 * was made with it may still wait.
 */
const exchangeQueue = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, key: string) {
  yield* sql`select pg_advisory_xact_lock(${numbering})`
  const [{ queue }] = yield* queueRows(
    yield* sql`
      select coalesce(
        (select queue from shaping where key = ${key} limit 1)::int,
        (select least(32767, coalesce(max(queue)::int + 1, ${firstExchangeQueue}::int))
         from (select queue from shaping union all select queue from shaping_log) as used
         where queue >= ${firstExchangeQueue})) as queue`
  )
  yield* sql`
    update recipient_domains set queue = ${queue}
    where (domain = ${key} or exchange = ${key} or right(exchange, length(${key}::text) + 1) = '.' || ${key}::text)
      and queue = ${otherQueue}`
  return queue
})

const trafficRows = Schema.decodeUnknownEffect(
  Schema.Tuple([Schema.Struct({ sent: Schema.Int, connections: Schema.Int })])
)

/** What the other workers sent to the key in the last minute, as they last wrote. */
const trafficOfOthers = (sql: SqlClient.SqlClient, worker: string, flow: string) =>
  Effect.map(
    Effect.flatMap(
      sql`
        select coalesce(sum((traffic -> ${flow}::text ->> 0)::int), 0)::int as sent,
               coalesce(sum((traffic -> ${flow}::text ->> 1)::int), 0)::int as connections
        from workers where lease_until >= clock_timestamp() and id <> ${worker}::uuid`,
      trafficRows
    ),
    ([found]) => found
  )

/** The name of a flow in `workers.traffic`. */
export const flowName = ({ key, project, transport }: ShapedKey): string =>
  project === installation ? key : `${key} ${transport}`

/** A signal with what is needed to store it. */
export interface Raised {
  readonly of: ShapedKey
  readonly signal: ShapingSignal
  /** The queue of a provider. Undefined: of a mail exchange. */
  readonly queue: number | undefined
  readonly reason: ShapingReason
  /** The project whose mail was refused. */
  readonly refused: string
  readonly worker: string
  /** What this worker sent. */
  readonly traffic: { readonly sentLastMinute: number; readonly inUse: number }
  /** The limit that an operator set. */
  readonly maxConnections: number | null
}

const projectRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: Schema.String })))

/** Stores a signal, and tells projects when the status changes. Returns the new state, or undefined if it is as before. */
export const raise = Effect.fnUntraced(
  function* (sql: SqlClient.SqlClient, raised: Raised, now: number) {
    const { of, reason, signal, worker } = raised
    const queue = raised.queue ?? (yield* exchangeQueue(sql, of.key))
    yield* sql`
    insert into shaping (key, transport, project_id, queue, status, level, until, raised_at, suspension, accepted, before,
                         reason)
    values (${of.key}, ${of.transport}, ${of.project}::uuid, ${queue}, 'SLOWED', 0, ${new Date(now)}, 'epoch', 0, 0, 0,
            ${JSON.stringify(reason)}::text::jsonb)
    on conflict do nothing`
    const row = yield* locked(sql, of)
    if (row === undefined) return undefined
    const others = yield* trafficOfOthers(sql, worker, flowName(of))
    const traffic: Traffic = {
      sentLastMinute: raised.traffic.sentLastMinute + others.sent,
      connections: raised.maxConnections ?? Math.max(1, raised.traffic.inUse + others.connections)
    }
    const before = row.level === 0 ? undefined : row
    const after = signalled(before, signal, traffic, now)
    if (after === row) return undefined
    const isNews = before?.status !== after.status
    const found = isNews ? yield* projectRows(yield* concerned(sql, row, raised.refused)) : []
    const notified = [...new Set([...row.notified, ...found.map(({ id }) => id)])]
    const changed: ShapedRow = { ...row, reason, notified }
    yield* save(sql, changed, after, now)
    const next: ShapedRow = { ...changed, ...after }
    if (found.length > 0)
      yield* recordSlowed(
        sql,
        found.map(({ id }) => id),
        next,
        now
      )
    return next
  },
  (effect, sql) => sql.withTransaction(effect)
)

/** Counts a mail that a provider accepted while it was probed. */
export const accepted = Effect.fnUntraced(
  function* (sql: SqlClient.SqlClient, of: ShapedKey, now: number) {
    const row = yield* locked(sql, of)
    if (row?.status === "PROBING") yield* save(sql, row, probed(row, now), now)
  },
  (effect, sql) => sql.withTransaction(effect)
)

/** Rows that one look changes. */
const looksAtOnce = 100

/** Lets the states recover whose time is over. Returns those that are normal again. */
export const advance = Effect.fnUntraced(
  function* (sql: SqlClient.SqlClient, at: DateTime.Utc) {
    const now = DateTime.toEpochMillis(at)
    const due = yield* rows(
      yield* sql`
        select ${sql.literal(columns)} from shaping
        where until <= ${DateTime.toDate(at)} and status <> 'PROBING'
        order by key, transport, project_id limit ${looksAtOnce} for update skip locked`
    )
    const over: Array<ShapedRow> = []
    for (const row of due) {
      const after = recovered(row, now)
      if (after === row) continue
      yield* save(sql, row, after, now)
      if (after !== undefined) continue
      over.push(row)
      if (row.notified.length > 0) yield* recordRecovered(sql, row, now)
    }
    return over
  },
  (effect, sql) => sql.withTransaction(effect)
)

/** Deletes entries of the log after 30 days. */
export const sweepLog = (sql: SqlClient.SqlClient, at: DateTime.Utc) =>
  deleteInBatches(sql, "shaping_log", sql`at < ${DateTime.toDate(DateTime.subtract(at, { days: 30 }))}`)

/** Suspends a provider for all transports of the installation. It ends without probes. */
export const suspendByOperator = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  given: {
    readonly provider: string
    readonly queue: number
    readonly until: DateTime.Utc
    readonly now: DateTime.Utc
    readonly reason: ShapingReason
  }
) {
  const { now, provider, queue, reason, until } = given
  const of: ShapedKey = { key: provider, transport: everyTransport, project: installation }
  yield* sql`
    insert into shaping (key, transport, project_id, queue, status, level, rate_per_minute, until, raised_at, suspension,
                         accepted, before, reason)
    values (${provider}, ${everyTransport}, ${installation}::uuid, ${queue}, 'SUSPENDED', 0, 0, ${DateTime.toDate(until)},
            ${DateTime.toDate(now)}, 0, 0, 0, ${JSON.stringify(reason)}::text::jsonb)
    on conflict (key, transport, project_id) do update set until = excluded.until, reason = excluded.reason`
  const row = yield* locked(sql, of)
  if (row !== undefined) yield* log(sql, row, row, DateTime.toEpochMillis(now))
})

/** Ends all states of a provider by the transports of the installation. */
export const end = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, provider: string, at: DateTime.Utc) {
  const now = DateTime.toEpochMillis(at)
  const found = yield* rows(
    yield* sql`
      select ${sql.literal(columns)} from shaping
      where key = ${provider} and project_id = ${installation}::uuid order by transport for update`
  )
  for (const row of found) {
    yield* save(sql, row, undefined, now)
    if (row.notified.length > 0) yield* recordRecovered(sql, row, now)
  }
  return found.length > 0
})
