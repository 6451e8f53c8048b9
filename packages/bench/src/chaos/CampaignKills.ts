/** Workers die at random moments while an audience becomes mails and the mails leave (fault matrix F1, F22). */
import { Effect, Random, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Fleet from "./Fleet.ts"
import { Installation } from "./Installation.ts"
import * as Ledger from "./Ledger.ts"
import { promising, verdict } from "./Verdict.ts"
import { until } from "./Waiting.ts"

export interface Options {
  /** What is drawn is drawn from it: moments and victims. */
  readonly seed: string
  readonly contacts: number
  readonly workers: number
  readonly kills: number
}

/** The peer takes its time for the last reply, so that mails are in flight at any moment. Milliseconds. */
const replyDelays = [2, 5, 10, 40]

const Counts = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Record(Schema.String, Schema.Int)]))
const Ids = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: Schema.String })))

/** The counters as the rows give them. */
const rows = (campaign: string) =>
  SqlClient.SqlClient.use((sql) =>
    Effect.flatMap(
      sql`
        select count(*)::int as "totalRecipients", count(distinct recipient_id)::int as contacts,
               (count(*) filter (where status in ('PENDING', 'SENDING')))::int as "pendingCount",
               (count(*) filter (where status = 'SENT'))::int as "sentCount",
               (count(*) filter (where status = 'FAILED'))::int as "failedCount",
               (count(*) filter (where status = 'SUPPRESSED'))::int as "suppressedCount",
               (count(*) filter (where status = 'CANCELLED'))::int as "cancelledCount",
               (count(*) filter (where status = 'AMBIGUOUS'))::int as "ambiguousCount"
        from emails where campaign_id = ${campaign}::uuid`,
      Counts
    )
  ).pipe(
    Effect.map(([found]) => found),
    Effect.orDie
  )

/** Who is to get it: contacts of the first project. */
const audience = Effect.fnUntraced(function* (project: string, contacts: number) {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.orDie(sql`
    insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
    select gen_random_uuid(), ${project}::uuid, 'reader-' || n || '@example.com', true,
           jsonb_build_object('name', 'Reader ' || n), now(), now()
    from generate_series(1, ${contacts}::int) as n`)
})

const call = (url: string, key: string, body?: object) =>
  Effect.promise(async () => {
    const response = await fetch(url, {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) })
    })
    const answer = (await response.json()) as { readonly data?: { readonly [field: string]: unknown } }
    if (answer.data === undefined) throw new Error(`${url} answered ${JSON.stringify(answer)}`)
    return answer.data
  })

/** Gives the mails in flight at each kill, and the verdict: everybody once, no more copies than those, exact counters. */
export const kills = Effect.fn("CampaignKills.kills")(function* (options: Options) {
  const { api, senders, sink } = yield* Installation
  const sql = yield* SqlClient.SqlClient
  const [sender] = senders
  sink.misbehave(({ stage, mail }) => (stage === "dot" ? { delay: replyDelays[mail % replyDelays.length] } : undefined))
  yield* audience(sender.id, options.contacts)
  const fleet = yield* Fleet.make(options.workers)

  const campaign = yield* call(`${api.url}/campaigns`, sender.key, {
    name: "Launch",
    subject: "Hello {{name}}",
    body: "<p>Hello {{name}}</p>",
    from: sender.from,
    audienceType: "ALL"
  })
  const id = String(campaign["id"])
  yield* call(`${api.url}/campaigns/${id}/send`, sender.key, {})

  const moment = Effect.all({
    place: Random.nextIntBetween(0, options.workers - 1),
    mails: Random.nextIntBetween(0, Math.floor(options.contacts / (options.kills + 1))),
    milliseconds: Random.nextIntBetween(0, 60)
  })
  const drawn = yield* Random.withSeed(Effect.replicateEffect(moment, options.kills), `campaign ${options.seed}`)
  const inFlight: Array<number> = []
  for (const [number, { mails, milliseconds, place }] of drawn.entries()) {
    const worker = yield* fleet.at(place)
    const before = sink.accepted()
    // The first one dies while mails are being made.
    const wanted = number === 0 ? 0 : Math.min(before + mails, options.contacts - 1)
    yield* until("mails to flow", Effect.sync(sink.accepted), (count) => count >= wanted)
    yield* Effect.sleep(milliseconds)
    inFlight.push(yield* Fleet.kill(worker))
    yield* fleet.refill(place)
  }
  const state = call(`${api.url}/campaigns/${id}`, sender.key)
  const ended = yield* until("the end of the campaign", state, ({ status }) => status === "SENT")
  yield* until("the end of all mails", Ledger.unfinished, (count) => count === 0)

  const made = yield* Effect.flatMap(sql`select id from emails`, Ids).pipe(Effect.orDie)
  const bound = inFlight.reduce((sum, each) => sum + each, 0)
  const found = { inFlight, ...(yield* verdict(new Set(made.map(({ id }) => id)), bound)) }
  const { contacts, ...counted } = yield* rows(id)
  const stats = yield* call(`${api.url}/campaigns/${id}/stats`, sender.key)
  const addresses = new Set(sink.mails.map(({ rcpt }) => rcpt))
  const agree = Object.entries(counted).every(([counter, count]) => stats[counter] === count)
  return [
    ["Somebody has no mail on record", contacts === options.contacts && made.length === options.contacts],
    [
      "Somebody got nothing",
      addresses.size === options.contacts - found.resting || addresses.size === options.contacts
    ],
    ["The counters are not those of the rows", agree],
    ["The campaign does not tell its size", ended["totalRecipients"] === options.contacts]
  ].reduce((so, [sentence, isKept]) => promising(so, String(sentence), isKept === true), found)
})
