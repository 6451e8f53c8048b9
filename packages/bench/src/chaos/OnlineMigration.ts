/**
 * A database of an earlier version with many mails and events is migrated while servers serve: to this version, and to a
 * later one with a backfill of both tables, which is killed again and again (fault matrix F41).
 */
import { PgClient } from "@effect/sql-pg"
import * as Migrations from "@posthorn/core/platform/migrations/index"
import { Effect, Exit, Fiber, Layer, Random, Redacted, Schema, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { latencyOf } from "../Statistics.ts"
import { filling } from "../seed/Audience.ts"
import * as Installation from "./Installation.ts"
import * as LaterVersion from "./LaterVersion.ts"
import * as Ledger from "./Ledger.ts"
import * as Load from "./Load.ts"
import { promisingAll, type Verdict, verdict } from "./Verdict.ts"
import { until } from "./Waiting.ts"

export interface Options {
  readonly seed: string
  /** Mails, and as many events. */
  readonly rows: number
  readonly kills: number
  /** The largest allowed 99th percentile of requests beside the migration, in milliseconds. */
  readonly most: number
  /** Creates an empty database, and returns its URL. */
  readonly database: (name: string) => Effect.Effect<string>
}

const preload = new URL("./AsLaterVersion.ts", import.meta.url).href
/** The database is that of the version without this migration, and without all later ones. */
const firstMissing = "0220_campaigns_unexpanded"
const address = "kept@earlier.example"
const project = "019a0000-0000-7000-8000-00000000000e"
const perStep = 250_000

const fill = Effect.fnUntraced(function* (rows: number) {
  const sql = yield* SqlClient.SqlClient
  const steps = Array.from({ length: Math.ceil(rows / perStep) }, (_, n) => ({
    from: n * perStep,
    to: Math.min(rows, (n + 1) * perStep) - 1
  }))
  yield* sql`
    insert into projects (id, name, public_key, secret_key_hash, secret_hint, created_at, updated_at)
    values (${project}, 'Earlier', 'pk', 'hash', 'aaaa', now(), now())`
  const emails = Effect.forEach(
    steps,
    ({ from, to }) => sql`
      insert into emails (id, project_id, to_email, from_email, type, source_type, tracking, status, lane, due_at,
                          ladder_since, created_at, updated_at)
      select gen_random_uuid(), ${project}::uuid, ${address}, 'hi@example.com', 'MARKETING', 'TRANSACTIONAL', false,
             'SENT', 1, at, at, at, at
      from generate_series(${from}::int, ${to}::int) as n,
           lateral (select now() - interval '30 days' * n / ${rows}::int) as sent(at)`
  )
  const events = Effect.forEach(
    steps,
    ({ from, to }) => sql`
      insert into events (id, project_id, name, source, data, created_at, dispatched_at)
      select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(md5(n::text), 1, 19))::uuid,
             ${project}::uuid, 'order.placed', 'tracked', '{"total": 12}', at, at
      from generate_series(${from}::int, ${to}::int) as n,
           lateral (select now() - interval '30 days' * n / ${rows}::int) as happened(at)`
  )
  yield* filling("emails", project, emails)
  yield* filling("events", project, events)
  yield* sql`vacuum (analyze) emails`.unprepared
  yield* sql`vacuum (analyze) events`.unprepared
}, Effect.orDie)

const pool = (url: string) =>
  Layer.orDie(
    PgClient.layer({ url: Redacted.make(url), maxConnections: 4, startupParameters: { search_path: "posthorn" } })
  )

const seconds = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const from = performance.now()
    yield* effect
    return Math.round((performance.now() - from) / 100) / 10
  })

/** The database of the earlier version. Returns how long its migration to this version took. */
const earlier = Effect.fnUntraced(function* (rows: number) {
  const old = Object.entries(Migrations.migrations).filter(([name]) => name < firstMissing)
  yield* Migrations.migrateTo(Object.fromEntries(old))
  yield* fill(rows)
  return yield* seconds(Migrations.migrate)
}, Effect.orDie)

/** A dead worker does not keep the claim of the job. */
const endClaim = SqlClient.SqlClient.use((sql) =>
  Effect.orDie(sql`update periodic_jobs set lease_until = clock_timestamp() where name = 'migrations'`)
)

const workers = SqlClient.SqlClient.use((sql) =>
  Effect.map(Effect.orDie(sql<{ readonly id: string }>`select id from workers`), (rows) => rows.map(({ id }) => id))
)

const creating = SqlClient.SqlClient.use((sql) =>
  Effect.orDie(
    sql<{ readonly pid: number }>`
      select pid from pg_stat_activity
      where datname = current_database() and query like '% index concurrently%' and pid <> pg_backend_pid() and state = 'active'`
  )
)

const later = { ...Migrations.migrations, [LaterVersion.name]: LaterVersion.migration }
const unfinished = Effect.map(Migrations.statusIn(later), (found) => found.unfinished)
const rowsDone = Effect.map(unfinished, (steps) => steps.reduce((sum, step) => sum + step.rowsDone, 0))

const Wrong = Schema.decodeUnknownEffect(
  Schema.Tuple([
    Schema.Struct({
      mails: Schema.Int,
      events: Schema.Int,
      twice: Schema.Int,
      kept: Schema.Int,
      index: Schema.Boolean,
      constraint: Schema.Boolean
    })
  ])
)

/** What is not as an undisturbed migration leaves it. */
const wrong = SqlClient.SqlClient.use((sql) =>
  Effect.orDie(
    Effect.flatMap(
      sql`
        select (select count(*) from emails where recipient_domain is distinct from split_part(to_email, '@', 2))::int as mails,
               (select count(*) from events where day is distinct from (created_at at time zone 'UTC')::date)::int as events,
               (select count(*) from emails where seen > 1 or seen is null and to_email = ${address})::int
                 + (select count(*) from events where seen > 1 or seen is null and project_id = ${project})::int as twice,
               (select count(*) from emails where to_email = ${address})::int
                 + (select count(*) from events where project_id = ${project})::int as kept,
               (select indisvalid from pg_index where indexrelid = to_regclass('emails_recipient_domain')) as index,
               (select convalidated from pg_constraint where conname = 'emails_recipient_domain') as constraint`,
      Wrong
    )
  )
)

const serve = Effect.fnUntraced(function* (
  { kills, most, rows, seed }: Options,
  expanded: number
): Effect.fn.Return<Verdict, never, Installation.Installation | Scope.Scope | SqlClient.SqlClient> {
  const { api, senders, sink, startWorker } = yield* Installation.Installation
  const sql = yield* SqlClient.SqlClient
  sink.misbehave(({ stage }) => (stage === "dot" ? { delay: 20 } : undefined))
  const accepted = new Set<string>()
  let bound = 0

  /** Each is sent 100 ms after the answer to the one before, so that no project comes to its rate limit. */
  const answers: Array<{ readonly took: number; readonly status: number }> = []
  let number = 0
  const request = Effect.gen(function* () {
    const from = performance.now()
    const email = `asked-${number++}@example.com`
    const sender = senders[number % 4 < 2 ? 0 : 1] ?? senders[0]
    const { status } = yield* number % 2 === 0
      ? Load.track(api.url, sender, email)
      : Load.ask("GET", `${api.url}/emails?limit=20`, { key: sender.key })
    answers.push({ took: performance.now() - from, status })
    yield* Effect.sleep("100 millis")
  })

  const life = Effect.fnUntraced(function* (
    failAt: "after_backfill_commit" | "before_backfill_commit" | undefined,
    death: (worker: Installation.Worker) => Effect.Effect<unknown, never, SqlClient.SqlClient>
  ) {
    const scope = yield* Scope.make()
    const starting = Scope.provide(startWorker(failAt === undefined ? {} : { failAt }), scope)
    // One that dies in a batch may do so before it is ready.
    const started = yield* Effect.exit(starting)
    if (Exit.isSuccess(started)) {
      yield* death(started.value)
      started.value.signal("SIGKILL")
      yield* started.value.ended
    }
    // No other worker lives.
    for (const id of yield* workers) {
      bound += yield* Ledger.inFlight(id)
      yield* Ledger.endLease(id)
    }
    yield* endClaim
    yield* Scope.close(scope, Exit.void)
  })

  /** While a transaction is open that an index has to wait for. */
  const besideWriter = <A, R>(effect: Effect.Effect<A, never, R>) =>
    Effect.orDie(
      sql.withTransaction(
        Effect.andThen(
          sql`update emails set updated_at = updated_at where (project_id, id) in (
                select project_id, id from emails where to_email = ${address} limit 1)`,
          Effect.flatMap(Effect.forkChild(Effect.provide(effect, pool(databaseUrl))), Fiber.join)
        )
      )
    )
  const { databaseUrl } = yield* Installation.Installation

  const moments = yield* Random.withSeed(
    Effect.replicateEffect(Random.nextIntBetween(50, 500), kills),
    `migrate ${seed}`
  )
  let killed = 0
  const migrating = Effect.gen(function* () {
    for (const isSessionEnded of [true, false].slice(0, kills)) {
      yield* besideWriter(
        Effect.gen(function* () {
          yield* life(undefined, () =>
            Effect.gen(function* () {
              const [session] = yield* until("the creation of the index", creating, (rows) => rows.length > 0)
              if (isSessionEnded) {
                yield* SqlClient.SqlClient.use((own) =>
                  Effect.orDie(own`select pg_terminate_backend(${session?.pid ?? 0})`)
                )
              }
            })
          )
        })
      )
      killed++
    }
    for (const milliseconds of moments.slice(2)) {
      if ((yield* unfinished).length === 0) break
      const failAt = (
        ["before_backfill_commit", "after_backfill_commit", "before_backfill_commit", undefined] as const
      )[killed % 4]
      yield* life(failAt, ({ ended }) =>
        Effect.raceFirst(ended, Effect.sleep(failAt === undefined ? milliseconds : "30 seconds"))
      )
      killed++
    }
    yield* startWorker()
    const left = Effect.map(Effect.all([rowsDone, unfinished]), ([done, steps]) =>
      steps.length === 0 ? 0 : 2 * rows + 1 - done
    )
    yield* until("the end of the migration", left, (count) => count === 0)
  })

  const asking = yield* Effect.forkChild(Effect.forever(request))
  yield* Effect.sleep("5 seconds")
  const alone = latencyOf(answers.splice(0).map(({ took }) => took))
  const time = yield* seconds(
    Load.during(
      { url: () => api.url, senders, seed, mails: 100, part: 10, accepted },
      migrating,
      Effect.sleep("200 millis")
    )
  )
  yield* Fiber.interrupt(asking)
  const beside = latencyOf(answers.map(({ took }) => took))
  yield* until("the end of all mails", Ledger.unfinished, (count) => count === 0)

  const [found] = yield* wrong
  const strange = answers.filter(({ status }) => status < 200 || status > 299)
  yield* Effect.orDie(sql`delete from emails where to_email = ${address}`)
  const figures = {
    "rows migrated": 2 * rows,
    kills: killed,
    "migration to this version, s": expanded,
    "background with kills, s": time,
    "requests beside it": answers.length,
    "p99 alone, ms": Math.round(alone.p99),
    "p50 beside it, ms": Math.round(beside.p50),
    "p99 beside it, ms": Math.round(beside.p99)
  }
  return promisingAll({ ...(yield* verdict(accepted, bound)), figures }, [
    [`${found.mails} mails and ${found.events} events were not migrated`, found.mails + found.events === 0],
    [`${found.twice} rows were not changed exactly once`, found.twice === 0],
    [`${found.kept} of ${2 * rows} rows are there`, found.kept === 2 * rows],
    ["The index is not valid", found.index],
    ["The constraint is not validated", found.constraint],
    [`${killed} of ${kills} kills were before the end`, 2 * killed >= kills],
    [`${strange.length} requests were answered ${strange[0]?.status}`, strange.length === 0],
    [`The 99th percentile was ${beside.p99} ms`, beside.p99 <= most]
  ])
})

/** Returns the verdict: every row was migrated once, no mail was lost, and requests were answered. */
export const kills = Effect.fn("OnlineMigration.kills")(function* (options: Options) {
  const databaseUrl = yield* options.database("earlier")
  const expanded = yield* Effect.provide(earlier(options.rows), pool(databaseUrl))
  return yield* serve(options, expanded).pipe(Effect.provide(Installation.layer({ databaseUrl, projects: 2, preload })))
})
