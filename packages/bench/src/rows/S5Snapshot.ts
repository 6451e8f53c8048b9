import { randomUUID } from "node:crypto"
import { DeliveryQueue } from "@posthorn/core/mail/sending/DeliveryQueue"
import { Context, DateTime, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { BenchFailure } from "../BenchFailure.ts"
import * as Postgres from "../Postgres.ts"
import type { Case, Row, Run } from "../Row.ts"
import * as Seed from "../Seed.ts"
import { latencyOf } from "../Statistics.ts"

/** An hour at a hundred mails a second. */
const sentPerMail = 72
const batch = 50
const rounds = 200

type Kind = "campaign" | "single"

export const row: Row = {
  id: "S5",
  title: "the claim beside a snapshot that is held, as by a long backup, PostgreSQL",
  needsPostgres: true,
  conditions: [
    "360,000 mails that left while the snapshot was held, 72,000 with --quick, and a tenth of that number that waits; no worker",
    "a vacuum after they left, which removes nothing that the snapshot can see",
    `the claim of ${batch} due mails, which are released again; the 99th percentile of ${rounds}`,
    "baseline: the same without a snapshot"
  ],
  cases: Effect.gen(function* () {
    const stage = Effect.gen(function* () {
      const url = yield* Postgres.freshDatabase
      const services = yield* Layer.build(Seed.core(Postgres.layer(url)))
      const [sender] = yield* Effect.provideContext(Seed.senders(1), services)
      if (sender === undefined) return yield* new BenchFailure({ message: "no sender was created" })
      return { url, services, sender }
    })
    const [beside, without] = [yield* stage, yield* stage]

    const seeded = Effect.fnUntraced(function* ({ from, id }: Seed.Sender, kind: Kind, count: number) {
      const sql = yield* SqlClient.SqlClient
      yield* sql.unsafe("truncate emails, mailings cascade")
      const campaign = kind === "campaign" ? randomUUID() : null
      if (campaign !== null) {
        yield* sql`
          insert into mailings (project_id, campaign_id, is_open, subject, body, from_email, type, tracking, project_name,
                                language)
          values (${id}::uuid, ${campaign}::uuid, true, 'News', '<p>News</p>', ${from}, 'MARKETING', false, 'Example', 'en')`
      }
      yield* sql`
        insert into emails (id, project_id, to_email, from_email, type, source_type, campaign_id, tracking, status, lane,
                            due_at, ladder_since, created_at, updated_at)
        select gen_random_uuid(), ${id}::uuid, 'to' || n || '@example.com', ${from},
               ${campaign === null ? "TRANSACTIONAL" : "MARKETING"}, ${campaign === null ? "TRANSACTIONAL" : "CAMPAIGN"},
               ${campaign}::uuid, false, 'PENDING', ${campaign === null ? 0 : 2}::int,
               now() - interval '2 hours' + n * interval '10 milliseconds', now(), now(), now()
        from generate_series(1, ${count}::int) as n`
      yield* sql.unsafe("vacuum analyze emails")
    }, Effect.orDie)

    /** The oldest mails, as they would have left. */
    const sent = Effect.fnUntraced(function* (count: number) {
      const sql = yield* SqlClient.SqlClient
      yield* sql`
        update emails set status = 'SENT', sent_at = now()
        where (project_id, id) in (select project_id, id from emails order by due_at limit ${count}::int)`
      yield* sql.unsafe("vacuum analyze emails")
    }, Effect.orDie)

    const claims = Effect.gen(function* () {
      const queue = yield* DeliveryQueue
      const worker: string = randomUUID()
      yield* queue.heartbeat(worker, Duration.minutes(10))
      const times: Array<number> = []
      for (let round = 0; round < rounds; round++) {
        const now = yield* DateTime.now
        const begun = performance.now()
        const found = yield* queue.claim(worker, batch, now)
        times.push(performance.now() - begun)
        if (found.length !== batch) return yield* new BenchFailure({ message: `${found.length} mails were claimed` })
        yield* queue.release(worker)
      }
      const latency = latencyOf(times)
      return { value: latency.p99, latency }
    })

    /** Holds what the database shows now until the end of the scope. */
    const hold = Effect.fnUntraced(function* (url: string) {
      const sql = Context.get(yield* Layer.build(Postgres.layer(url)), SqlClient.SqlClient)
      const connection = yield* sql.reserve
      for (const statement of ["begin isolation level repeatable read", "select count(*) from mailings"]) {
        yield* connection.executeUnprepared(statement, [], undefined)
      }
    }, Effect.orDie)

    const claimed =
      ({ sender, services, url }: typeof beside, kind: Kind, holds: boolean): Run =>
      ({ mails }) =>
        Effect.gen(function* () {
          const left = mails * sentPerMail
          yield* seeded(sender, kind, left + Math.ceil(left / 10))
          if (holds) yield* hold(url)
          yield* sent(left)
          return yield* claims
        }).pipe(Effect.scoped, Effect.provideContext(services))

    return (["campaign", "single"] as const).map(
      (kind): Case => ({
        name: kind === "campaign" ? `claim of ${batch} mails of a campaign` : `claim of ${batch} single mails`,
        unit: "ms",
        target: "<= 2 x the claim without a snapshot",
        posthorn: claimed(beside, kind, true),
        baselines: { "without a snapshot": claimed(without, kind, false) }
      })
    )
  })
}
