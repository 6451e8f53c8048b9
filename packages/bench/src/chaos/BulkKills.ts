/**
 * Workers die while a bulk job unsubscribes contacts: before the commit of a step, after it, and at random moments (fault
 * matrix F38). Each contact is changed once, with one event and one record of consent.
 */
import { Duration, Effect, Random, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Workflows from "../load/Workflows.ts"
import * as Api from "../processes/Api.ts"
import * as Fleet from "./Fleet.ts"
import { Installation } from "./Installation.ts"
import { promisingAll, verdict } from "./Verdict.ts"
import { until } from "./Waiting.ts"

export interface Options {
  /** Seeds the moments. */
  readonly seed: string
  readonly contacts: number
  readonly kills: number
}

const patience = Duration.minutes(10)

const Queued = Schema.Struct({ jobId: Schema.String })
const Previewed = Schema.Struct({ count: Schema.Int, confirmationToken: Schema.String })
const Job = Schema.Struct({
  state: Schema.String,
  result: Schema.NullOr(Schema.Struct({ successCount: Schema.Int, unchanged: Schema.Int, failureCount: Schema.Int }))
})
const Found = Schema.decodeUnknownEffect(
  Schema.Tuple([
    Schema.Struct({
      unsubscribed: Schema.Int,
      events: Schema.Int,
      ofEvents: Schema.Int,
      records: Schema.Int,
      ofRecords: Schema.Int
    })
  ])
)

export const kills = Effect.fn("BulkKills.kills")(function* ({ contacts, kills, seed }: Options) {
  const { api, senders, startWorker } = yield* Installation
  const sql = yield* SqlClient.SqlClient
  const [sender] = senders
  const ask = <A>(method: string, path: string, status: number, answer: Schema.ConstraintDecoder<A>, body?: object) =>
    Effect.orDie(Api.ask(api, sender.key, { method, path, body, status }, answer))

  yield* Workflows.contacts(sender.id, contacts)
  const change = { operation: "unsubscribe", select: { all: true } }
  const { confirmationToken } = yield* ask("POST", "/contacts/bulk", 200, Previewed, { ...change, dryRun: true })
  const { jobId } = yield* ask("POST", "/contacts/bulk", 202, Queued, { ...change, confirmationToken })
  const job = ask("GET", `/contacts/bulk/${jobId}`, 200, Job)

  const moment = Effect.all({ isEarly: Random.nextBoolean, milliseconds: Random.nextIntBetween(0, 300) })
  const drawn = yield* Random.withSeed(Effect.replicateEffect(moment, kills), `bulk ${seed}`)
  let early = 0
  for (const [n, { isEarly, milliseconds }] of drawn.entries()) {
    // Every other worker makes a step: a job whose runners die three times without one has failed.
    const isRandom = n % 2 === 1 && !isEarly
    const doomed = yield* startWorker(isRandom ? {} : { failAt: n % 2 === 0 ? "after_bulk_step" : "in_bulk_step" })
    if (isRandom) {
      yield* Effect.sleep(milliseconds)
      doomed.signal("SIGKILL")
    }
    yield* Effect.raceFirst(doomed.ended, Effect.sleep("60 seconds"))
    doomed.signal("SIGKILL")
    yield* doomed.ended
    if ((yield* job).state === "completed") early = early || n + 1
    yield* Fleet.endJobLeases
  }
  yield* startWorker()
  const { result, state } = yield* until(
    "the end of the job",
    job,
    ({ state }) => state === "completed" || state === "failed",
    patience
  )
  const [found] = yield* sql`
    select (select count(*)::int from contacts where project_id = ${sender.id} and not subscribed) as unsubscribed,
           (select count(*)::int from events
            where project_id = ${sender.id} and name = 'contact.unsubscribed') as events,
           (select count(distinct contact_id)::int from events
            where project_id = ${sender.id} and name = 'contact.unsubscribed') as "ofEvents",
           (select count(*)::int from consents where project_id = ${sender.id} and action = 'withdrawn') as records,
           (select count(distinct contact_id)::int from consents
            where project_id = ${sender.id} and action = 'withdrawn') as "ofRecords"`.pipe(
    Effect.flatMap(Found),
    Effect.orDie
  )
  const isAll = (...counts: ReadonlyArray<number>) => counts.every((count) => count === contacts)
  const promises: ReadonlyArray<readonly [string, boolean]> = [
    [`The job ended ${state}`, state === "completed"],
    [`The job was over after ${early} of ${kills} kills`, early === 0],
    [`The job says ${JSON.stringify(result)}`, isAll(result?.successCount ?? 0)],
    [`${found.unsubscribed} of ${contacts} contacts are unsubscribed`, isAll(found.unsubscribed)],
    [`${found.events} events of ${found.ofEvents} contacts`, isAll(found.events, found.ofEvents)],
    [`${found.records} records of ${found.ofRecords} contacts`, isAll(found.records, found.ofRecords)]
  ]
  return promisingAll({ ...(yield* verdict(new Set(), 0)), figures: { contacts } }, promises)
}, Effect.scoped)
