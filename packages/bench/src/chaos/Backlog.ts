/**
 * New emails are sent as fast behind a backlog of sent and scheduled emails: the claim reads only what it takes (fault
 * matrix F24).
 */
import { Effect, Random } from "effect"
import { SqlClient } from "effect/sql"
import { filling } from "../seed/Audience.ts"
import { Installation } from "./Installation.ts"
import * as Load from "./Load.ts"
import { promising, verdict } from "./Verdict.ts"
import { until } from "./Waiting.ts"

export interface Options {
  /** Seeds all random choices. */
  readonly seed: string
  readonly mails: number
  readonly workers: number
  /** Emails in the backlog. */
  readonly backlog: number
}

const address = "backlog@example.com"
const perStep = 250_000
/** An idle session has reported its reads by then (PostgreSQL: after ten seconds). */
const told = "12 seconds"
/**
 * How much more an email may cost behind all of the backlog than behind a tenth: an index may have grown by a level.
 */
const growth = 1.5

/** Over thirty days: nine in ten were sent. Of the rest, every second one is bulk email that is due in a month. */
const fill = Effect.fnUntraced(function* (project: string, first: number, count: number) {
  const sql = yield* SqlClient.SqlClient
  const step = (from: number) => sql`
    insert into emails (id, project_id, to_email, from_email, type, source_type, tracking, status, lane, due_at,
                        ladder_since, created_at, updated_at)
    select gen_random_uuid(), ${project}::uuid, ${address}, 'hi@example.com', 'MARKETING', 'TRANSACTIONAL', false,
           case when n % 10 = 0 then 'PENDING' else 'SENT' end, n / 10 % 2, now() + interval '30 days', at, at, at
    from generate_series(${from}::int, ${Math.min(from + perStep, first + count) - 1}::int) as n,
         lateral (select now() - interval '30 days' * (n - ${first}::int) / ${count}::int) as sent(at)`
  for (let from = first; from < first + count; from += perStep) yield* step(from)
})

/**
 * Pages of the table and its indexes that were read so far, from memory or disk. Sessions report when they are idle.
 */
const pagesRead = SqlClient.SqlClient.use((sql) =>
  Effect.map(
    Effect.orDie(sql<{ readonly pages: number }>`
      select (heap_blks_read + heap_blks_hit + idx_blks_read + idx_blks_hit)::float8 as pages
      from pg_statio_user_tables where relname = 'emails'`),
    ([row]) => Number(row?.pages)
  )
)

/** Returns the pages that an email cost behind a tenth of the backlog and behind all of it, and the verdict. */
export const wait = Effect.fn("Backlog.wait")(function* ({ backlog, mails, seed, workers }: Options) {
  const { api, senders, startWorker } = yield* Installation
  const sql = yield* SqlClient.SqlClient
  // The backlog is in separate projects, so that its state is known.
  const [one, other, ...callers] = senders
  if (other === undefined) return yield* Effect.die(new Error("The backlog takes three projects"))
  const accepted = new Set<string>()
  yield* Effect.replicateEffect(startWorker(), workers)

  /** Pages for each of these emails, from its request to its end. */
  const cost = Effect.fnUntraced(function* (name: string) {
    const requests = yield* Random.withSeed(Load.plan(callers, mails, `${name}-${seed}`), `${name} ${seed}`)
    const before = yield* pagesRead
    yield* Load.acceptAll(() => api.url, requests, accepted)
    const mine = sql`select 1 from emails where status in ('PENDING', 'SENDING') and to_email <> ${address}`
    yield* until("the end of all mails", Effect.orDie(mine), (rows) => rows.length === 0)
    yield* Effect.sleep(told)
    return ((yield* pagesRead) - before) / mails
  })

  const grown = Effect.fnUntraced(function* (project: string, first: number, count: number) {
    yield* Effect.orDie(filling("emails", project, fill(project, first, count)))
    yield* Effect.orDie(sql`vacuum (analyze) emails`.unprepared)
    yield* Effect.sleep(told)
  })

  const tenth = Math.ceil(backlog / 10)
  yield* grown(one.id, 0, tenth)
  const short = yield* cost("short")
  yield* grown(other.id, tenth, backlog - tenth)
  const long = yield* cost("long")
  // The scheduled backlog does not belong to the accepted emails.
  yield* Effect.orDie(sql`delete from emails where to_email = ${address}`)
  const found = yield* verdict(accepted, 0)
  const sentence = `A mail cost ${Math.round(long)} pages behind the backlog, and ${Math.round(short)} behind a tenth of it`
  return promising({ ...found, short, long }, sentence, long <= growth * short)
})
