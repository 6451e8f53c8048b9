/**
 * Tables that are divided by time.
 *
 * A row is in the partition of an id in its key, a UUID of version 7, whose first 48 bits are milliseconds (RFC 9562). A
 * partition holds a year, a month or a day, by the number of rows. An hourly job creates the next ones and removes those
 * whose retention has ended, each as one table. A row of any other time is stored in the default partition. It is moved
 * when a partition of its time is created.
 */
import { DateTime, Duration, Effect, Schedule, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { failpoint } from "./Failpoint.ts"
import { gaveWay } from "./migrations/Steps.ts"
import { timeOf, timePrefix } from "./TimeIds.ts"

export interface PartitionedTable {
  readonly table: string
  /** The column with the id. */
  readonly key: string
  /** A table that the rows refer to. Writers lock it first. */
  readonly owner?: string
  /** A trigger of a partition that has left the table, for the reset of a project meanwhile. */
  readonly afterDelete?: string
  /**
   * Keeps of such a partition what outlives it, before it is dropped. Returns one row: the `count` of rows that are
   * removed.
   */
  readonly settle: (sql: SqlClient.SqlClient, partition: string, before: DateTime.Utc) => Statement.Statement<unknown>
}

interface Partition {
  readonly name: string
  /** Null for the first one, which has all earlier events. */
  readonly from: DateTime.Utc | null
  readonly until: DateTime.Utc
  /** As PostgreSQL estimates them. */
  readonly rows: number
}

type Period = "day" | "month" | "year"

/** Where a partition begins: the lowest id of that millisecond. */
const idAt = (instant: DateTime.Utc): string => `${timePrefix(instant)}-0000-0000-000000000000`

const found = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      name: Schema.String,
      from: Schema.NullOr(Schema.String),
      until: Schema.String,
      rows: Schema.Number
    })
  )
)
const named = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ name: Schema.String })))
const ages = Schema.decodeUnknownEffect(
  Schema.Tuple([Schema.Struct({ began: Schema.NullOr(Schema.DateTimeUtcFromDate), stale: Schema.Boolean })])
)
const counted = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ count: Schema.Int })))

/** The partitions with bounds, in the order of their time. */
const partitionsOf = ({
  table
}: PartitionedTable): Effect.Effect<ReadonlyArray<Partition>, never, SqlClient.SqlClient> =>
  SqlClient.SqlClient.use((sql) =>
    sql`
    select relname as name, reltuples::float8 as rows, substring(bound from 'FROM \\(''(.{36})''') as from,
           substring(bound from 'TO \\(''(.{36})''') as until
    from (select relname, reltuples, pg_get_expr(relpartbound, pg_class.oid) as bound
          from pg_inherits join pg_class on pg_class.oid = inhrelid where inhparent = ${table}::regclass) as partition
    where bound <> 'DEFAULT' order by until`.pipe(
      Effect.flatMap(found),
      Effect.map((rows) =>
        rows.map(({ from, until, ...row }) => ({
          ...row,
          from: from === null ? null : timeOf(from),
          until: timeOf(until)
        }))
      ),
      Effect.orDie
    )
  )

/**
 * Changes the partitions in one transaction. Waits half a second for other transactions, because everything behind it
 * waits too, and tries ten times. One process at a time; the one behind may find that the work is done.
 */
const change = Effect.fnUntraced(function* <A, E>(
  run: (sql: SqlClient.SqlClient) => Effect.Effect<A, E, SqlClient.SqlClient>
) {
  const sql = yield* SqlClient.SqlClient
  return yield* Effect.gen(function* () {
    yield* sql`select pg_advisory_xact_lock(hashtext('posthorn:partitions:' || current_schema()))`
    yield* sql`select set_config('lock_timeout', '500ms', true), set_config('statement_timeout', '0', true)`
    return yield* run(sql)
  }).pipe(
    sql.withTransaction,
    Effect.retry({ while: gaveWay, schedule: Schedule.spaced("3 seconds"), times: 10 }),
    Effect.orDie
  )
})

const isThere = (sql: SqlClient.SqlClient, table: string) =>
  Effect.map(sql`select where to_regclass(${table}) is not null`, (rows) => rows.length > 0)

/** Creates the partition, and moves what is stored in the default one meanwhile. */
const create = ({ key, owner, table }: PartitionedTable, from: DateTime.Utc, until: DateTime.Utc) =>
  change((sql) =>
    Effect.gen(function* () {
      const name = `${table}_${DateTime.formatIsoDateUtc(from).replaceAll("-", "")}`
      if (yield* isThere(sql, name)) return
      const written = yield* sql`
        select quote_ident(attname) as name from pg_attribute
        where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''`
      const columns = sql.literal((yield* named(written)).map(({ name }) => name).join(", "))
      const [first, last] = [idAt(from), idAt(until)]
      const rest = `${table}_default`
      if (owner !== undefined) yield* sql`lock table ${sql(owner)} in share row exclusive mode`
      yield* sql`lock table ${sql(rest)} in access exclusive mode`
      yield* sql`create table ${sql(name)} (like ${sql(table)} including all)`
      const moved = yield* sql`
        with moved as (
          delete from ${sql(rest)} where ${sql(key)} >= ${first}::uuid and ${sql(key)} < ${last}::uuid returning ${columns}
        ),
        stored as (insert into ${sql(name)} (${columns}) select * from moved)
        select count(*)::int as count from moved having count(*) > 0`
      yield* sql.unsafe(`alter table ${table} attach partition ${name} for values from ('${first}') to ('${last}')`)
        .unprepared
      for (const { count } of yield* counted(moved))
        yield* Effect.logWarning(`${count} rows were stored before their partition ${name} existed`)
    })
  )

/** Partitions exist for this time from now. */
const ahead = (period: Period): Duration.Duration => Duration.days(period === "day" ? 7 : 40)

const nextAfter = (time: DateTime.Utc, period: Period): DateTime.Utc =>
  DateTime.add(DateTime.startOf(time, period), { [`${period}s`]: 1 })

/** So that a partition has up to about 30 million rows, or those of a day. */
const periodFor = (rowsPerDay: number): Period =>
  rowsPerDay < 80_000 ? "year" : rowsPerDay < 1_000_000 ? "month" : "day"

const isAfter = DateTime.isGreaterThan

/**
 * Creates the partitions of the next weeks. The period depends on the number of rows a day in the partition of today.
 * After a long time without this job, one partition takes the years in between.
 */
export const createNext = Effect.fn("Partitions.createNext")(function* (divided: PartitionedTable) {
  const sql = yield* SqlClient.SqlClient
  const now = yield* DateTime.now
  const known = yield* partitionsOf(divided)
  const [{ began, stale }] = yield* Effect.flatMap(
    sql`
      select (select min(created_at) from projects) as began,
             coalesce(max(greatest(last_analyze, last_autoanalyze)), '-infinity') < clock_timestamp() - interval '1 day' as stale
      from pg_stat_user_tables where relid = ${divided.table}::regclass`,
    ages
  )
  const current = known.find(({ until }) => isAfter(until, now))
  const days = Duration.toDays(DateTime.distance(current?.from ?? began ?? now, now))
  const period = periodFor((current?.rows ?? 0) / Math.max(days, 1))
  const thisYear = DateTime.startOf(now, "year")
  let last = known.at(-1)?.until ?? thisYear
  while (!isAfter(last, DateTime.addDuration(now, ahead(period)))) {
    const until = isAfter(thisYear, last) ? thisYear : nextAfter(last, period)
    yield* create(divided, last, until)
    last = until
  }
  // Autovacuum analyzes the partitions, but not the table as a whole.
  if (stale) yield* sql`analyze ${sql(divided.table)}`.unprepared
}, Effect.orDie)

const removedPrefix = (table: string) => `${table}_removed_`

/** Takes the partition out of the table. Nothing refers to it then, nor does it refer to anything. */
const detach = ({ afterDelete, owner, table }: PartitionedTable, name: string) =>
  change((sql) =>
    Effect.gen(function* () {
      if (!(yield* isThere(sql, name))) return
      const removed = name.replace(`${table}_`, removedPrefix(table))
      if (owner !== undefined) yield* sql`lock table ${sql(owner)} in access exclusive mode`
      yield* sql`alter table ${sql(table)} detach partition ${sql(name)}`
      yield* sql`alter table ${sql(name)} rename to ${sql(removed)}`
      const keys = yield* named(
        yield* sql`select conname as name from pg_constraint where conrelid = ${removed}::regclass and contype = 'f'`
      )
      for (const key of keys) yield* sql`alter table ${sql(removed)} drop constraint ${sql(key.name)}`
      if (afterDelete !== undefined) {
        yield* sql`
          create trigger ${sql(afterDelete)} after delete on ${sql(removed)}
          referencing old table as removed for each statement execute function ${sql(afterDelete)}()`
      }
    })
  )

const drop = ({ settle, table }: PartitionedTable, name: string, before: DateTime.Utc) =>
  change((sql) =>
    Effect.gen(function* () {
      if (!(yield* isThere(sql, name))) return
      yield* sql`lock table ${sql(name)} in access exclusive mode`
      const settled = yield* counted(yield* settle(sql, name, before))
      yield* sql`drop table ${sql(name)}`
      for (const { count } of settled)
        yield* Effect.logInfo(`Retention removed ${count} rows of ${table} with their partition`)
    })
  )

/**
 * Removes the partitions whose rows are all from before the instant, by their ids. A partition first leaves the table,
 * which takes no time that depends on its rows. Then what outlives it is kept, and it is dropped. After a crash in
 * between, the next run does the rest. The time of a row and that of its id differ by a minute at most.
 */
export const removeBefore = Effect.fn("Partitions.removeBefore")(function* (
  divided: PartitionedTable,
  before: DateTime.Utc
) {
  const sql = yield* SqlClient.SqlClient
  const ended = DateTime.subtract(before, { minutes: 1 })
  for (const { name, until } of yield* partitionsOf(divided)) {
    if (isAfter(until, ended)) continue
    yield* detach(divided, name)
    yield* failpoint("after_partition_detach")
  }
  const left = sql`
    select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r'
      and starts_with(relname, ${removedPrefix(divided.table)})`
  for (const { name } of yield* named(yield* left)) yield* drop(divided, name, before)
}, Effect.orDie)

/**
 * Before which time single rows are to be deleted, so that those from before the instant are. A partition of a day is not
 * emptied before it is removed.
 */
export const deletedUntil = Effect.fn("Partitions.deletedUntil")(function* (
  divided: PartitionedTable,
  before: DateTime.Utc
) {
  const within = (yield* partitionsOf(divided)).find(({ until }) => isAfter(until, before))
  const from = within?.from ?? before
  const isOfOneDay = within !== undefined && Duration.toDays(DateTime.distance(from, within.until)) <= 1
  return isOfOneDay && isAfter(before, from) ? from : before
})
