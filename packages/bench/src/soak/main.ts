/**
 * `npm run soak -- [--minutes 60] [--rate 20] [--keep]` sends emails at a steady rate through one process on
 * PostgreSQL, and samples and plots its memory and the rows. `--keep` writes figures and plot to `results/`.
 */
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { NodeRuntime } from "@effect/platform-node"
import { Clock, Console, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { BenchFailure } from "../BenchFailure.ts"
import * as PacedLoad from "../load/PacedLoad.ts"
import { rssMegabytes } from "../machine/ProcessTimes.ts"
import * as Postgres from "../Postgres.ts"
import * as Server from "../processes/Server.ts"
import * as Sink from "../processes/Sink.ts"
import type { Latency } from "../Row.ts"
import { write } from "../results/Documents.ts"
import { folder, keep, origin } from "../results/Kept.ts"
import { svg, timeAxis } from "../results/Plot.ts"
import { pacedSends } from "../rows/PacedSends.ts"
import * as Seed from "../Seed.ts"
import { postgresFor, unseeded } from "../Unseeded.ts"
import type { Sample, Soaked } from "./Soaked.ts"

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "60" },
    rate: { type: "string", default: "20" },
    keep: { type: "boolean", default: false }
  }
})
const minutes = Number(values.minutes)
const perSecond = Number(values.rate)

/** Each project stays below its limit of requests. */
const projects = Math.ceil(perSecond / 8)

/** Of the load. Between two slices, all emails have arrived. */
const sliceSeconds = Math.min(60, minutes * 6)

const Rows = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Record(Schema.String, Schema.Int)]))

const rows = SqlClient.SqlClient.use((sql) =>
  Effect.flatMap(
    sql`
      select (select count(*)::int from emails) as mails, (select count(*)::int from contacts) as contacts,
             (select count(*)::int from events) as events, (select count(*)::int from email_attempts) as tries,
             (select count(*)::int from emails where status in ('PENDING', 'SENDING')) as "mails that wait"`,
    Rows
  )
).pipe(
  Effect.map(([found]) => found),
  Effect.orDie
)

const worst = (slices: ReadonlyArray<Latency>): Latency =>
  slices.reduce((one, other) => (other.p99 > one.p99 ? other : one))
const middle = (slices: ReadonlyArray<Latency>): Latency | undefined =>
  slices.toSorted((one, other) => one.p99 - other.p99)[slices.length >> 1]

const soak = Effect.gen(function* () {
  const database = yield* Postgres.freshDatabase
  const senders = yield* Effect.provide(Seed.senders(projects), Seed.core(Postgres.layer(database)))
  const [first, ...others] = senders
  if (first === undefined) return yield* new BenchFailure({ message: "no sender was made" })
  const sink = yield* Sink.start
  const server = yield* Server.start({ name: "soaked", role: "all", database, smtp: sink.url })
  const load = yield* PacedLoad.start
  const begun = yield* Clock.currentTimeMillis
  const samples: Array<Sample> = []

  const sample = Effect.gen(function* () {
    const at = ((yield* Clock.currentTimeMillis) - begun) / 60_000
    samples.push({ minutes: at, rss: (yield* rssMegabytes(server.pid)) ?? 0, rows: yield* rows })
  }).pipe(Effect.provide(Postgres.layer(database)))

  yield* sample
  yield* Effect.forkScoped(Effect.forever(Effect.delay(sample, `${(minutes * 60) / 120} seconds`)))
  const there: Array<Latency> = []
  let accepted = 0
  while ((yield* Clock.currentTimeMillis) < begun + minutes * 60_000) {
    const pace = { url: server.url, senders: [first, ...others] as const, perSecond, seconds: sliceSeconds }
    const slice = yield* pacedSends(load, sink, pace)
    accepted += slice.count
    there.push(slice.there)
    yield* Console.error(`${accepted} mails, the slowest of a hundred after ${Math.round(slice.there.p99)} ms`)
  }
  yield* sample
  const came = yield* sink.count
  const rss = samples.map(({ rss }) => rss)
  return {
    name: "soak",
    ...{ minutes: samples.at(-1)?.minutes ?? 0, perSecond, accepted, copies: came - accepted },
    there: { median: middle(there) ?? worst(there), worst: worst(there) },
    rss: { first: rss[Math.floor(rss.length / 10)] ?? 0, last: rss.at(-1) ?? 0, most: Math.max(...rss) },
    samples
  } satisfies Soaked
})

const plot = ({ minutes, perSecond, samples }: Soaked) => {
  const names = Object.keys(samples[0]?.rows ?? {})
  const line = (name: string) => samples.map(({ rows }) => rows[name] ?? 0)
  const waiting = "mails that wait"
  const axis = timeAxis(
    samples.map(({ minutes }) => minutes),
    "min"
  )
  return svg([
    {
      title: `Memory of the process in MB, ${minutes.toFixed(0)} minutes at ${perSecond} mails a second`,
      axis,
      lines: { RSS: samples.map(({ rss }) => rss) }
    },
    {
      title: "Rows",
      axis,
      lines: Object.fromEntries(names.filter((name) => name !== waiting).map((name) => [name, line(name)]))
    },
    { title: "Mails that wait", axis, lines: { waiting: line(waiting) } }
  ])
}

const program = Effect.gen(function* () {
  const postgres = yield* postgresFor("soak")
  const from = yield* origin("soak", yield* Postgres.settings(postgres))
  const found = yield* unseeded("soak", postgres, soak)
  const { samples: _, ...told } = found
  yield* Console.log(JSON.stringify(told, null, 2))
  if (!values.keep) return
  yield* keep("soak", [{ ...found, origin: from }], ({ name }) => name)
  yield* Effect.promise(() => writeFile(join(folder, "soak.svg"), plot(found)))
  yield* write
})

NodeRuntime.runMain(Effect.scoped(program))
