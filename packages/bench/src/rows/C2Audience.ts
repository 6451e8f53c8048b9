import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Bench } from "../Bench.ts"
import { memoryOf } from "../machine/ProcessTimes.ts"
import * as Sink from "../processes/Sink.ts"
import type { Row } from "../Row.ts"
import * as Campaigning from "./Campaigning.ts"

const patienceSeconds = 600

export const row: Row = {
  id: "C2",
  title: "the audience of a campaign to a million",
  needsPostgres: true,
  conditions: [
    "--audience sets the number of contacts; one worker, which creates the mails and sends at the same time",
    "from the call of send until the mail of every contact is stored; then the campaign is cancelled",
    "baseline: one INSERT ... SELECT of as many such rows, with the indexes, into another table"
  ],
  cases: Effect.gen(function* () {
    const { sender, services, sink, worker } = yield* Campaigning.stage("C2", Sink.start, 20)
    let seeded = 0

    const ready = Effect.fnUntraced(function* (contacts: number) {
      yield* Campaigning.clear()
      if (seeded !== contacts) yield* Campaigning.audience(sender, contacts)
      seeded = contacts
    })

    const campaign = (contacts: number) =>
      Effect.gen(function* () {
        yield* ready(contacts)
        const id = yield* Campaigning.draft(sender)
        const before = yield* sink.count
        const begun = Date.now()
        yield* Campaigning.begin(sender, id)
        const frozen = Date.now() - begun
        const first = yield* sink.arrivals(before, 1, patienceSeconds)
        yield* Campaigning.until(id, "expanded")
        const value = Date.now() - begun
        const memory = yield* memoryOf(worker.pid)
        yield* Campaigning.cancel(sender, id)
        yield* Campaigning.quiet
        return {
          value,
          ...memory,
          more: { "frozen, ms": frozen, "first mail, ms": Math.min(...first.map(({ at }) => at)) - begun }
        }
      }).pipe(Effect.provideContext(services))

    const atOnce = (contacts: number) =>
      Effect.gen(function* () {
        yield* ready(contacts)
        const sql = yield* SqlClient.SqlClient
        const run = (statement: string) => Effect.orDie(sql.unsafe(statement))
        yield* run("drop table if exists beside")
        yield* run("create table beside (like emails including all)")
        const begun = performance.now()
        yield* Effect.orDie(sql`
          insert into beside (id, project_id, campaign_id, recipient_id, contact_id, to_email, from_email, type,
            source_type, tracking, status, lane, due_at, ladder_since, created_at, updated_at)
          select gen_random_uuid(), project_id, ${sender.id}::uuid, id, id, email, 'a@b.co', 'MARKETING', 'CAMPAIGN',
                 true, 'PENDING', 2, now(), now(), now(), now()
          from contacts where project_id = ${sender.id}::uuid and subscribed order by id`)
        const value = performance.now() - begun
        yield* run("drop table beside")
        return { value }
      }).pipe(Effect.provideContext(services))

    const { audienceSizes } = yield* Bench
    return audienceSizes.map((contacts) => ({
      name: `made, of ${contacts}`,
      unit: "ms",
      target: "<= 60,000 ms; first mail <= 5,000 ms; RSS <= 300 MB",
      curve: { line: "made", size: contacts },
      posthorn: () => campaign(contacts),
      baselines: { "one INSERT ... SELECT": () => atOnce(contacts) }
    }))
  })
}
