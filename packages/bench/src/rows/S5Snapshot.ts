import { randomUUID } from "node:crypto"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { BenchFailure } from "../BenchFailure.ts"
import * as WaitingMail from "../load/WaitingMail.ts"
import * as Postgres from "../Postgres.ts"
import type { Case, Row, Run } from "../Row.ts"
import * as Seed from "../Seed.ts"

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

    const seeded = Effect.fnUntraced(function* (sender: Seed.Sender, kind: Kind, count: number) {
      const sql = yield* SqlClient.SqlClient
      yield* sql.unsafe("truncate emails, mailings cascade")
      const campaign = kind === "campaign" ? randomUUID() : null
      if (campaign !== null) {
        yield* sql`
          insert into mailings (project_id, campaign_id, is_open, subject, body, from_email, type, tracking, project_name,
                                language)
          values (${sender.id}::uuid, ${campaign}::uuid, true, 'News', '<p>News</p>', ${sender.from}, 'MARKETING', false,
                  'Example', 'en')`
      }
      const dueAt = sql`now() - interval '2 hours' + n * interval '10 milliseconds'`
      yield* WaitingMail.store(sender, count, campaign, dueAt)
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
          const latency = yield* WaitingMail.claimTimes(rounds, batch, ({ length }) => length === batch)
          return { value: latency.p99, latency }
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
