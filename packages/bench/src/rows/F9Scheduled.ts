import { ProjectId } from "@posthorn/contract/platform/Auth"
import type { ProjectStore } from "@posthorn/core/accounts/projects/ProjectStore"
import { Sending } from "@posthorn/core/mail/sending/Sending"
import { Array, DateTime, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { BenchFailure } from "../BenchFailure.ts"
import * as RawStatements from "../baselines/RawStatements.ts"
import * as HttpLoad from "../load/HttpLoad.ts"
import * as PacedLoad from "../load/PacedLoad.ts"
import * as Postgres from "../Postgres.ts"
import * as Server from "../processes/Server.ts"
import * as Sink from "../processes/Sink.ts"
import type { Row, Run } from "../Row.ts"
import * as Seed from "../Seed.ts"
import { accept, drained, ofDisabled, patienceSeconds, type Waiting } from "./Draining.ts"
import { latency, statements } from "./Loads.ts"
import { pacedSends, untilThere } from "./PacedSends.ts"

const projects = 4

/** Longer than it takes to accept the mails of a run. */
const far = Duration.days(1)

/** Mails that are due in each second, for their lateness. */
const perSecond = 50

const later = (duration: Duration.Duration) => Effect.map(DateTime.now, DateTime.addDuration(duration))

export const row: Row = {
  id: "F9",
  title: "scheduled mail",
  needsPostgres: true,
  conditions: [
    `${projects} projects; all mails of a run are due at one instant (--sends sets the number); otherwise as F4`,
    "baseline: the same mails, accepted for now while their projects were disabled, as in F4",
    "list and PATCH while as many mails wait; one connection, role api, POSTHORN_RATE_LIMIT_PER_MINUTE=0 (a setting for this row)",
    "the list: first page of 100 of the mails that wait in one project, by their time",
    `lateness: ${perSecond} mails are due in each second; from that time to the moment before the 250; baseline: F5 at that rate`
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
    const paced = yield* PacedLoad.start
    const raw = yield* RawStatements.start(database)
    const [sender] = senders

    /** Every scheduled mail of the database is due now. */
    const scheduled = {
      prepare: (mails: number) => Effect.flatMap(later(far), (time) => accept(senders, mails, time)),
      release: SqlClient.SqlClient.use((sql) =>
        Effect.orDie(sql`
          update emails set scheduled_for = now(), due_at = now(), ladder_since = now() where status = 'SCHEDULED'`)
      )
    }

    /** Waiting mail for list and PATCH, which each run replaces. The run gets the ids of those of one project. */
    const whileWaiting =
      (run: (ids: Array.NonEmptyReadonlyArray<string>) => Run): Run =>
      (effort) =>
        Effect.gen(function* () {
          yield* scheduled.prepare(effort.mails)
          const sql = yield* SqlClient.SqlClient
          const rows = yield* Effect.orDie(sql`
            select id from emails where project_id = ${sender.id}::uuid and status = 'SCHEDULED' order by id`)
          const ids = rows.map(({ id }) => String(id))
          if (!Array.isArrayNonEmpty(ids)) return yield* new BenchFailure({ message: "no mail waits" })
          const sample = yield* run(ids)(effort)
          yield* Effect.orDie(sql`delete from emails where status = 'SCHEDULED'`)
          return sample
        }).pipe(Effect.provideContext(services))

    const to = (method: "GET" | "PATCH", path: string) => ({ url: server.url, method, path, status: 200 })

    /** Another time for each mail in turn. */
    const moved = (ids: Array.NonEmptyReadonlyArray<string>): Run =>
      Effect.fnUntraced(function* (effort) {
        const body = JSON.stringify({ scheduledFor: DateTime.formatIso(yield* later(Duration.days(2))) })
        const mails = Array.map(ids, (email) => ({ key: sender.key, email }))
        return yield* latency(server, load, { ...to("PATCH", "/emails/$email"), body, projects: mails })(effort)
      })

    /** Lateness of mails that are due one after another. */
    const late: Run = ({ seconds }) =>
      Effect.gen(function* () {
        const sending = yield* Sending
        const before = yield* sink.count
        const count = Math.round(perSecond * seconds)
        // Accepting all of them takes less than this.
        const begin = yield* later(Duration.seconds(5 + seconds))
        const due = yield* Effect.forEach(
          Array.range(0, count - 1),
          Effect.fnUntraced(function* (n) {
            const { from, id } = senders[n % senders.length] ?? sender
            const scheduledFor = DateTime.formatIso(DateTime.add(begin, { milliseconds: (n * 1000) / perSecond }))
            const mail = { to: `late-${n}@example.com`, from, subject: "Due", body: "<p>Due</p>", scheduledFor }
            const { emails } = yield* Effect.orDie(sending.send(ProjectId.make(id), mail))
            const messageId = `${emails[0]?.email}@${from.split("@")[1]}`
            return { messageId, startedAt: Date.parse(scheduledFor) }
          }),
          { concurrency: 4 }
        )
        const found = untilThere(due, yield* sink.arrivals(before, count, patienceSeconds))
        return { value: found.p99, latency: found }
      }).pipe(Effect.provideContext(services))

    const now: Run = ({ seconds }) =>
      Effect.map(pacedSends(paced, sink, { url: server.url, senders, perSecond, seconds }), ({ there }) => ({
        value: there.p99,
        latency: there
      }))

    const drain =
      (waiting: Waiting<SqlClient.SqlClient | ProjectStore | Sending>): Run =>
      ({ mails }) =>
        Effect.provideContext(drained(worker, sink, waiting, mails), services)

    return [
      {
        name: "drained",
        unit: "mails/s",
        target: ">= 0.95",
        posthorn: drain(scheduled),
        baselines: { "the same mails for now (F4)": drain(ofDisabled(senders)) }
      },
      {
        name: "list of waiting mail",
        unit: "ms",
        target: "<= 15 ms",
        posthorn: whileWaiting(() =>
          latency(server, load, {
            ...to("GET", "/emails?status=SCHEDULED&sort=scheduledFor&limit=100"),
            projects: [{ key: sender.key }]
          })
        ),
        baselines: {
          "raw keyset": whileWaiting(() =>
            statements(raw, [
              `select * from emails where project_id = '${sender.id}' and status = 'SCHEDULED'
               order by scheduled_for, id limit 101`
            ])
          )
        }
      },
      {
        name: "PATCH of waiting mail",
        unit: "ms",
        target: "<= 10 ms",
        posthorn: whileWaiting(moved),
        baselines: {
          "raw update": whileWaiting(([id]) =>
            statements(raw, [
              `update emails set scheduled_for = now() + interval '2 days', due_at = now() + interval '2 days',
                 ladder_since = now() + interval '2 days', updated_at = now()
               where project_id = '${sender.id}' and id = '${id}' and status = 'SCHEDULED'`
            ])
          )
        }
      },
      {
        name: "lateness, p99",
        unit: "ms",
        target: "<= 2,000 ms",
        posthorn: late,
        baselines: { "accepted for now (F5)": now }
      }
    ]
  })
}
