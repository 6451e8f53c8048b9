import { Effect } from "effect"
import { BenchFailure } from "../BenchFailure.ts"
import * as NodemailerPool from "../baselines/NodemailerPool.ts"
import { memoryOf, withCpuOf } from "../machine/ProcessTimes.ts"
import * as Sink from "../processes/Sink.ts"
import type { Row, Run } from "../Row.ts"
import * as Campaigning from "./Campaigning.ts"

const patienceSeconds = 600

export const row: Row = {
  id: "C1",
  title: "a campaign, from its send to the last 250",
  needsPostgres: true,
  conditions: [
    "one project, one worker, a pool of 20 connections on both sides; a sink on the same machine",
    "everything on: the audience is frozen, each contact looked at again, each mail rendered, signed and recorded",
    "baseline: nodemailer's pool from the first to the last 250, the same parts, signed with RSA-2048 alone"
  ],
  cases: Effect.gen(function* () {
    const { sender, services, sink, worker } = yield* Campaigning.stage("C1", Sink.start, 20)
    const pool = yield* NodemailerPool.start

    const campaign: Run = ({ mails }) =>
      Effect.gen(function* () {
        yield* Campaigning.clear()
        yield* Campaigning.audience(sender, mails)
        const id = yield* Campaigning.draft(sender)
        const before = yield* sink.count
        const begun = Date.now()
        const { result, cpuMillis } = yield* withCpuOf(
          worker.pid,
          Effect.gen(function* () {
            yield* Campaigning.begin(sender, id)
            const arrivals = yield* sink.arrivals(before, mails, patienceSeconds)
            yield* Campaigning.until(id, "status = 'SENT'")
            return arrivals
          })
        )
        if (new Set(result.map(({ messageId }) => messageId)).size !== mails) {
          return yield* new BenchFailure({ message: "a mail arrived twice" })
        }
        const times = result.map(({ at }) => at)
        return {
          value: (mails * 1000) / (Math.max(...times) - begun),
          cpuMillisPerItem: cpuMillis === undefined ? undefined : cpuMillis / mails,
          ...(yield* memoryOf(worker.pid)),
          more: { "first mail, ms": Math.min(...times) - begun }
        }
      }).pipe(Effect.provideContext(services))

    const handOver: Run = ({ mails }) =>
      Effect.gen(function* () {
        const before = yield* sink.count
        const asked = pool.ask({ port: sink.port, key: "KeyObject", mails }, NodemailerPool.Answer)
        const { cpuMillis } = yield* withCpuOf(pool.pid, asked)
        const times = (yield* sink.arrivals(before, mails, patienceSeconds)).map(({ at }) => at)
        return {
          value: ((mails - 1) * 1000) / (Math.max(...times) - Math.min(...times)),
          cpuMillisPerItem: cpuMillis === undefined ? undefined : cpuMillis / mails
        }
      })

    return [
      {
        name: "sent",
        unit: "mails/s",
        target: ">= 1.0; >= 600/s",
        posthorn: campaign,
        baselines: { "nodemailer, RSA key as KeyObject": handOver }
      }
    ]
  })
}
