/** Emails that cannot be read, built or sent are in the queue among others (fault matrix F21). */
import { Array, Duration, Effect, Random } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { Installation } from "./Installation.ts"
import * as Ledger from "./Ledger.ts"
import * as Load from "./Load.ts"
import { verdict } from "./Verdict.ts"
import { until } from "./Waiting.ts"

export interface Options {
  /** Seeds all random choices: requests, and what is wrong with which email. */
  readonly seed: string
  readonly mails: number
  readonly workers: number
  readonly poisons: number
}

/** Updates of a row in `emails` to values that the API would never accept. */
const spoils: Array.NonEmptyReadonlyArray<(sql: SqlClient.SqlClient) => Statement.Fragment> = [
  (sql) => sql`type = 'NEWS'`,
  (sql) => sql`attachments = '[{"nonsense": true}]'`,
  (sql) => sql`headers = '{"X-Count": {"of": 1}}'`,
  (sql) => sql`to_email = replace(to_email, '@', ' @')`,
  (sql) => sql`to_email = replace(to_email, '@', E'>\\r\\nDATA\\r\\n@')`,
  (sql) => sql`content_id = gen_random_uuid()`,
  (sql) => sql`content_id = null`
]

/** Suspect emails are tried one at a time, some seconds apart. */
const patience = Duration.minutes(15)

const refusal = (address: string) => (address.startsWith("poison-") ? "FAILED" : undefined)

/** Returns the verdict: each of them ends, and no other email fails with it. */
export const swallow = Effect.fn("PoisonMail.swallow")(function* (options: Options) {
  const { api, senders, startWorker } = yield* Installation
  const sql = yield* SqlClient.SqlClient
  const accepted = new Set<string>()
  const url = () => api.url
  const poisons = Array.makeBy(options.poisons, (n): Load.Request => {
    const project = senders[n % senders.length] ?? senders[0]
    return { project, key: `poison-${n}`, body: Load.mailTo(project, [`poison-${n}@example.com`]) }
  })
  const drawn = Effect.gen(function* () {
    const requests = yield* Load.plan(senders, options.mails, `neighbour-${options.seed}`)
    const spoil = Effect.orDie(Random.choice(spoils))
    return {
      requests: yield* Random.shuffle([...requests, ...poisons]),
      changes: yield* Effect.replicateEffect(spoil, options.poisons)
    }
  })
  const { changes, requests } = yield* Random.withSeed(drawn, `poison ${options.seed}`)
  yield* Load.acceptAll(url, requests, accepted)
  for (const [n, change] of changes.entries()) {
    yield* Effect.orDie(sql`update emails set ${change(sql)} where to_email = ${`poison-${n}@example.com`}`)
  }
  yield* Effect.replicateEffect(startWorker(), options.workers)
  yield* until(
    "the end of all mails",
    Effect.andThen(Ledger.endWaits, Ledger.unfinished),
    (count) => count === 0,
    patience
  )
  return yield* verdict(accepted, 0, refusal)
})
