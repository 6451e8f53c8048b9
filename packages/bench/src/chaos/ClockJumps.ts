/**
 * Wall clocks of servers jump an hour forward and back during requests, sending and a scheduled campaign (fault matrix
 * F19).
 */
import { Effect, Random, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { audience, call } from "./CampaignKills.ts"
import { Installation } from "./Installation.ts"
import * as Ledger from "./Ledger.ts"
import * as Load from "./Load.ts"
import { promisingAll, verdict } from "./Verdict.ts"
import { until } from "./Waiting.ts"

export interface Options {
  /** Seeds all random choices: requests, moments, clocks, directions. */
  readonly seed: string
  readonly mails: number
  readonly workers: number
  readonly jumps: number
}

const minute = 60_000
const hour = 60 * minute
const readers = 20

const Ids = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: Schema.String })))

const mailsOf = Effect.fnUntraced(function* (campaign: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* Effect.flatMap(sql`select id from emails where campaign_id = ${campaign}::uuid`, Ids)
  return rows.map(({ id }) => id)
}, Effect.orDie)

/**
 * Returns the verdict: nothing is lost or sent twice, no worker loses its emails to another, because leases use the
 * clock of the database, and a campaign starts once, and not before a clock reaches its time.
 */
export const jumps = Effect.fn("ClockJumps.jumps")(function* (options: Options) {
  const { senders, startApi, startWorker } = yield* Installation
  const [sender] = senders
  const hasMovableClock = true
  const api = yield* startApi({ hasMovableClock })
  const workers = yield* Effect.replicateEffect(startWorker({ hasMovableClock }), options.workers)
  const servers = [api, ...workers]
  const setAll = (milliseconds: number) =>
    Effect.forEach(servers, ({ setClock }) => setClock(milliseconds), { discard: true })

  yield* audience(sender.id, readers)
  const now = Date.now()
  const campaignIn = Effect.fnUntraced(function* (name: string, milliseconds: number) {
    const { from } = sender
    const draft = { name, subject: name, body: "<p>Hello</p>", from, audienceType: "ALL" }
    const id = String((yield* call(`${api.url}/campaigns`, sender.key, draft))["id"])
    yield* call(`${api.url}/campaigns/${id}/send`, sender.key, { scheduledFor: now + milliseconds })
    return { id, status: Effect.map(call(`${api.url}/campaigns/${id}`, sender.key), ({ status }) => String(status)) }
  })
  const soon = yield* campaignIn("Soon", hour / 2)
  const late = yield* campaignIn("Late", 3 * hour)

  const moment = Effect.all({
    place: Random.nextIntBetween(0, servers.length - 1),
    ahead: Effect.orDie(Random.choice([-hour, 0, hour])),
    mails: Random.nextIntBetween(5, 40)
  })
  const moments = yield* Random.withSeed(Effect.replicateEffect(moment, options.jumps), `clocks ${options.seed}`)
  const accepted = new Set<string>()
  const ends = Effect.gen(function* () {
    for (const { ahead, mails, place } of moments) {
      const before = accepted.size
      yield* until(
        "requests to be answered",
        Effect.sync(() => accepted.size - before),
        (count) => count >= mails
      )
      yield* servers[place]?.setClock(ahead) ?? Effect.void
    }
  })
  yield* Load.during({ ...options, url: () => api.url, senders, part: 50, accepted }, ends)

  yield* setAll((3 * hour) / 4)
  const over = Effect.andThen(Ledger.endWaits, soon.status)
  yield* until("the end of the campaign that was due", over, (status) => status === "SENT")
  const unbegun = yield* late.status
  yield* setAll(0)
  yield* until("the end of all mails", Effect.andThen(Ledger.endWaits, Ledger.unfinished), (count) => count === 0)

  const made = yield* mailsOf(soon.id)
  const found = yield* verdict(new Set([...accepted, ...made]), 0)
  const twice = (yield* Ledger.entries).filter(({ claims }) => claims !== 1).length
  return promisingAll(found, [
    [`${twice} mails were taken from a worker that lived`, twice === 0],
    ["A campaign began before any clock said so", unbegun === "SCHEDULED" && (yield* mailsOf(late.id)).length === 0],
    ["A campaign has more or less than one mail for each reader", made.length === readers]
  ])
})
