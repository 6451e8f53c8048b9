/** Delivery reports arrive three times each and in any order, some of them about unknown emails (fault matrix F18). */
import { Array, Effect, Random, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Notifications from "../load/Notifications.ts"
import { Installation } from "./Installation.ts"
import * as Ledger from "./Ledger.ts"
import * as Load from "./Load.ts"
import { promisingAll, verdict } from "./Verdict.ts"
import { until } from "./Waiting.ts"

export interface Options {
  /** Seeds all random choices: the outcome of each email, and the order. */
  readonly seed: string
  readonly mails: number
}

const secret = "a notification secret of the fault runs"
const perCall = 50

const fates: Array.NonEmptyReadonlyArray<ReadonlyArray<Notifications.Kind>> = [
  [],
  ["delivery"],
  ["bounce"],
  ["delivery", "complaint"],
  ["delivery", "bounce"],
  ["delivery", "bounce", "complaint"]
]

const States = Schema.decodeUnknownEffect(Schema.Array(Schema.Record(Schema.String, Schema.Unknown)))

/** Everything that a project shows of its emails, by address. */
const statesOf = Effect.fnUntraced(function* (project: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = sql`
    select to_email, emails.status, contacts.subscribed, delivered_at is not null as delivered,
           bounced_at is not null as bounced, complained_at is not null as complained,
           array(select reason from suppressions
                 where suppressions.project_id = emails.project_id and suppressions.email = to_email) as suppressed,
           array(select name from events where events.project_id = emails.project_id
                 and events.contact_id = emails.contact_id order by name) as events
    from emails join contacts on contacts.project_id = emails.project_id and contacts.id = contact_id
    where emails.project_id = ${project}::uuid order by to_email`
  const totals = sql`
    select sum(sent)::int as sent, sum(delivered)::int as delivered, sum(bounced)::int as bounced,
           sum(complained)::int as complained
    from (select project_id, sent, delivered, bounced, complained from mail_totals
          union all select project_id, sent, delivered, bounced, complained from mail_total_deltas) as counted
    where project_id = ${project}::uuid`
  return { mails: yield* Effect.flatMap(rows, States), totals: yield* Effect.flatMap(totals, States) }
}, Effect.orDie)

/**
 * Returns the verdict: a project with every report three times and shuffled ends like one with every report once and in
 * order.
 */
export const replay = Effect.fn("ReplayedNotices.replay")(function* (options: Options) {
  const { senders, startApi, startWorker } = yield* Installation
  const [calm, stormy = calm] = senders
  const api = yield* startApi({ environment: { POSTHORN_NOTIFICATION_SECRET: secret } })
  yield* startWorker()
  const to = Load.people("noticed", options.mails)
  const accepted = new Set<string>()
  const requests = [calm, stormy].flatMap((project) =>
    Array.chunksOf(to, 100).map((some, part) => ({ project, key: `${part}`, body: Load.mailTo(project, some) }))
  )
  yield* Load.acceptAll(() => api.url, requests, accepted)
  yield* until("the end of all mails", Ledger.unfinished, (count) => count === 0)
  const found = yield* verdict(accepted, 0)

  const sql = yield* SqlClient.SqlClient
  const idsOf = Effect.fnUntraced(function* (project: string) {
    const rows = yield* Effect.orDie(
      Effect.flatMap(sql`select id, to_email from emails where project_id = ${project}::uuid`, States)
    )
    return new Map(rows.map(({ id, to_email }) => [String(to_email), String(id)]))
  })
  const draw = Effect.all({ fate: Effect.orDie(Random.choice(fates)), isUnknown: Random.nextBoolean })
  const drawn = yield* Random.withSeed(Effect.replicateEffect(draw, options.mails), `fates ${options.seed}`)
  const noticesOf = Effect.fnUntraced(function* (project: string) {
    const ids = yield* idsOf(project)
    return drawn.flatMap(({ fate, isUnknown }, n) => {
      const id = ids.get(to[n] ?? "") ?? ""
      const nobody = `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`
      return [
        ...fate.map((kind) => Notifications.event(kind, id, `${id}-${kind}`)),
        ...(isUnknown ? [Notifications.event("bounce", nobody, `${project}-${n}`)] : [])
      ]
    })
  })
  const tell = (events: ReadonlyArray<object>, concurrency: number) =>
    Effect.forEach(Array.chunksOf(events, perCall), (some) => Effect.orDie(Notifications.tell(api.url, secret, some)), {
      concurrency,
      discard: true
    })

  yield* tell(yield* noticesOf(calm.id), 1)
  const all = yield* noticesOf(stormy.id)
  const shuffled = yield* Random.withSeed(Random.shuffle([...all, ...all, ...all]), `order ${options.seed}`)
  yield* tell(shuffled, 4)

  const [is, should] = [yield* statesOf(stormy.id), yield* statesOf(calm.id)]
  const wrong = should.mails.filter((mail, at) => JSON.stringify(mail) !== JSON.stringify(is.mails[at]))
  const isCounted = JSON.stringify(is.totals) === JSON.stringify(should.totals)
  const noticed = should.mails.filter(({ status }) => status !== "SENT").length
  return promisingAll({ notices: shuffled.length, ...found }, [
    [`${wrong.length} mails do not have each event once and in order, such as ${JSON.stringify(wrong[0])}`, !wrong[0]],
    [`The totals are ${JSON.stringify(is.totals)}, not ${JSON.stringify(should.totals)}`, isCounted],
    ["No mail has become anything", noticed > 0]
  ])
})
