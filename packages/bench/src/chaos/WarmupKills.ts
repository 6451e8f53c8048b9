/** Workers die at random moments while a warm-up lets a campaign go (fault matrix F34). */
import { Duration, Effect, Number as Numbers, Random, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { audience, call } from "./CampaignKills.ts"
import * as Fleet from "./Fleet.ts"
import { Installation } from "./Installation.ts"
import * as Ledger from "./Ledger.ts"
import { copies, type Verdict } from "./Verdict.ts"
import { until } from "./Waiting.ts"

export interface Options {
  /** Seeds all random choices: moments and victims. */
  readonly seed: string
  readonly contacts: number
  readonly workers: number
  readonly kills: number
}

const patience = Duration.minutes(15)
/** Milliseconds before the last reply of the peer, so that mails are in flight at any moment. */
const replyDelay = 20

const Found = Schema.decodeUnknownEffect(
  Schema.Tuple([Schema.Struct({ taken: Schema.Int, first: Schema.Int, ambiguous: Schema.Int, resting: Schema.Int })])
)

/** A zone in which it is about noon, so that no day ends during a run. */
const zoneAtNoon = Effect.sync(() => {
  const ahead = 12 - new Date().getUTCHours()
  return ahead >= 0 ? `Etc/GMT-${ahead}` : `Etc/GMT+${-ahead}`
})

/**
 * Half of the campaign is the cap of the day. Returns the verdict: no more mails were taken than the cap, each of them
 * left, the others wait, and there are no more copies than mails in flight.
 */
export const kills = Effect.fn("WarmupKills.kills")(function* (options: Options) {
  const { api, senders, sink } = yield* Installation
  const sql = yield* SqlClient.SqlClient
  const [sender] = senders
  const cap = Math.floor(options.contacts / 2)
  sink.misbehave(({ stage }) => (stage === "dot" ? { delay: replyDelay } : undefined))
  yield* audience(sender.id, options.contacts)
  const [domain] = yield* Effect.orDie(sql`select id from domains where project_id = ${sender.id}::uuid`)
  const timezone = yield* zoneAtNoon
  const plan = { preset: "CUSTOM", caps: [cap], timezone, hours: { from: "00:00", to: "00:01" } }
  yield* Effect.promise(async () => {
    const answer = await fetch(`${api.url}/domains/${String(domain?.["id"])}/warmup`, {
      method: "PUT",
      headers: { authorization: `Bearer ${sender.key}`, "content-type": "application/json" },
      body: JSON.stringify(plan)
    })
    if (answer.status !== 200) throw new Error(`The warm-up was answered with ${answer.status}`)
  })
  const fleet = yield* Fleet.make(options.workers)
  const campaign = yield* call(`${api.url}/campaigns`, sender.key, {
    ...{ name: "Launch", subject: "Hello", body: "<p>Hello</p>", from: sender.from, audienceType: "ALL" }
  })
  yield* call(`${api.url}/campaigns/${String(campaign["id"])}/send`, sender.key, {})

  const moment = Effect.all({
    place: Random.nextIntBetween(0, options.workers - 1),
    mails: Random.nextIntBetween(0, Math.floor(cap / (options.kills + 1))),
    milliseconds: Random.nextIntBetween(0, 60)
  })
  const drawn = yield* Random.withSeed(Effect.replicateEffect(moment, options.kills), `warm-up ${options.seed}`)
  const inFlight: Array<number> = []
  for (const { mails, milliseconds, place } of drawn) {
    const worker = yield* fleet.at(place)
    const wanted = Math.min(sink.accepted() + mails, Math.floor(cap * 0.8))
    yield* until("mails to flow", Effect.sync(sink.accepted), (count) => count >= wanted, patience)
    yield* Effect.sleep(milliseconds)
    inFlight.push(yield* Fleet.kill(worker))
    yield* fleet.refill(place)
  }
  const taken = Effect.flatMap(
    sql`
      select (select taken from warmups limit 1) as taken,
             (count(*) filter (where claim > 0 and (status not in ('PENDING', 'SENDING', 'AMBIGUOUS')
               or (status = 'AMBIGUOUS' and due_at = 'infinity'))))::int as first,
             coalesce(sum(ambiguities), 0)::int as ambiguous,
             (count(*) filter (where status = 'AMBIGUOUS' and due_at = 'infinity'))::int as resting
      from emails`,
    Found
  ).pipe(
    Effect.map(([found]) => found),
    Effect.orDie
  )
  // Mail that was taken is tried again until it has an end. The other mail waits for the next day.
  const endWaits = Effect.orDie(sql`update emails set due_at = now() where status = 'PENDING' and claim > 0`)
  const end = yield* until(
    "the end of all mails of the day",
    Effect.andThen(endWaits, taken),
    ({ first, taken }) => taken === cap && first === cap,
    patience
  )
  yield* Effect.sleep("2 seconds")
  const got = yield* copies()
  const extra = [...got.values()].reduce((sum, count) => sum + count - 1, 0)
  const bound = Numbers.sumAll(inFlight)
  const claimed = (yield* Ledger.entries).filter(({ claims }) => claims > 0).length
  const lost = cap - end.resting - got.size
  return {
    accepted: options.contacts,
    delivered: got.size,
    lost: Math.max(0, lost),
    extra,
    bound,
    ambiguous: end.ambiguous,
    resting: end.resting,
    figures: { cap, "over the cap": Math.max(0, claimed - cap, got.size - cap) },
    violations: [
      ...(claimed > cap ? [`${claimed} mails were taken, although the cap is ${cap}`] : []),
      ...(got.size > cap ? [`${got.size} mails left, although the cap is ${cap}`] : []),
      ...(lost > 0 ? [`${lost} mails of the day did not leave`] : []),
      ...(extra > bound ? [`${extra} extra copies, although ${bound} mails were in flight at the kills`] : [])
    ]
  } satisfies Verdict
})
