import { DateTime, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { BenchFailure } from "../BenchFailure.ts"
import * as RawStatements from "../baselines/RawStatements.ts"
import * as HttpLoad from "../load/HttpLoad.ts"
import { memoryOf, withCpuOf } from "../machine/ProcessTimes.ts"
import * as Postgres from "../Postgres.ts"
import * as Server from "../processes/Server.ts"
import * as Sink from "../processes/Sink.ts"
import type { Row, Run } from "../Row.ts"
import * as Seed from "../Seed.ts"
import { accept, rateOf, requireOnce, setDisabled, settled } from "./Draining.ts"
import { latency, statements } from "./Loads.ts"

const projects = 4

const patienceSeconds = 600

/** Longer than it takes to accept the mails of a run. */
const far = Duration.days(1)

export const row: Row = {
  id: "F9",
  title: "scheduled mail",
  needsPostgres: true,
  conditions: [
    `${projects} projects; all mails of a run are due at one instant; otherwise as F4`,
    "baseline: the same mails, accepted for now while their projects were disabled, as in F4",
    "the list: first page of 100 of the mails that wait in one project, by their time; role api, one connection"
  ],
  cases: Effect.gen(function* () {
    const database = yield* Postgres.freshDatabase
    const services = yield* Layer.build(Seed.core(Postgres.layer(database)))
    const senders = yield* Effect.provideContext(Seed.senders(projects), services)
    const sink = yield* Sink.start
    const worker = yield* Server.start({ name: "F9 worker", role: "worker", database, smtp: sink.url })
    const environment = { POSTHORN_RATE_LIMIT_PER_MINUTE: "0" }
    const server = yield* Server.start({ name: "F9 api", role: "api", database, environment })
    const load = yield* HttpLoad.start
    const raw = yield* RawStatements.start(database)

    const drained = <R, S>(
      mails: number,
      prepare: Effect.Effect<void, never, R>,
      release: Effect.Effect<unknown, never, S>
    ) =>
      Effect.gen(function* () {
        yield* prepare
        const before = yield* sink.count
        const { result, cpuMillis } = yield* withCpuOf(
          worker.pid,
          Effect.gen(function* () {
            yield* release
            const arrivals = yield* sink.arrivals(before, mails, patienceSeconds)
            yield* settled
            return arrivals
          })
        )
        yield* requireOnce(result)
        return {
          value: rateOf(result),
          cpuMillisPerItem: cpuMillis === undefined ? undefined : cpuMillis / mails,
          ...(yield* memoryOf(worker.pid))
        }
      })

    /** Every scheduled mail of the database is due now. */
    const dueNow = SqlClient.SqlClient.use((sql) =>
      Effect.orDie(sql`
        update emails set scheduled_for = now(), due_at = now(), ladder_since = now() where status = 'SCHEDULED'`)
    )

    const scheduled: Run = ({ mails }) =>
      Effect.gen(function* () {
        const later = DateTime.addDuration(yield* DateTime.now, far)
        return yield* drained(mails, accept(senders, mails, later), dueNow)
      }).pipe(Effect.provideContext(services))

    const atOnce: Run = ({ mails }) =>
      drained(
        mails,
        Effect.andThen(setDisabled(senders, true), accept(senders, mails)),
        setDisabled(senders, false)
      ).pipe(Effect.provideContext(services))

    const [sender] = senders
    if (sender === undefined) return yield* new BenchFailure({ message: "no sender was made" })

    /** Waiting mail for the list, which each run replaces. */
    const whileWaiting =
      (run: Run): Run =>
      (effort) =>
        Effect.gen(function* () {
          const later = DateTime.addDuration(yield* DateTime.now, far)
          yield* accept(senders, effort.mails, later)
          const sample = yield* run(effort)
          const sql = yield* SqlClient.SqlClient
          yield* Effect.orDie(sql`delete from emails where status = 'SCHEDULED'`)
          return sample
        }).pipe(Effect.provideContext(services))

    return [
      {
        name: "drained",
        unit: "mails/s",
        target: ">= 0.95",
        posthorn: scheduled,
        baselines: { "the same mails for now (F4)": atOnce }
      },
      {
        name: "list of what waits",
        unit: "ms",
        target: "<= 15 ms",
        posthorn: whileWaiting(
          latency(server, load, {
            url: server.url,
            method: "GET",
            path: "/emails?status=SCHEDULED&sort=scheduledFor&limit=100",
            status: 200,
            projects: [{ key: sender.key }]
          })
        ),
        baselines: {
          "raw keyset": whileWaiting(
            statements(raw, [
              `select * from emails where project_id = '${sender.id}' and status = 'SCHEDULED'
               order by scheduled_for, id limit 101`
            ])
          )
        }
      }
    ]
  })
}
