import { ProjectId } from "@posthorn/contract/Auth"
import { TemplateId } from "@posthorn/contract/templates/Template"
import { ProjectStore } from "@posthorn/core/projects/ProjectStore"
import { Sending } from "@posthorn/core/sending/Sending"
import { Array, DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { BenchFailure } from "../BenchFailure.ts"
import * as NodemailerPool from "../baselines/NodemailerPool.ts"
import { memoryOf, withCpuOf } from "../machine/ProcessTimes.ts"
import * as Postgres from "../Postgres.ts"
import * as Server from "../processes/Server.ts"
import * as Sink from "../processes/Sink.ts"
import type { Row, Run } from "../Row.ts"
import * as Seed from "../Seed.ts"

const projects = 4

/** Mails of one request, each with a text of its own. */
const batch = 500

const patienceSeconds = 600

/** From the first 250 to the last one. */
const rateOf = (arrivals: ReadonlyArray<Sink.Arrival>) => {
  const times = arrivals.map(({ at }) => at)
  return ((arrivals.length - 1) * 1000) / (Math.max(...times) - Math.min(...times))
}

const isOnce = (arrivals: ReadonlyArray<Sink.Arrival>) =>
  new Set(arrivals.map(({ messageId }) => messageId)).size === arrivals.length

/** Mails of disabled projects wait, so that they can be accepted in peace, and all be due at one moment. */
const setDisabled = Effect.fnUntraced(function* (senders: ReadonlyArray<Seed.Sender>, isDisabled: boolean) {
  const store = yield* ProjectStore
  const now = yield* DateTime.now
  for (const { id } of senders) yield* store.disable(ProjectId.make(id), isDisabled ? "MANUAL" : null, now)
})

let accepted = 0

const accept = Effect.fnUntraced(function* (senders: ReadonlyArray<Seed.Sender>, mails: number) {
  const sending = yield* Sending
  for (const [turn, of] of Array.chunksOf(Array.range(1, mails), batch).entries()) {
    const sender = senders[turn % senders.length]
    if (sender === undefined) return
    const to = of.map(() => {
      const name = `Ada ${++accepted}`
      return { email: `reader-${accepted}@example.com`, name }
    })
    const template = TemplateId.make(sender.template)
    yield* Effect.orDie(sending.send(ProjectId.make(sender.id), { to, template, data: { plan: "pro" } }))
  }
})

/** Until nothing is under way: the last result is on record a moment after its mail. */
const settled = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const left = Effect.orDie(sql`select 1 from emails where status in ('PENDING', 'SENDING') limit 1`)
  while ((yield* left).length > 0) yield* Effect.sleep("20 millis")
  const states = yield* Effect.orDie(sql`select status from emails where status <> 'SENT' limit 1`)
  if (states.length > 0) return yield* new BenchFailure({ message: `a mail ended as ${states[0]?.["status"]}` })
})

export const row: Row = {
  id: "F4",
  title: "delivery of accepted mail by one worker",
  needsPostgres: true,
  conditions: [
    `${projects} projects; a pool of 20 connections on both sides; a sink on the same machine`,
    "from the first to the last 250, by the clock of the sink; each mail arrived once and is SENT on record",
    "signed with RSA-2048 and Ed25519, an HTML part of 3 kB and its text; tracked: link rewritten, pixel added",
    "baseline: nodemailer's pool, the same parts, signed with RSA-2048 alone, nothing on record"
  ],
  cases: Effect.gen(function* () {
    const database = yield* Postgres.freshDatabase
    const services = yield* Layer.build(Seed.core(Postgres.layer(database)))
    const senders = yield* Effect.provideContext(Seed.senders(projects), services)
    const sink = yield* Sink.start
    const worker = yield* Server.start({ name: "F4 worker", role: "worker", database, smtp: sink.url })
    const pool = yield* NodemailerPool.start

    const drain: Run = ({ mails }) =>
      Effect.gen(function* () {
        yield* setDisabled(senders, true)
        yield* accept(senders, mails)
        const before = yield* sink.count
        const { result, cpuMillis } = yield* withCpuOf(
          worker.pid,
          Effect.gen(function* () {
            yield* setDisabled(senders, false)
            const arrivals = yield* sink.arrivals(before, mails, patienceSeconds)
            yield* settled
            return arrivals
          })
        )
        if (!isOnce(result)) return yield* new BenchFailure({ message: "a mail arrived twice" })
        return {
          value: rateOf(result),
          cpuMillisPerItem: cpuMillis === undefined ? undefined : cpuMillis / mails,
          ...(yield* memoryOf(worker.pid))
        }
      }).pipe(Effect.provideContext(services))

    const handOver =
      (key: "PEM" | "KeyObject"): Run =>
      ({ mails }) =>
        Effect.gen(function* () {
          const before = yield* sink.count
          const asked = pool.ask({ port: sink.port, key, mails }, NodemailerPool.Answer)
          const { cpuMillis } = yield* withCpuOf(pool.pid, asked)
          const arrivals = yield* sink.arrivals(before, mails, patienceSeconds)
          return {
            value: rateOf(arrivals),
            cpuMillisPerItem: cpuMillis === undefined ? undefined : cpuMillis / mails,
            ...(yield* memoryOf(pool.pid))
          }
        })

    return [
      {
        name: "drained",
        unit: "mails/s",
        target: ">= 1.0",
        posthorn: drain,
        baselines: {
          "nodemailer, RSA key as KeyObject": handOver("KeyObject"),
          "nodemailer, RSA key as PEM": handOver("PEM")
        }
      }
    ]
  })
}
