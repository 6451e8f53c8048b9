import { Effect, Layer } from "effect"
import * as NodemailerPool from "../baselines/NodemailerPool.ts"
import { memoryOf, withCpuOf } from "../machine/ProcessTimes.ts"
import * as Postgres from "../Postgres.ts"
import * as Server from "../processes/Server.ts"
import * as Sink from "../processes/Sink.ts"
import type { Row, Run } from "../Row.ts"
import * as Seed from "../Seed.ts"
import { accept, rateOf, requireOnce, setDisabled, settled } from "./Draining.ts"

const projects = 4

const patienceSeconds = 600

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
        yield* requireOnce(result)
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
