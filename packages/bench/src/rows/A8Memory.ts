import { Array, Effect, Schema } from "effect"
import { Bench } from "../Bench.ts"
import { BenchFailure } from "../BenchFailure.ts"
import * as Segments from "../load/Segments.ts"
import { rssMegabytes } from "../machine/ProcessTimes.ts"
import * as Postgres from "../Postgres.ts"
import * as Api from "../processes/Api.ts"
import * as Server from "../processes/Server.ts"
import type { Case, Row, Run } from "../Row.ts"
import * as Seed from "../Seed.ts"

/** A million in a run of full length. */
const contactsPerItem = 200
/** The maximum of one file. */
const rowsPerFile = 100_000
/** Work done once before memory is measured, so that code and connections do not count. */
const rehearsal = 1_000

const lookMillis = 50
/** The setting that `OPERATIONS.md` recommends for small machines: it limits the memory for new objects. */
const smallYoung = "--max-semi-space-size=16"
const plans = ["free", "free", "free", "free", "pro", "pro", "team", "enterprise"]

const csv = (from: number, to: number) =>
  ["email,plan,seats", ...Array.range(from, to - 1).map((n) => `p${n}@example.com,${plans[n % 8]},${n % 50}`)].join(
    "\n"
  )

const attempt = <A>(what: string, run: () => Promise<A>) =>
  Effect.tryPromise({ try: run, catch: (cause) => new BenchFailure({ message: `${what}: ${String(cause)}` }) })

/** The peak memory of a process while an effect runs, sampled. */
const peakWhile = Effect.fnUntraced(function* <E, R>(pid: number, work: Effect.Effect<unknown, E, R>) {
  let peak = 0
  const look = Effect.map(rssMegabytes(pid), (rss) => {
    peak = Math.max(peak, rss ?? 0)
  })
  yield* Effect.raceFirst(work, Effect.forever(Effect.delay(look, lookMillis)))
  return peak
})

const Job = Schema.Struct({ state: Schema.String })

const imported = Effect.fnUntraced(function* (server: Server.Server, key: string, from: number, to: number) {
  const form = new FormData()
  form.append("file", new File([csv(from, to)], "people.csv", { type: "text/csv" }))
  const { jobId } = yield* attempt("import", async () => {
    const response = await fetch(`${server.url}/contacts/import`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}` },
      body: form
    })
    return (await response.json()) as { readonly jobId: string }
  })
  const job = Api.ask(server, key, { method: "GET", path: `/contacts/import/${jobId}`, status: 200 }, Job)
  const { state } = yield* Effect.repeat(Effect.delay(job, "100 millis"), {
    until: ({ state }) => state === "completed" || state === "failed"
  })
  if (state === "failed") return yield* new BenchFailure({ message: "an import failed" })
})

/** Lines of the whole export, read as a stream. */
const exported = (server: Server.Server, key: string) =>
  attempt("export", async () => {
    const response = await fetch(`${server.url}/contacts/export`, { headers: { authorization: `Bearer ${key}` } })
    let lines = 0
    for await (const piece of response.body ?? []) for (const byte of piece) if (byte === 10) lines++
    return lines
  })

const everything = Effect.fnUntraced(function* (server: Server.Server, key: string, contacts: number) {
  for (let from = 0; from < contacts; from += rowsPerFile) {
    yield* imported(server, key, from, Math.min(contacts, from + rowsPerFile))
  }
  const segment = yield* Segments.create(server, key, { name: "Team", tracked: true, ...Segments.onTeamPlan })
  const { total } = yield* Segments.compute(server, key, segment.id)
  const lines = yield* exported(server, key)
  if (total !== Math.floor((contacts + 1) / 8) || lines !== contacts + 1) {
    return yield* new BenchFailure({ message: `${total} members and ${lines} lines, of ${contacts} contacts` })
  }
})

export const row: Row = {
  id: "A8",
  title: "memory over import, compute and export, PostgreSQL",
  needsPostgres: true,
  conditions: [
    "1,000,000 contacts, 200,000 with --quick, in files of 100,000, one after the other; then the first compute of a tracked segment that one contact in eight joins, and the whole export as CSV; role all: API and worker in one process",
    `a new process for each run; growth from the memory after the same work with ${rehearsal} contacts of another project to the peak memory, checked every ${lookMillis} ms`
  ],
  cases: Effect.gen(function* () {
    const bench = yield* Bench
    const database = yield* Postgres.freshDatabase
    const unlimited = { POSTHORN_RATE_LIMIT_PER_MINUTE: "0" }

    const growth =
      (environment: Readonly<Record<string, string>>): Run =>
      ({ mails }) =>
        Effect.gen(function* () {
          const [first, second] = yield* Effect.provide(Seed.projects(2), Seed.core(Postgres.layer(database)))
          if (first === undefined || second === undefined) return yield* new BenchFailure({ message: "no projects" })
          const server = yield* Server.start({
            name: "A8 all",
            role: "all",
            database,
            environment: { ...unlimited, ...environment },
            smtp: "smtp://127.0.0.1:1"
          })
          yield* everything(server, first.key, rehearsal)
          const before = (yield* rssMegabytes(server.pid)) ?? Number.NaN
          const begun = performance.now()
          const peak = yield* peakWhile(server.pid, everything(server, second.key, mails * contactsPerItem))
          return {
            value: peak - before,
            rssMegabytes: peak,
            more: { contacts: mails * contactsPerItem, seconds: (performance.now() - begun) / 1_000 }
          }
        }).pipe(Effect.provideService(Bench, bench))

    const grows = (name: string, posthorn: Run): Case => ({
      ...{ name, unit: "MB", target: "<= 150 MB" },
      posthorn,
      baselines: {}
    })
    return [grows("RSS growth", growth({})), grows(`RSS growth, ${smallYoung}`, growth({ NODE_OPTIONS: smallYoung }))]
  })
}
