import { randomUUID } from "node:crypto"
import { DeliveryQueue } from "@posthorn/core/mail/sending/DeliveryQueue"
import { DateTime, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { BenchFailure } from "../BenchFailure.ts"
import * as Postgres from "../Postgres.ts"
import type { Row, Run } from "../Row.ts"
import * as Seed from "../Seed.ts"
import { latencyOf } from "../Statistics.ts"

const perMail = 200
const batch = 50
const rounds = 200
/** The provider that is suspended, with half of the mail. */
const suspended = 1

export const row: Row = {
  id: "C10",
  title: "the claim of a campaign to ten mailbox providers, PostgreSQL",
  needsPostgres: true,
  conditions: [
    "1,000,000 mails of one campaign, 200,000 with --quick; no worker",
    `the claim of ${batch} of them, which are released again; the median of ${rounds}`,
    "half of the mail goes to one provider, the other half to nine; suspended: the provider of the first half takes no mail",
    "baseline: the same claim with all mail to one provider; suspended: with the mail of the nine alone"
  ],
  cases: Effect.gen(function* () {
    const stage = Effect.gen(function* () {
      const services = yield* Layer.build(Seed.core(Postgres.layer(yield* Postgres.freshDatabase)))
      const [sender] = yield* Effect.provideContext(Seed.senders(1), services)
      if (sender === undefined) return yield* new BenchFailure({ message: "no sender was created" })
      return { services, sender }
    })
    type Stage = Effect.Success<typeof stage>
    const [ten, one, nine] = [yield* stage, yield* stage, yield* stage]
    const seeded = new Map<Stage, number>()

    /** The queue of each mail, as SQL over its number `n`. */
    const prepared = Effect.fnUntraced(function* (of: Stage, count: number, queues: string, listed: string) {
      if (seeded.get(of) === count) return
      const sql = yield* SqlClient.SqlClient
      const campaign = randomUUID()
      yield* sql.unsafe("truncate emails, mailings cascade")
      yield* sql`
        insert into mailings (project_id, campaign_id, is_open, subject, body, from_email, type, tracking, project_name,
                              language, queues)
        values (${of.sender.id}::uuid, ${campaign}::uuid, true, 'News', '<p>News</p>', ${of.sender.from}, 'MARKETING',
                false, 'Example', 'en', ${listed}::smallint[])`
      yield* sql`
        insert into emails (id, project_id, to_email, from_email, type, source_type, campaign_id, tracking, status, lane,
                            due_at, ladder_since, created_at, updated_at, queue)
        select gen_random_uuid(), ${of.sender.id}::uuid, 'to' || n || '@example.com', ${of.sender.from}, 'MARKETING',
               'CAMPAIGN', ${campaign}::uuid, false, 'PENDING', 2, now() - interval '1 minute', now(), now(), now(),
               ${sql.literal(queues)}
        from generate_series(1, ${count}::int) as n`
      yield* sql.unsafe("vacuum analyze emails")
      seeded.set(of, count)
    }, Effect.orDie)

    const claimed =
      (of: Stage, queues: string, listed: string, share: number, isSuspended = false): Run =>
      ({ mails: count }) =>
        Effect.gen(function* () {
          yield* prepared(of, Math.ceil(count * perMail * share), queues, listed)
          const queue = yield* DeliveryQueue
          const worker: string = randomUUID()
          yield* queue.heartbeat(worker, Duration.minutes(10))
          const rooms = () => Effect.succeed(isSuspended ? [{ queue: suspended, room: 0 }] : [])
          const times: Array<number> = []
          for (let round = 0; round < rounds; round++) {
            const now = yield* DateTime.now
            const begun = performance.now()
            const found = yield* queue.claim(worker, batch, now, rooms)
            times.push(performance.now() - begun)
            if (found.length === 0 || (isSuspended && found.some(({ queue }) => queue === suspended)))
              return yield* new BenchFailure({
                message: `${found.length} mails were claimed, not all of them as wanted`
              })
            yield* queue.release(worker)
          }
          const latency = latencyOf(times)
          return { value: latency.p50, latency }
        }).pipe(Effect.provideContext(of.services))

    const halves = "case when n % 2 = 0 then 1 else 2 + n / 2 % 9 end"
    const ofTen = "{0,1,2,3,4,5,6,7,8,9,10}"
    return [
      {
        name: `claim of ${batch} mails to ten providers`,
        unit: "ms",
        target: "<= 1.05 x the claim of mails to one",
        posthorn: claimed(ten, halves, ofTen, 1),
        baselines: { "one provider": claimed(one, "1", "{0,1}", 1) }
      },
      {
        name: `claim of ${batch} mails beside a suspended provider`,
        unit: "ms",
        target: "<= 10, and 1.05 x the claim of the other nine alone",
        posthorn: claimed(ten, halves, ofTen, 1, true),
        baselines: { "the other nine alone": claimed(nine, "2 + n % 9", ofTen, 0.5) }
      }
    ]
  })
}
