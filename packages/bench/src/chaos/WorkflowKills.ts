/** Workers die at random moments while contacts go through a workflow with every kind of effect (fault matrix F25). */
import { Array, Duration, Effect, Number as Numbers, Random, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Workflows from "../load/Workflows.ts"
import * as Fleet from "./Fleet.ts"
import { Installation } from "./Installation.ts"
import * as Ledger from "./Ledger.ts"
import { promisingAll, verdict } from "./Verdict.ts"
import { until } from "./Waiting.ts"
import * as WebhookPeer from "./WebhookPeer.ts"

export interface Options {
  /** Seeds all random choices: moments and victims. */
  readonly seed: string
  readonly contacts: number
  readonly workers: number
  readonly kills: number
}

const event = "signed_up"

const stepsOf = (template: string, url: string): ReadonlyArray<Workflows.Step> => [
  { type: "SEND_EMAIL", templateId: template },
  { type: "WEBHOOK", config: { url } },
  { type: "UPDATE_CONTACT", config: { subscriptionAction: "unsubscribe" } },
  { type: "DELAY", config: { amount: 0.02, unit: "minutes" } },
  { type: "UPDATE_CONTACT", config: { updates: { welcomed: true } } },
  { type: "EXIT", config: { reason: "welcomed" } }
]

/** For the rest after the last kill. */
const patience = Duration.minutes(15)

const Counts = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Record(Schema.String, Schema.Int)]))
const Ids = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: Schema.String })))

const counted = (statement: (sql: SqlClient.SqlClient) => Effect.Effect<ReadonlyArray<unknown>, unknown>) =>
  SqlClient.SqlClient.use((sql) => Effect.flatMap(statement(sql), Counts)).pipe(
    Effect.map(([found]) => found),
    Effect.orDie
  )

const count = (of: string) =>
  Effect.map(
    counted((sql) => sql.unsafe(`select count(*)::int as count from ${of}`)),
    ({ count = 0 }) => count
  )

const visits = count("workflow_step_executions where completed_at is not null")
/** Undispatched events, and executions that have not ended. */
const left = count(`(
  select event_id from event_outbox join events on events.project_id = event_outbox.project_id and events.id = event_id
  where name = '${event}' union all
  select id from workflow_executions where status in ('RUNNING', 'WAITING')) as waits`)
const underWay = count("workflow_executions where lease_until > clock_timestamp()")

/** Replaces 60 seconds. It also affects the calls of living workers, whose answers then no longer count. */
const endLeases = SqlClient.SqlClient.use((sql) =>
  Effect.orDie(sql`
    update workflow_executions set lease_until = clock_timestamp() - interval '1 second'
    where lease_until is not null`)
)

/** The number of effects of each kind. */
const effects = counted(
  (sql) => sql`
    select (select count(*)::int from workflow_executions where status = 'EXITED') as exited,
           (select count(*)::int from workflow_step_executions) as visits,
           (select count(*)::int from (
              select distinct execution_id, step_id from workflow_step_executions
              where status = 'COMPLETED' and iteration = 1) as visit) as "visitsOnce",
           (select count(*)::int from emails) as mails,
           (select count(distinct workflow_execution_id)::int from emails) as mailed,
           (select count(*)::int from events where name = 'contact.unsubscribed') as flips,
           (select count(distinct contact_id)::int from events where name = 'contact.unsubscribed') as flipped,
           (select count(*)::int from contacts where data -> 'welcomed' = 'true' and not subscribed) as welcomed`
)

/**
 * Returns the running calls at each kill, and the verdict: each contact went through each step once, with one email,
 * one change of its subscription, and calls of one id, repeated no more often than they were running at the kills.
 */
export const kills = Effect.fn("WorkflowKills.kills")(function* (options: Options) {
  const { api, senders } = yield* Installation
  const sql = yield* SqlClient.SqlClient
  const [sender] = senders
  const peer = yield* WebhookPeer.make
  const fleet = yield* Fleet.make(options.workers)
  const steps = stepsOf(sender.template, peer.url)
  yield* Effect.orDie(Workflows.create(api, sender.key, { name: "Welcome", event, steps }))
  yield* Workflows.contacts(sender.id, options.contacts)
  yield* Workflows.events(sender.id, event)

  const all = options.contacts * steps.length
  const moment = Effect.all({
    place: Random.nextIntBetween(0, options.workers - 1),
    steps: Random.nextIntBetween(0, Math.floor(all / (options.kills + 1))),
    milliseconds: Random.nextIntBetween(0, 60)
  })
  const drawn = yield* Random.withSeed(Effect.replicateEffect(moment, options.kills), `workflow ${options.seed}`)
  const calling: Array<number> = []
  const inFlight: Array<number> = []
  for (const [number, { milliseconds, place, steps: more }] of drawn.entries()) {
    const worker = yield* fleet.at(place)
    // The first worker dies while executions start.
    const wanted = number === 0 ? 0 : Math.min((yield* visits) + more, Math.floor(all * 0.8))
    yield* until("steps to be taken", visits, (taken) => taken >= wanted)
    yield* Effect.sleep(milliseconds)
    inFlight.push(yield* Fleet.kill(worker))
    calling.push(yield* underWay)
    yield* endLeases
    yield* fleet.refill(place)
  }
  yield* until("the end of all executions", left, (waiting) => waiting === 0, patience)
  yield* until("the end of all mails", Effect.andThen(Ledger.endWaits, Ledger.unfinished), (mails) => mails === 0)

  const made = yield* Effect.flatMap(sql`select id from emails`, Ids).pipe(Effect.orDie)
  const found = { calling, ...(yield* verdict(new Set(made.map(({ id }) => id)), Numbers.sumAll(inFlight))) }
  const { contacts } = options
  const of = yield* effects
  const ids = Array.dedupe(peer.calls.map(({ id }) => id))
  const told = Array.dedupe(peer.calls.map(({ execution }) => execution))
  return promisingAll(found, [
    ["An execution has not ended", of["exited"] === contacts],
    ["A step did not run exactly once", of["visits"] === all && of["visitsOnce"] === all],
    ["A contact does not have exactly one mail", of["mails"] === contacts && of["mailed"] === contacts],
    ["A subscription did not change exactly once", of["flips"] === contacts && of["flipped"] === contacts],
    ["A contact was not changed", of["welcomed"] === contacts],
    ["A call has another id than its earlier tries", ids.length === contacts && told.length === contacts],
    ["More calls were repeated than were under way", peer.calls.length <= contacts + Numbers.sumAll(calling)]
  ])
})
