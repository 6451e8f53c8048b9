import { randomUUID } from "node:crypto"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import type { ClaimedEmail } from "@posthorn/core/mail/sending/DeliveryQueue"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { BenchFailure } from "../BenchFailure.ts"
import * as WaitingMail from "../load/WaitingMail.ts"
import * as Postgres from "../Postgres.ts"
import type { Row, Run } from "../Row.ts"
import * as Seed from "../Seed.ts"

const heldPerMail = 200
const batch = 50
const rounds = 200

export const row: Row = {
  id: "C11",
  title: "the claim beside mail that a warm-up holds, PostgreSQL",
  needsPostgres: true,
  conditions: [
    "1,000,000 mails of one campaign, 200,000 with --quick, whose domain has used up its cap; no worker",
    `the claim of ${batch} due mails of another project, which are released again; the median of ${rounds}`,
    "baseline: the same claim in a database without a plan and without these mails",
    "mails over the cap when workers die: `npm run chaos -- --only warmup_kills`"
  ],
  cases: Effect.gen(function* () {
    const stage = Effect.gen(function* () {
      const services = yield* Layer.build(Seed.core(Postgres.layer(yield* Postgres.freshDatabase)))
      const [held, due] = yield* Effect.provideContext(Seed.senders(2), services)
      if (held === undefined || due === undefined)
        return yield* new BenchFailure({ message: "no senders were created" })
      return { services, held, due }
    })
    const [beside, without] = [yield* stage, yield* stage]
    let seeded = 0

    const mails = (sender: Seed.Sender, count: number, campaign: string | null = null) =>
      SqlClient.SqlClient.use((sql) => WaitingMail.store(sender, count, campaign, sql`now() - interval '1 minute'`))

    /** A campaign of which nothing may leave today. */
    const hold = Effect.fnUntraced(function* (sender: Seed.Sender, count: number) {
      const sql = yield* SqlClient.SqlClient
      const [campaign, plan] = [randomUUID(), randomUUID()]
      yield* sql`
        insert into mailings (project_id, campaign_id, is_open, subject, body, from_email, type, tracking, project_name,
                              language, held_until)
        values (${sender.id}::uuid, ${campaign}::uuid, true, 'News', '<p>News</p>', ${sender.from}, 'MARKETING', false,
                'Example', 'en', now() + interval '1 day')`
      yield* sql`
        insert into warmups (project_id, id, domain_id, domain, transport, preset, caps, starts_on, timezone,
          transactional, hold_at, pause_at, status, step, day, look_at, taken)
        select project_id, ${plan}::uuid, id, domain, '', 'CUSTOM', '{50}', '2026-01-01', 'UTC', 'EXEMPT',
               '{"bounceRate": 3, "complaintRate": 0.08, "deferralRate": 10}',
               '{"bounceRate": 8, "complaintRate": 0.2, "deferralRate": 30}', 'ACTIVE', 1,
               to_char(now() at time zone 'UTC', 'YYYY-MM-DD'), now() + interval '1 day', 50
        from domains where project_id = ${sender.id}::uuid limit 1`
      yield* sql`update projects set warms_up = true where id = ${sender.id}::uuid`
      yield* mails(sender, count, campaign)
    }, Effect.orDie)

    const prepared = Effect.fnUntraced(function* (count: number) {
      if (seeded === count) return
      const clear = SqlClient.SqlClient.use((sql) =>
        Effect.orDie(sql.unsafe("truncate emails, mailings, warmups cascade"))
      )
      const analyzed = SqlClient.SqlClient.use((sql) => Effect.orDie(sql.unsafe("vacuum analyze emails")))
      yield* Effect.provideContext(
        Effect.all([clear, hold(beside.held, count), mails(beside.due, 2 * batch), analyzed]),
        beside.services
      )
      yield* Effect.provideContext(Effect.all([clear, mails(without.due, 2 * batch), analyzed]), without.services)
      seeded = count
    })

    const claimed =
      ({ due, services }: typeof beside): Run =>
      ({ mails: count }) =>
        Effect.gen(function* () {
          yield* prepared(count * heldPerMail)
          const isDue = (found: ReadonlyArray<ClaimedEmail>) =>
            found.length > 0 && found.every(({ projectId }) => projectId === ProjectId.make(due.id))
          const latency = yield* WaitingMail.claimTimes(rounds, batch, isDue)
          return { value: latency.p50, latency }
        }).pipe(Effect.provideContext(services))

    return [
      {
        name: `claim of ${batch} mails`,
        unit: "ms",
        target: "<= 1.2 x the claim without held mail",
        posthorn: claimed(beside),
        baselines: { "without held mail": claimed(without) }
      }
    ]
  })
}
