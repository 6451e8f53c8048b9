/** The database stops abruptly and returns while requests and emails flow (fault matrix F8). */
import { Effect, Exit, Random } from "effect"
import { SqlClient } from "effect/sql"
import type { Cluster } from "./Cluster.ts"
import { Installation } from "./Installation.ts"
import * as Ledger from "./Ledger.ts"
import * as Load from "./Load.ts"
import { promising, verdict } from "./Verdict.ts"
import { until } from "./Waiting.ts"

export interface Options {
  readonly seed: string
  readonly mails: number
  readonly workers: number
  readonly outages: number
  readonly downMilliseconds: number
}

/** The answers of an API process without its database. */
const answers = Effect.gen(function* () {
  const {
    api,
    senders: [project]
  } = yield* Installation
  const status = (answer: Effect.Effect<Load.Answer>) => Effect.map(answer, ({ status }) => status)
  const mail: Load.Request = { project, key: "while-down", body: Load.mailTo(project, ["down@example.com"]) }
  return {
    health: yield* status(Load.get(`${api.url}/health`)),
    ready: yield* status(Load.get(`${api.url}/ready`)),
    send: yield* status(Load.post(api.url, mail))
  }
})

const isBack = SqlClient.SqlClient.use((sql) => Effect.exit(sql`select 1`))

/**
 * Returns the answers of the API during each outage, and the verdict: no process of ours died, so there are no copies.
 */
export const outages = Effect.fn("Outage.outages")(function* (cluster: Cluster, options: Options) {
  const { api, senders, sink, startWorker } = yield* Installation
  sink.misbehave(({ stage }) => (stage === "dot" ? { delay: 50 } : undefined))
  const requests = yield* Random.withSeed(Load.plan(senders, options.mails, `mail-${options.seed}`), options.seed)
  yield* Effect.forEach(Array.from({ length: options.workers }), () => startWorker())

  const accepted = new Set<string>()
  const meanwhile: Array<Effect.Success<typeof answers>> = []
  const ends = Effect.gen(function* () {
    for (let outage = 1; outage <= options.outages; outage++) {
      const enough = (options.mails * outage) / (options.outages + 1)
      yield* until("mails to flow", Effect.sync(sink.accepted), (count) => count >= enough)
      yield* cluster.stopAtOnce
      meanwhile.push(yield* answers)
      yield* Effect.sleep(options.downMilliseconds)
      yield* cluster.start
      yield* until("the database", isBack, Exit.isSuccess)
      yield* Ledger.endKeyLeases
    }
  })
  const flow = Load.acceptAll(() => api.url, requests, accepted)
  yield* Effect.all([ends, flow], { concurrency: "unbounded" })
  yield* until("the end of all mails", Ledger.unfinished, (count) => count === 0)
  const isSaid = meanwhile.every(({ health, ready, send }) => health === 200 && ready === 503 && send === 503)
  const found = { meanwhile, ...(yield* verdict(accepted, 0)) }
  return promising(found, "The API did not say in order that there is no database", isSaid)
})
