/** The setup of the campaign rows: a project with contacts, recreated for each run, and its campaign. */

import type { CampaignId, SendCampaign, WriteCampaign } from "@posthorn/contract/automation/campaigns/Campaign"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Campaigns } from "@posthorn/core/automation/campaigns/Campaigns"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { BenchFailure } from "../BenchFailure.ts"
import * as Letter from "../load/Letter.ts"
import { memoryOf, withCpuOf } from "../machine/ProcessTimes.ts"
import * as Postgres from "../Postgres.ts"
import * as Server from "../processes/Server.ts"
import type * as Sink from "../processes/Sink.ts"
import type { Run } from "../Row.ts"
import * as Seed from "../Seed.ts"
import { patienceSeconds, requireOnce } from "./Draining.ts"

/** A database with two senders, the services over it, a peer, and the worker that sends campaigns. */
export const stage = Effect.fnUntraced(function* (row: string, peer: typeof Sink.start, connections: number) {
  const database = yield* Postgres.freshDatabase
  const services = yield* Layer.build(Seed.core(Postgres.layer(database)))
  const [sender, other] = yield* Effect.provideContext(Seed.senders(2), services)
  if (sender === undefined || other === undefined)
    return yield* new BenchFailure({ message: "no senders were created" })
  const sink = yield* peer
  const smtp = `${sink.url}&pool=${connections}`
  const worker = yield* Server.start({ name: `${row} worker`, role: "worker", database, smtp })
  return { database, services, sender, other, sink, worker }
})
type Stage = Effect.Success<ReturnType<typeof stage>>

/** Exactly this many contacts, none of which has received an email. */
export const audience = Effect.fnUntraced(function* ({ id }: Seed.Sender, contacts: number) {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.orDie(sql`delete from contacts where project_id = ${id}::uuid`)
  yield* Effect.orDie(sql`
    insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
    select (lpad(to_hex(1763650000000 + n / 1000), 12, '0') || '7' || lpad(to_hex(n % 1000), 3, '0')
            || substr(replace(gen_random_uuid()::text, '-', ''), 17))::uuid,
           ${id}::uuid, 'reader-' || n || '@example.com', true,
           jsonb_build_object('name', 'Ada ' || n, 'plan', 'pro'), now(), now()
    from generate_series(1, ${contacts}::int) as n`)
  yield* Effect.orDie(sql.unsafe("analyze contacts"))
})

/** A draft campaign with the benchmark email to all of them. */
export const draft = Effect.fnUntraced(function* (sender: Seed.Sender, more: Partial<WriteCampaign> = {}) {
  const campaigns = yield* Campaigns
  const { id } = yield* Effect.orDie(
    campaigns.create(ProjectId.make(sender.id), {
      name: "Letter",
      subject: Letter.subject("{{name}}"),
      body: Letter.html("{{name}}", "{{plan}}"),
      from: sender.from,
      type: "MARKETING",
      audienceType: "ALL",
      ...more
    })
  )
  return id
})

export const begin = (sender: Seed.Sender, id: CampaignId, body: SendCampaign = {}) =>
  Campaigns.use((campaigns) => Effect.orDie(campaigns.send(ProjectId.make(sender.id), id, body)))

export const pause = (sender: Seed.Sender, id: CampaignId) =>
  Campaigns.use((campaigns) => Effect.orDie(campaigns.pause(ProjectId.make(sender.id), id)))

export const cancel = (sender: Seed.Sender, id: CampaignId) =>
  Campaigns.use((campaigns) => Effect.orDie(campaigns.cancel(ProjectId.make(sender.id), id)))

/** Waits until the campaign matches the condition. */
export const until = Effect.fnUntraced(function* (
  id: CampaignId,
  condition: "expanded" | "status = 'SENDING'" | "status = 'SENT'"
) {
  const sql = yield* SqlClient.SqlClient
  const found = Effect.orDie(sql`select 1 from campaigns where id = ${id}::uuid and ${sql.literal(condition)}`)
  while ((yield* found).length === 0) yield* Effect.sleep("20 millis")
})

/** Waits until no email is in transmission. */
export const quiet = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const busy = Effect.orDie(sql`select 1 from emails where status = 'SENDING' limit 1`)
  while ((yield* busy).length > 0) yield* Effect.sleep("50 millis")
})

/** Waits until no email of a cancelled campaign is pending. */
export const over = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const waiting = Effect.orDie(sql`select 1 from emails where status in ('PENDING', 'SENDING') limit 1`)
  while ((yield* waiting).length > 0) yield* Effect.sleep("1 second")
})

/** Removes everything that could affect the next run. A statement of the worker may lock the tables in another order. */
export const clear = Effect.fnUntraced(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.orDie(
    Effect.retry(
      sql.unsafe(
        "truncate emails, email_attempts, events, event_outbox, campaigns, campaign_audiences, campaign_counts, campaign_deltas, mailings, contact_frequency"
      ),
      { times: 10 }
    )
  )
})

/** The rate of a campaign to that many contacts, from the call of send to the last 250. */
export const sent =
  ({ sender, services, sink, worker }: Stage, more: Partial<WriteCampaign> = {}): Run =>
  ({ mails }) =>
    Effect.gen(function* () {
      yield* clear()
      yield* audience(sender, mails)
      const id = yield* draft(sender, more)
      const before = yield* sink.count
      const begun = Date.now()
      const { result, cpuMillis } = yield* withCpuOf(
        worker.pid,
        Effect.gen(function* () {
          yield* begin(sender, id)
          const arrivals = yield* sink.arrivals(before, mails, patienceSeconds)
          yield* until(id, "status = 'SENT'")
          return arrivals
        })
      )
      yield* requireOnce(result)
      const times = result.map(({ at }) => at)
      return {
        value: (mails * 1000) / (Math.max(...times) - begun),
        cpuMillisPerItem: cpuMillis === undefined ? undefined : cpuMillis / mails,
        ...(yield* memoryOf(worker.pid)),
        more: { "first mail, ms": Math.min(...times) - begun }
      }
    }).pipe(Effect.provideContext(services))
