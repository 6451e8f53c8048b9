import { randomUUID } from "node:crypto"
import { DeliveryQueue } from "@posthorn/core/mail/sending/DeliveryQueue"
import * as Shaping from "@posthorn/core/mail/shaping/Shaping"
import * as ShapingSql from "@posthorn/core/mail/shaping/ShapingSql"
import { installation } from "@posthorn/core/mail/shaping/ShapingState"
import { Mailer } from "@posthorn/core/platform/Mailer"
import { DateTime, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { BenchFailure } from "../BenchFailure.ts"
import * as Postgres from "../Postgres.ts"
import type { Row, Run } from "../Row.ts"
import * as Seed from "../Seed.ts"
import { latencyOf } from "../Statistics.ts"

const workers = 4
const rounds = 10
/** The pause of a worker between two claims of an empty queue. */
const poll = Duration.millis(500)
const longest = 10_000

export const row: Row = {
  id: "D1",
  title: "a provider that asks for less mail, PostgreSQL",
  needsPostgres: true,
  conditions: [
    `from the moment at which the signal is stored until all of ${workers} workers keep the new rate`,
    `each worker claims twice a second; ${rounds} signals`
  ],
  cases: Effect.gen(function* () {
    const services = yield* Layer.build(Seed.core(Postgres.layer(yield* Postgres.freshDatabase)))

    const slowdown: Run = () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const queue = yield* DeliveryQueue
        const ids = Array.from({ length: workers }, () => randomUUID() as string)
        for (const id of ids) yield* queue.heartbeat(id, Duration.minutes(10))
        const all = yield* Effect.forEach(ids, (id) => Effect.map(Shaping.make(id), (shaping) => ({ id, shaping })))
        const times: Array<number> = []
        for (let round = 0; round < rounds; round++) {
          yield* Effect.orDie(sql`truncate shaping`)
          for (const { shaping } of all) yield* shaping.rooms(true)
          yield* Effect.sleep("2100 millis")
          for (const { shaping } of all) yield* shaping.rooms(true)
          const now = yield* DateTime.now
          yield* Effect.orDie(
            ShapingSql.raise(
              sql,
              {
                of: { key: "GMAIL", transport: "smtp1", project: installation },
                signal: { kind: "slow" },
                queue: 1,
                reason: { code: 421, enhancedCode: "4.7.28", reply: "421 4.7.28", at: DateTime.formatIso(now) },
                refused: installation,
                worker: ids[0] ?? "",
                traffic: { sentLastMinute: 600, inUse: 8 },
                maxConnections: null
              },
              DateTime.toEpochMillis(now)
            )
          )
          const begun = performance.now()
          const waits = yield* Effect.forEach(
            all,
            ({ id, shaping }) =>
              Effect.gen(function* () {
                for (;;) {
                  let isSlowed = false
                  yield* queue.claim(id, 1, yield* DateTime.now, (isShaped) =>
                    Effect.map(shaping.rooms(isShaped), (rooms) => {
                      isSlowed = rooms.some(({ queue }) => queue === 1)
                      return rooms
                    })
                  )
                  const passed = performance.now() - begun
                  if (isSlowed) return passed
                  if (passed > longest) return yield* new BenchFailure({ message: "a worker kept its rate" })
                  yield* Effect.sleep(poll)
                }
              }),
            { concurrency: "unbounded" }
          )
          times.push(Math.max(...waits))
        }
        const latency = latencyOf(times)
        return { value: latency.p99, latency }
      }).pipe(
        Effect.scoped,
        Effect.provideContext(services),
        Effect.provideService(Mailer, {
          send: () => Effect.die("nothing is sent"),
          concurrency: 1,
          state: Effect.succeed("ok" as const)
        })
      )

    return [
      { name: "all workers at the new rate", unit: "ms", target: "p99 <= 3,000", posthorn: slowdown, baselines: {} }
    ]
  })
}
