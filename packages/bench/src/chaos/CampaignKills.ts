/** Workers die at random moments while a campaign creates and sends its emails (fault matrix F1, F22). */
import type { Misbehaviour, Moment } from "@posthorn/mailer-smtp/testing"
import { Array, Duration, Effect, Number as Numbers, Random, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Fleet from "./Fleet.ts"
import { Installation } from "./Installation.ts"
import * as Ledger from "./Ledger.ts"
import { promisingAll, verdict } from "./Verdict.ts"
import { until } from "./Waiting.ts"

export interface Options {
  /** Seeds all random choices: moments and victims. */
  readonly seed: string
  readonly contacts: number
  readonly workers: number
  readonly kills: number
}

/** Milliseconds before the last reply of the peer, so that emails are in flight at any moment. */
const replyDelays = [2, 5, 10, 40]

const readerOf = (address: string) => Number(/^reader-(\d+)@/.exec(address)?.[1])

/** A tenth of the mailboxes do not exist. */
const isGone = (address: string) => readerOf(address) % 10 === 0

/** For these addresses the peer accepts the email, but disconnects before its reply. */
const losesReply = (address: string) => readerOf(address) % 1_000 === 7

/** Behaves like a large provider: it defers one email in twenty and breaks one connection in a hundred, each once. */
const provider = () => {
  const met = new Set<string>()
  return ({ mail, rcpt, stage }: Moment): Misbehaviour | undefined => {
    const once = (misbehaviour: Misbehaviour) => {
      if (met.has(`${stage} ${rcpt}`)) return
      met.add(`${stage} ${rcpt}`)
      return misbehaviour
    }
    const reader = readerOf(rcpt)
    if (stage === "rcpt" && isGone(rcpt)) return { reply: "550 5.1.1 No such mailbox" }
    if (stage === "rcpt" && reader % 20 === 1) return once({ reply: "450 4.2.0 Greylisted, come again" })
    if (stage === "data" && reader % 100 === 3) return once({ drop: true })
    if (stage !== "dot") return
    const delay = { delay: replyDelays[mail % replyDelays.length] }
    return losesReply(rcpt) ? (once({ drop: true }) ?? delay) : delay
  }
}

/** Between two kills, and for the rest after the last one: on a busy machine a large audience takes long. */
const patience = Duration.minutes(15)

const Counts = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Record(Schema.String, Schema.Int)]))
const Ids = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: Schema.String })))

/** The counters computed from the rows. */
const rows = (campaign: string) =>
  SqlClient.SqlClient.use((sql) =>
    Effect.flatMap(
      sql`
        select count(*)::int as "totalRecipients", count(distinct recipient_id)::int as contacts,
               (count(*) filter (where status in ('PENDING', 'SENDING')))::int as "pendingCount",
               (count(*) filter (where status in ('SENT', 'BOUNCED')))::int as "sentCount",
               count(bounced_at)::int as "bouncedCount",
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

/** The audience: contacts of the first project. */
export const audience = Effect.fnUntraced(function* (project: string, contacts: number) {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.orDie(sql`
    insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
    select gen_random_uuid(), ${project}::uuid, 'reader-' || n || '@example.com', true,
           jsonb_build_object('name', 'Reader ' || n), now(), now()
    from generate_series(1, ${contacts}::int) as n`)
})

export const call = (url: string, key: string, body?: object) =>
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

/**
 * Returns the emails in flight at each kill, and the verdict: every existing mailbox got the email once, there are no
 * more copies than emails in flight and lost replies, and the counters are exact.
 */
export const kills = Effect.fn("CampaignKills.kills")(function* (options: Options) {
  const { api, senders, sink } = yield* Installation
  const sql = yield* SqlClient.SqlClient
  const [sender] = senders
  sink.misbehave(provider())
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
    // The first worker dies while emails are being created.
    const wanted = number === 0 ? 0 : Math.min(before + mails, Math.floor(options.contacts * 0.8))
    yield* until("mails to flow", Effect.sync(sink.accepted), (count) => count >= wanted, patience)
    yield* Effect.sleep(milliseconds)
    inFlight.push(yield* Fleet.kill(worker))
    yield* fleet.refill(place)
  }
  yield* until("all to have been tried", Ledger.waiting, (count) => count === 0, patience)
  yield* until("the end of all mails", Effect.andThen(Ledger.endWaits, Ledger.unfinished), (count) => count === 0)
  const state = call(`${api.url}/campaigns/${id}`, sender.key)
  const ended = yield* until("the end of the campaign", state, ({ status }) => status === "SENT")

  const made = yield* Effect.flatMap(sql`select id from emails`, Ids).pipe(Effect.orDie)
  const readers = Array.makeBy(options.contacts, (n) => `reader-${n + 1}@example.com`)
  const bound = Numbers.sumAll(inFlight) + readers.filter(losesReply).length
  const found = {
    inFlight,
    ...(yield* verdict(new Set(made.map(({ id }) => id)), bound, (to) => (isGone(to) ? "BOUNCED" : undefined)))
  }
  const { contacts, ...counted } = yield* rows(id)
  const stats = yield* call(`${api.url}/campaigns/${id}/stats`, sender.key)
  const addresses = new Set(sink.mails.map(({ rcpt }) => rcpt))
  const reachable = readers.filter((address) => !isGone(address)).length
  const agree = Object.entries(counted).every(([counter, count]) => stats[counter] === count)
  return promisingAll(found, [
    ["A contact has no stored mail", contacts === options.contacts && made.length === options.contacts],
    ["A contact got no mail", addresses.size <= reachable && addresses.size >= reachable - found.resting],
    ["The counters are not those of the rows", agree],
    ["The campaign has another size", ended["totalRecipients"] === options.contacts]
  ])
})
