/** All workers die at once while a mailbox provider asks for less mail (fault matrix F35). */
import { Duration, Effect, Number as Numbers, Random, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { audience, call } from "./CampaignKills.ts"
import * as Fleet from "./Fleet.ts"
import { Installation } from "./Installation.ts"
import { copies, type Verdict } from "./Verdict.ts"
import { until } from "./Waiting.ts"

export interface Options {
  /** Seeds all random choices. */
  readonly seed: string
  readonly contacts: number
  readonly workers: number
  readonly kills: number
}

const patience = Duration.minutes(10)
/** Milliseconds before the last reply of the peer, so that mails are in flight at any moment. */
const replyDelay = 20
/** How long new workers are watched. */
const watched = Duration.seconds(3)

const Level = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ level: Schema.Int })))

/**
 * Half of the campaign goes to Gmail, which refuses all of it. Returns the verdict: the other half left, with no more
 * copies than mails in flight, and new workers keep the level that the dead ones had reached.
 */
export const kills = Effect.fn("ShapingKills.kills")(function* (options: Options) {
  const { api, senders, sink } = yield* Installation
  const sql = yield* SqlClient.SqlClient
  const [sender] = senders
  let refused = 0
  sink.misbehave(({ rcpt, stage }) => {
    if (stage === "dot") return { delay: replyDelay }
    if (stage !== "rcpt" || !rcpt.endsWith("@gmail.com")) return undefined
    refused++
    return { reply: "421 4.7.28 Our system has detected an unusual rate of mail" }
  })
  yield* audience(sender.id, options.contacts)
  yield* Effect.orDie(sql`
    update contacts set email = replace(email, 'example.com', 'gmail.com')
    where project_id = ${sender.id}::uuid and right(split_part(email, '@', 1), 1) in ('1', '3', '5', '7', '9')`)
  const others = Math.floor(options.contacts / 2)
  const fleet = yield* Fleet.make(options.workers)
  const campaign = yield* call(`${api.url}/campaigns`, sender.key, {
    ...{ name: "Launch", subject: "Hello", body: "<p>Hello</p>", from: sender.from, audienceType: "ALL" }
  })
  yield* call(`${api.url}/campaigns/${String(campaign["id"])}/send`, sender.key, {})

  const level = Effect.flatMap(sql`select level from shaping where key = 'GMAIL'`, Level).pipe(
    Effect.map(([row]) => row?.level ?? 0),
    Effect.orDie
  )
  yield* until("Gmail to be slowed down", level, (found) => found > 0, patience)
  const moments = yield* Random.withSeed(
    Effect.replicateEffect(Random.nextIntBetween(0, 500), options.kills),
    `shaping ${options.seed}`
  )
  const inFlight: Array<number> = []
  const violations: Array<string> = []
  let tooMany = 0
  for (const milliseconds of moments) {
    yield* Effect.sleep(milliseconds)
    const before = yield* level
    for (let place = 0; place < options.workers; place++) inFlight.push(yield* Fleet.kill(yield* fleet.at(place)))
    const begun = refused
    for (let place = 0; place < options.workers; place++) yield* fleet.refill(place)
    for (let place = 0; place < options.workers; place++) yield* fleet.at(place)
    yield* Effect.sleep(watched)
    // A mail a minute is the least rate, and new workers begin without any.
    tooMany += Math.max(0, refused - begun - 1)
    const after = yield* level
    if (after < before) violations.push(`the level fell from ${before} to ${after} when all workers died`)
  }
  if (tooMany > 0) violations.push(`new workers tried ${tooMany} mails more than the rate allows`)
  yield* until("the mail to others", Effect.sync(sink.accepted), (count) => count >= others, patience)
  yield* Effect.sleep("2 seconds")
  const got = yield* copies()
  const extra = [...got.values()].reduce((sum, count) => sum + count - 1, 0)
  const bound = Numbers.sumAll(inFlight)
  const lost = Math.max(0, others - got.size)
  return {
    accepted: options.contacts,
    delivered: got.size,
    lost,
    extra,
    bound,
    ambiguous: 0,
    resting: 0,
    figures: { "refused mails": refused },
    violations: [
      ...violations,
      ...(lost > 0 ? [`${lost} mails to others did not leave`] : []),
      ...(extra > bound ? [`${extra} extra copies, although ${bound} mails were in flight at the kills`] : [])
    ]
  } satisfies Verdict
})
