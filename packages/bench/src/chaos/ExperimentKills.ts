/**
 * Workers die while they decide experiments of campaigns: before the commit of the decision, and at random moments around
 * it. Then two workers and a person decide at once (fault matrix F37).
 */
import { Duration, Effect, Number as Numbers, Random, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { audience, call } from "./CampaignKills.ts"
import * as Fleet from "./Fleet.ts"
import { Installation } from "./Installation.ts"
import * as Ledger from "./Ledger.ts"
import { promising, verdict } from "./Verdict.ts"
import { until } from "./Waiting.ts"

export interface Options {
  /** Seeds the moments. */
  readonly seed: string
  readonly contacts: number
  readonly kills: number
}

const patience = Duration.minutes(10)

/** Kills of the workers that decide one campaign. The last one is at a random moment. */
const killsOfCampaign = 5

const Found = Schema.decodeUnknownEffect(
  Schema.Tuple([
    Schema.Struct({
      state: Schema.NullOr(Schema.String),
      winner: Schema.NullOr(Schema.String),
      /** Mails of the test, of the winner to the rest, and of other variants to the rest. */
      tested: Schema.Int,
      won: Schema.Int,
      others: Schema.Int,
      recipients: Schema.Int,
      waiting: Schema.Int,
      events: Schema.Int,
      eventWinner: Schema.NullOr(Schema.String),
      audited: Schema.Int
    })
  ])
)
const Ids = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: Schema.String })))

/**
 * Returns the verdict: a decision that was not committed left nothing, each campaign has one winner, which its event, its
 * audit entry and the mail of the rest agree on, and each contact got one mail.
 */
export const kills = Effect.fn("ExperimentKills.kills")(function* ({ contacts, kills, seed }: Options) {
  const { api, senders, startWorker } = yield* Installation
  const sql = yield* SqlClient.SqlClient
  const [sender] = senders
  yield* audience(sender.id, contacts)

  const stateOf = (campaign: string, begun: Date) =>
    Effect.orDie(
      Effect.map(
        Effect.flatMap(
          sql`
            select campaigns.experiment_state as state, experiment_result ->> 'winner' as winner, mails.*,
                   (select coalesce(sum(size), 0)::int from campaign_audiences as part
                    where part.campaign_id = campaigns.id) as waiting,
                   (select count(*)::int from events where name = 'campaign.experiment_decided'
                     and data ->> 'campaignId' = ${campaign}) as events,
                   (select min(data ->> 'winner') from events where name = 'campaign.experiment_decided'
                     and data ->> 'campaignId' = ${campaign}) as "eventWinner",
                   (select count(*)::int from audit_log where action = 'experiment.decided'
                     and details ->> 'campaignId' = ${campaign}) as audited
            from campaigns cross join lateral (
              select (count(*) filter (where emails.created_at <= ${begun}))::int as tested,
                     (count(*) filter (where emails.created_at > ${begun}
                       and emails.variant = experiment_result ->> 'winner'))::int as won,
                     (count(*) filter (where emails.created_at > ${begun}
                       and emails.variant is distinct from experiment_result ->> 'winner'))::int as others,
                     count(distinct recipient_id)::int as recipients
              from emails where emails.campaign_id = campaigns.id
            ) as mails
            where campaigns.id = ${campaign}::uuid`,
          Found
        ),
        ([found]) => found
      )
    )

  const moments = yield* Random.withSeed(
    Effect.replicateEffect(Random.nextIntBetween(0, 400), Math.ceil(kills / killsOfCampaign)),
    `experiment ${seed}`
  )
  const inFlight: Array<number> = []
  const broken: Array<string> = []
  let left = kills
  for (const milliseconds of moments) {
    const own = Math.min(left, killsOfCampaign)
    left -= own
    const first = yield* startWorker()
    const made = yield* call(`${api.url}/campaigns`, sender.key, {
      ...{ name: "Launch", subject: "Hello", body: "<p>Hello</p>", from: sender.from, audienceType: "ALL" },
      experiment: { variants: [{ key: "A" }, { key: "B", subject: "Good morning" }], testShare: 0.3 }
    })
    const campaign = String(made["id"])
    const url = `${api.url}/campaigns/${campaign}`
    yield* call(`${url}/send`, sender.key, {})
    const parts = Effect.orDie(
      sql`select 1 from campaign_audiences where campaign_id = ${campaign}::uuid and not waits`
    )
    yield* until("the mails of the test", parts, (found) => found.length === 0, patience)
    yield* until("the end of the test", Ledger.unfinished, (count) => count === 0, patience)
    inFlight.push(yield* Fleet.kill(first))
    const begun = new Date()
    const { tested } = yield* stateOf(campaign, begun)
    const rest = contacts - tested

    // In place of the hours of the test.
    const endWait = Effect.orDie(sql`
      update campaigns set decide_at = now() - interval '1 minute', experiment_look_at = now() - interval '1 minute'
      where id = ${campaign}::uuid and experiment_state = 'TESTING'`)
    // A worker that starts decides nothing before it is known.
    const beginWait = Effect.orDie(sql`
      update campaigns set experiment_look_at = now() + interval '1 hour'
      where id = ${campaign}::uuid and experiment_state = 'TESTING'`)
    for (let n = 1; n <= own; n++) {
      const isRandom = n === own
      const doomed = yield* startWorker(isRandom ? {} : { failAt: "after_experiment_decision" })
      yield* endWait
      const hasDecided = isRandom
        ? yield* Effect.as(Effect.sleep(milliseconds), true)
        : yield* Effect.raceFirst(Effect.as(doomed.ended, true), Effect.as(Effect.sleep("60 seconds"), false))
      if (!hasDecided) broken.push("A worker did not come to the decision")
      inFlight.push(yield* Fleet.kill(doomed))
      yield* beginWait
      const { state, events, audited, others, won } = yield* stateOf(campaign, begun)
      const isUntouched = state === "TESTING" && events + audited + others + won === 0
      if (!isRandom && !isUntouched)
        broken.push(`A decision that was not committed left ${state} with ${events} events and ${won + others} mails`)
    }

    const chosen = Effect.promise(async () => {
      const { status } = await fetch(`${url}/experiment/winner`, {
        method: "POST",
        headers: { authorization: `Bearer ${sender.key}`, "content-type": "application/json" },
        body: JSON.stringify({ variant: "B" })
      })
      return status
    })
    const workers = yield* Effect.all([startWorker(), startWorker()], { concurrency: "unbounded" })
    const [status] = yield* Effect.all([chosen, endWait], { concurrency: "unbounded" })
    yield* until("the mails of the rest", stateOf(campaign, begun), ({ waiting }) => waiting === 0, patience)
    yield* until(
      "the end of the rest",
      Effect.andThen(Ledger.endWaits, Ledger.unfinished),
      (count) => count === 0,
      patience
    )
    yield* until("the end of the campaign", call(url, sender.key), ({ status }) => status === "SENT", patience)
    for (const worker of workers) inFlight.push(yield* Fleet.kill(worker))
    const found = yield* stateOf(campaign, begun)
    const figures = yield* call(`${url}/experiment`, sender.key)
    for (const [sentence, isKept] of [
      [`The choice of a person was answered with ${status}`, status === 200 || status === 409],
      [`The experiment is ${found.state}`, found.state === "DECIDED"],
      [
        `The decision has ${found.events} events and ${found.audited} audit entries`,
        found.events === 1 && found.audited === 1
      ],
      [
        `The winner is ${found.winner}, ${found.eventWinner} and ${String(figures["winner"])}`,
        found.winner !== null && found.eventWinner === found.winner && figures["winner"] === found.winner
      ],
      [
        `${found.won} of ${rest} others got the winner, ${found.others} another variant`,
        found.won === rest && found.others === 0
      ],
      [`${found.recipients} of ${contacts} contacts have a mail`, found.recipients === contacts]
    ] as const) {
      if (!isKept) broken.push(sentence)
    }
  }
  const mails = yield* Effect.flatMap(sql`select id from emails`, Ids).pipe(Effect.orDie)
  const found = yield* verdict(new Set(mails.map(({ id }) => id)), Numbers.sumAll(inFlight))
  return broken.reduce((so, sentence) => promising(so, sentence, false), found)
}, Effect.scoped)
