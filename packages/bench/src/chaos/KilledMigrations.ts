/**
 * `kill -9` of a server that creates the tables of an empty database, and of a second one that starts at the same time.
 * The next start must find everything in order. A program older than its database is refused (fault matrix F27).
 */
import { PgClient } from "@effect/sql-pg"
import { startSink } from "@posthorn/mailer-smtp/testing"
import { Cause, Duration, Effect, Exit, Fiber, Layer, Random, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import * as Seed from "../Seed.ts"
import { temporaryFolder } from "../TemporaryFolder.ts"
import * as Load from "./Load.ts"
import * as Program from "./Program.ts"
import type { Verdict } from "./Verdict.ts"
import { until } from "./Waiting.ts"

export interface Options {
  /** Seeds all random choices: the moments, and when two servers start at once. */
  readonly seed: string
  readonly kills: number
  /** Creates an empty database, and returns its URL. */
  readonly database: (name: string) => Effect.Effect<string>
}

/** Emails sent through the restarted server. */
const mails = 20

const pool = (url: string) =>
  Layer.orDie(
    PgClient.layer({ url: Redacted.make(url), maxConnections: 2, startupParameters: { search_path: "posthorn" } })
  )

const isThere = SqlClient.SqlClient.use((sql) =>
  Effect.map(
    Effect.orDie(sql`
      select 1 from pg_stat_activity
      where datname = current_database() and application_name = 'posthorn' and pid <> pg_backend_pid()`),
    (rows) => rows.length > 0
  )
)

/** Tables, indexes, constraints, triggers and functions, as one number. */
const shape = SqlClient.SqlClient.use((sql) =>
  Effect.map(
    Effect.orDie(sql`
      select md5(string_agg(part, ',' order by part)) as shape from (
        select concat_ws(' ', table_name, column_name, data_type, column_default, is_nullable)
        from information_schema.columns where table_schema = 'posthorn'
        union all select indexdef from pg_indexes where schemaname = 'posthorn'
        union all select pg_get_constraintdef(oid) from pg_constraint where connamespace = 'posthorn'::regnamespace
        union all select pg_get_triggerdef(pg_trigger.oid) from pg_trigger
                  join pg_class on pg_class.oid = tgrelid
                  where relnamespace = 'posthorn'::regnamespace and not tgisinternal
        union all select prosrc from pg_proc where pronamespace = 'posthorn'::regnamespace
      ) as parts(part)`),
    ([row]) => String(row?.["shape"])
  )
)

/** Returns the verdict: the tables are those of an undisturbed start, and emails are accepted and sent. */
export const kills = Effect.fn("KilledMigrations.kills")(function* (options: Options) {
  const folder = yield* temporaryFolder("migrations")
  const sink = yield* Effect.acquireRelease(
    Effect.promise(() => startSink({ keepContent: false })),
    (sink) => Effect.promise(() => sink.close())
  )
  const start = (url: string) =>
    Program.launch({
      POSTHORN_DATABASE_URL: url,
      POSTHORN_DATA_DIR: folder,
      POSTHORN_SECRET: Seed.secret,
      POSTHORN_PUBLIC_URL: "https://posthorn.example",
      POSTHORN_PORT: "0",
      POSTHORN_SMTP_URL: `smtp://127.0.0.1:${sink.port}?tls=none&pool=4`
    })

  /** The duration of a start, from its first connection to the readiness line. */
  const migrated = Effect.fnUntraced(function* (url: string) {
    const starting = yield* Effect.forkScoped(start(url))
    yield* Effect.provide(until("a server at the database", isThere, Boolean), pool(url))
    const [time] = yield* Effect.timed(Fiber.join(starting))
    return time
  }, Effect.scoped)

  const reference = yield* options.database("undisturbed")
  const time = Duration.toMillis(yield* migrated(reference))
  const expected = yield* Effect.provide(shape, pool(reference))

  const drawn = Effect.gen(function* () {
    return { moment: (yield* Random.next) * time, isCrowd: yield* Random.nextBoolean }
  })
  const plans = yield* Random.withSeed(Effect.replicateEffect(drawn, options.kills), `migrations ${options.seed}`)

  const accepted = new Set<string>()
  const violations: Array<string> = []
  for (const [number, { isCrowd, moment }] of plans.entries()) {
    const url = yield* options.database(`killed_${number}`)
    const killed = Effect.gen(function* () {
      yield* Effect.forkScoped(start(url))
      yield* Effect.provide(until("a server at the database", isThere, Boolean), pool(url))
      yield* Effect.sleep(moment)
    })
    yield* Effect.scoped(killed)
    const after = Effect.gen(function* () {
      const [server] = yield* Effect.all([start(url), ...(isCrowd ? [start(url)] : [])], { concurrency: "unbounded" })
      const found = yield* Effect.provide(shape, pool(url))
      if (found !== expected) violations.push(`Killed after ${Math.round(moment)} ms, its tables are others`)
      const senders = yield* Effect.provide(Seed.senders(1), Seed.core(pool(url)))
      const requests = yield* Load.plan(senders, mails, `${options.seed}-${number}`)
      yield* Load.acceptAll(() => server.url, requests, accepted)
      yield* until("the mails", Effect.sync(sink.accepted), (count) => count >= accepted.size)
    })
    yield* Effect.scoped(after)
  }

  yield* Effect.provide(
    SqlClient.SqlClient.use((sql) =>
      Effect.orDie(sql`insert into migrations (migration_id, name) values (9999, 'of_tomorrow')`)
    ),
    pool(reference)
  )
  const older = yield* Effect.exit(Effect.scoped(start(reference)))
  const isRefused = Exit.isFailure(older) && Cause.pretty(older.cause).includes("Start a newer version.")
  if (!isRefused) violations.push("A program older than its database was not refused")

  const ids = sink.mails.map(({ messageId }) => messageId.slice(0, messageId.indexOf("@")))
  const lost = [...accepted].filter((id) => !ids.includes(id)).length
  return {
    ...{ accepted: accepted.size, delivered: accepted.size - lost, lost, extra: ids.length - new Set(ids).size },
    ...{ bound: 0, ambiguous: 0, resting: 0 },
    violations: lost === 0 ? violations : [...violations, `${lost} mails were lost`]
  } satisfies Verdict
})
