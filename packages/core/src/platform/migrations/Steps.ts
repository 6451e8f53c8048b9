/**
 * Migrations of tables that are large and in use. Such a migration is a list of steps, each of which commits for itself:
 * a killed process continues after the last step, and a backfill after its last batch. `README.md` of `platform` says
 * how to write one.
 */
import { Data, Duration, Effect, Schedule, Schema } from "effect"
import { SqlClient, SqlError, type Statement } from "effect/sql"
import { elapsedMillis } from "../Elapsed.ts"
import { failpoint } from "../Failpoint.ts"

/** A migration in one transaction. */
export type Plain = Effect.Effect<unknown, unknown, SqlClient.SqlClient>

/** `name` is unique in its migration, and identifies the step for ever. */
export type MigrationStep = Data.TaggedEnum<{
  Transaction: { readonly name: string; readonly run: Plain }
  Index: { readonly name: string; readonly index: string; readonly kind: string; readonly on: string }
  Backfill: {
    readonly name: string
    readonly table: string
    readonly change: (sql: SqlClient.SqlClient, rows: Statement.Fragment) => Plain
  }
  Finished: { readonly name: string; readonly migration: string }
}>
const { Backfill, Finished, Index, Transaction } = Data.taggedEnum<MigrationStep>()

export interface Online {
  /** Run before a server of this version starts, while those of the version before still serve. */
  readonly expand: ReadonlyArray<MigrationStep>
  /** Run by a worker while servers of this version serve, or by `posthorn migrate --finish`. */
  readonly background: ReadonlyArray<MigrationStep>
}

export type Migration = Online | Plain

export const isOnline = (migration: Migration | undefined): migration is Online =>
  migration !== undefined && !Effect.isEffect(migration)

/** One transaction. It may lock a table only shortly, so it neither reads nor writes all rows of a large one. */
export const transaction = (name: string, run: Plain): MigrationStep => Transaction({ name, run })

/** An index whose creation blocks no writer. `on` is the statement from its word ON. */
export const index = (
  name: string,
  on: string,
  { unique = false }: { readonly unique?: boolean } = {}
): MigrationStep => Index({ name: `index ${name}`, index: name, kind: unique ? "unique index" : "index", on })

/** A check or foreign key for rows that are written from now on. `validate` checks the others. */
export const constraint = (table: string, name: string, definition: string): MigrationStep =>
  Transaction({
    name: `constraint ${name}`,
    run: SqlClient.SqlClient.use(
      (sql) => sql.unsafe(`alter table ${table} add constraint ${name} ${definition} not valid`).unprepared
    )
  })

/** Checks all rows against a constraint, while others read and write them. */
export const validate = (table: string, name: string): MigrationStep =>
  Transaction({
    name: `validate ${name}`,
    run: SqlClient.SqlClient.use((sql) => sql.unsafe(`alter table ${table} validate constraint ${name}`).unprepared)
  })

/**
 * Changes the rows of a table in batches, in the order of its primary key. `rows` is the condition for those of the
 * batch; its columns are qualified by the name of the table, so the statement gives the table no alias. A batch that is
 * rolled back is run again. Rows that are inserted meanwhile may be missed: an earlier step makes new rows right, also
 * those of the version before.
 */
export const backfill = (
  table: string,
  change: (sql: SqlClient.SqlClient, rows: Statement.Fragment) => Plain
): MigrationStep => Backfill({ name: `backfill ${table}`, table, change })

/** First finishes the background of an earlier migration. For a migration that removes what this one replaced. */
export const finished = (migration: string): MigrationStep => Finished({ name: `finish ${migration}`, migration })

const Key = Schema.decodeUnknownEffect(
  Schema.NonEmptyArray(Schema.Struct({ name: Schema.String, type: Schema.String }))
)
const Progress = Schema.decodeUnknownEffect(
  Schema.Tuple([Schema.Struct({ position: Schema.NullOr(Schema.Array(Schema.String)), done: Schema.Boolean })])
)
const Batch = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ key: Schema.NonEmptyArray(Schema.String) })))

/** The number of a migration by its name. */
export const numberOf = (name: string): number => Number.parseInt(name, 10)

/** One migration waits for another here without a snapshot: a concurrent index waits for all older snapshots. */
const turn = Duration.millis(200)

const lockKey = (schema: string) => `hashtextextended('posthorn:${schema.replaceAll("'", "''")}', 0)`

const untilTaken = <E, R>(ask: Effect.Effect<ReadonlyArray<unknown>, E, R>) =>
  Effect.flatMap(ask, (rows) =>
    Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ taken: Schema.Boolean })]))(rows)
  ).pipe(
    Effect.catchTag("SchemaError", Effect.die),
    Effect.tap(([{ taken }]) => (taken ? Effect.void : Effect.sleep(turn))),
    Effect.repeat({ until: ([{ taken }]) => taken })
  )

/** One migration runs at a time. Until the end of the transaction. */
export const takeTurn = (schema: string) =>
  SqlClient.SqlClient.use((sql) =>
    untilTaken(sql.unsafe(`select pg_try_advisory_xact_lock(${lockKey(schema)}) as taken`))
  )

const begin = Effect.fnUntraced(function* (id: number, { name }: MigrationStep, about: Statement.Fragment) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    insert into migration_steps (migration_id, step, rows_about) values (${id}, ${name}, ${about})
    on conflict do nothing`
})

const end = Effect.fnUntraced(function* (id: number, { name }: MigrationStep) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    insert into migration_steps (migration_id, step, finished_at) values (${id}, ${name}, clock_timestamp())
    on conflict (migration_id, step) do update set finished_at = excluded.finished_at`
})

const isDone = Effect.fnUntraced(function* (id: number, { name }: MigrationStep) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`
    select from migration_steps where migration_id = ${id} and step = ${name} and finished_at is not null`
  return rows.length > 0
})

/** All steps inside one transaction, for tables that nothing else uses yet. */
export const together = (name: string, { background, expand }: Online): Plain =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    for (const step of [...expand, ...background]) {
      if (step._tag === "Transaction") yield* step.run
      if (step._tag === "Index") yield* sql.unsafe(`create ${step.kind} ${step.index} ${step.on}`).unprepared
      if (step._tag === "Backfill") yield* step.change(sql, sql.literal("true"))
      yield* end(numberOf(name), step)
    }
  })

/**
 * Creates the index in a session of its own, which holds the lock of migrations as long as it works: also after our
 * process was killed. An index that is invalid then is from a creation that has ended. For a partitioned table, which
 * PostgreSQL does not index concurrently, it indexes the partitions one by one.
 */
const createIndex = Effect.fnUntraced(function* (
  id: number,
  { index, kind, name, on }: Extract<MigrationStep, { readonly _tag: "Index" }>,
  schema: string
) {
  const sql = yield* SqlClient.SqlClient
  const session = yield* sql.reserve
  const run = (statement: string, ...parameters: ReadonlyArray<unknown>) =>
    session.executeUnprepared(statement, parameters, undefined)
  yield* Effect.acquireRelease(untilTaken(run(`select pg_try_advisory_lock(${lockKey(schema)}) as taken`)), () =>
    Effect.ignore(
      Effect.all([
        run("reset lock_timeout"),
        run("reset statement_timeout"),
        run(`select pg_advisory_unlock(${lockKey(schema)})`)
      ])
    )
  )
  yield* run("set statement_timeout = 0")

  /** Takes no lock that others wait for, and waits for all transactions that are older. */
  const createOn = Effect.fnUntraced(function* (index: string, on: string) {
    yield* run("set lock_timeout = 0")
    const [found] = yield* run("select indisvalid as valid from pg_index where indexrelid = to_regclass($1)", index)
    if (found?.valid === false) yield* run(`drop index concurrently ${index}`)
    if (found?.valid !== true) yield* run(`create ${kind} concurrently ${index} ${on}`)
  })

  /** Writers wait for the statement, so it gives way to the transactions that are there. */
  const briefly = (statement: string) =>
    Effect.andThen(run(`set lock_timeout = '${batchPatience}'`), run(statement)).pipe(
      Effect.retry({ while: gaveWay, schedule: Schedule.spaced(turn) })
    )

  const table = on.replace(/^on (\w+).*$/s, "$1")
  const [relation] = yield* run("select relkind = 'p' as divided from pg_class where oid = to_regclass($1)", table)
  if (relation?.divided === true) {
    // First on the table, without its partitions: those that are created from now on have the index.
    yield* briefly(`create ${kind} if not exists ${index} ${on.replace(/^on /, "on only ")}`)
    const partitions = yield* run(
      `select inhrelid::regclass::text as name from pg_inherits as partition
       where inhparent = to_regclass($1) and not exists (
         select from pg_index join pg_inherits as attached on attached.inhrelid = indexrelid
         where indrelid = partition.inhrelid and attached.inhparent = to_regclass($2))`,
      table,
      index
    )
    for (const { name } of partitions) {
      const own = `${index}_${name}`
      yield* createOn(own, on.replace(/^on \w+/, `on ${name}`))
      yield* briefly(`alter index ${index} attach partition ${own}`)
    }
  } else yield* createOn(index, on)
  yield* run(
    "update migration_steps set finished_at = clock_timestamp() where migration_id = $1 and step = $2",
    id,
    name
  )
}, Effect.scoped)

/** A batch is to take about this long, because requests wait for its rows. */
const usualBatch = Duration.millis(50)
const firstSize = 500
const [smallest, largest] = [10, 10_000]
/** Below PostgreSQL's `deadlock_timeout`, so that it is the batch that gives way, and not a request. */
const batchPatience = "500ms"

const rolledBack = ["DeadlockError", "LockTimeoutError", "SerializationError"]

/** Whether a statement was rolled back in favour of another transaction. */
export const gaveWay = (error: unknown): boolean => SqlError.isSqlError(error) && rolledBack.includes(error.reason._tag)

const runBackfill = Effect.fnUntraced(function* (
  id: number,
  step: Extract<MigrationStep, { readonly _tag: "Backfill" }>
): Effect.fn.Return<void, unknown, SqlClient.SqlClient> {
  const sql = yield* SqlClient.SqlClient
  const { change, name, table } = step
  const key = yield* Key(
    yield* sql`
      select quote_ident(attname) as name, format_type(atttypid, atttypmod) as type
      from pg_index
      cross join unnest(indkey::int2[]) with ordinality as part (attnum, n)
      join pg_attribute on attrelid = indrelid and pg_attribute.attnum = part.attnum
      where indrelid = to_regclass(${table}) and indisprimary order by n`
  )
  const columns = sql.literal(key.map((column) => `${table}.${column.name}`).join(", "))
  const texts = sql.literal(key.map((column) => `${table}.${column.name}::text`).join(", "))
  const after = (position: ReadonlyArray<string>) => {
    const values = key.map(({ type }, n) => sql`${position[n] ?? null}::text::${sql.literal(type)}`)
    return sql`(${columns}) > (${sql.csv(values)})`
  }
  /** Each row by its key. By a range, PostgreSQL may take another index that begins with the same column, and read it all. */
  const among = (keys: ReadonlyArray<ReadonlyArray<string>>) => {
    const lists = key.map(({ type }, n) => sql`${keys.map((one) => one[n])}::text[]::${sql.literal(type)}[]`)
    return sql`(${columns}) in (select * from unnest(${sql.csv(lists)}))`
  }

  /** Returns whether it was the last one. */
  const batch = (size: number) =>
    sql.withTransaction(
      Effect.gen(function* () {
        yield* sql`select set_config('lock_timeout', ${batchPatience}, true)`
        const [{ done, position }] = yield* Progress(
          yield* sql`
            select position, finished_at is not null as done from migration_steps
            where migration_id = ${id} and step = ${name} for update`
        )
        if (done) return true
        const found = yield* Batch(
          yield* sql`
            select array[${texts}] as key from ${sql.literal(table)}
            where ${position === null ? sql`true` : after(position)} order by ${columns} limit ${size}`
        )
        const last = found.at(-1)
        if (last !== undefined) {
          yield* change(sql, among(found.map((row) => row.key)))
          yield* sql`
            update migration_steps set position = ${last.key}, rows_done = rows_done + ${found.length}
            where migration_id = ${id} and step = ${name}`
        }
        yield* failpoint("before_backfill_commit")
        if (found.length === size) return false
        yield* end(id, step)
        return true
      })
    )

  let size = firstSize
  while (true) {
    const begun = yield* elapsedMillis
    const isLast = yield* Effect.catchIf(batch(size), gaveWay, () => Effect.succeed(undefined))
    if (isLast === true) return
    const took = Math.max(1, (yield* elapsedMillis) - begun)
    const fitting = isLast === undefined ? size / 2 : (size * Duration.toMillis(usualBatch)) / took
    size = Math.round(Math.min(Math.max(fitting, size / 2, smallest), size * 2, largest))
    yield* failpoint("after_backfill_commit")
    // At most half of the time is ours.
    yield* Effect.sleep(Duration.millis(took))
  }
})

export interface StepSurroundings {
  readonly schema: string
  /** Runs a transaction, which waits for a lock at most `patience`. Runs it again if it did not get the lock. */
  readonly unlocked: <A, E, R>(run: (patience: Duration.Duration) => Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Finishes the background of a migration. */
  readonly finish: (migration: string) => Plain
}

/** Runs a step unless it has ended. Two processes may run it at once. */
export const runStep = Effect.fnUntraced(function* (
  migration: string,
  step: MigrationStep,
  { finish, schema, unlocked }: StepSurroundings
): Effect.fn.Return<void, unknown, SqlClient.SqlClient> {
  const sql = yield* SqlClient.SqlClient
  const id = numberOf(migration)
  if (yield* isDone(id, step)) return
  if (step._tag === "Finished") return yield* Effect.andThen(finish(step.migration), end(id, step))
  if (step._tag === "Backfill") {
    const [size] = yield* sql`select reltuples < 0 as unknown from pg_class where oid = to_regclass(${step.table})`
    if (size?.["unknown"] === true) yield* sql.unsafe(`analyze ${step.table}`).unprepared
    const about = sql`(select reltuples::bigint from pg_class where oid = to_regclass(${step.table}))`
    yield* begin(id, step, about)
    return yield* runBackfill(id, step)
  }
  yield* begin(id, step, sql`null`)
  if (step._tag === "Index") return yield* createIndex(id, step, schema)
  yield* unlocked((patience) =>
    sql.withTransaction(
      Effect.gen(function* () {
        yield* takeTurn(schema)
        yield* sql`
          select set_config('lock_timeout', ${`${Duration.toMillis(patience)}ms`}, true),
                 set_config('statement_timeout', '0', true)`
        if (yield* isDone(id, step)) return
        yield* step.run
        yield* end(id, step)
      })
    )
  )
})
