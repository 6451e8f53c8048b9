/** The database connection breaks during commits of the API and of workers, under load (fault matrix F9). */
import { type Array, Effect, Random } from "effect"
import * as CutQuery from "./CutQuery.ts"
import { Installation } from "./Installation.ts"
import * as Ledger from "./Ledger.ts"
import * as Load from "./Load.ts"
import { verdict } from "./Verdict.ts"
import { until } from "./Waiting.ts"

export interface Options {
  /** Seeds all random choices: requests, moments, and the kind of each cut. */
  readonly seed: string
  readonly mails: number
  readonly cuts: number
}

const isCommit = (statement: string) => statement === "COMMIT"
/** A claim, or the record of a start or a result: each is its own transaction. */
const isWorkers = (statement: string) => statement.includes("claimed as (") || statement.includes("with mark as")

const kinds: Array.NonEmptyReadonlyArray<CutQuery.Cut> = ["before", "reply", "at once"]

const drawMoment = Effect.all({
  isApi: Random.nextBoolean,
  cut: Effect.orDie(Random.choice(kinds)),
  mails: Random.nextIntBetween(1, 30)
})

/** Returns how often each kind was cut, and the verdict: one email for each key and recipient, and no copies. */
export const cuts = Effect.fn("LostCommits.cuts")(function* (options: Options) {
  const { databaseUrl, senders, startApi, startWorker } = yield* Installation
  const [callers, workers] = [yield* CutQuery.make(databaseUrl), yield* CutQuery.make(databaseUrl)]
  const api = yield* startApi({ databaseUrl: callers.url })
  yield* startWorker({ databaseUrl: workers.url })
  const moments = yield* Random.withSeed(Effect.replicateEffect(drawMoment, options.cuts), `cuts ${options.seed}`)
  const accepted = new Set<string>()
  const ends = Effect.gen(function* () {
    for (const { cut, isApi, mails } of moments) {
      const before = accepted.size
      const acceptedSince = Effect.sync(() => accepted.size - before)
      yield* until("requests to be answered", acceptedSince, (count) => count >= mails)
      const wire = isApi ? callers : workers
      const cutsBefore = wire.cuts()
      wire.cutAt(isApi ? isCommit : isWorkers, cut)
      yield* until("the cut", Effect.sync(wire.cuts), (count) => count > cutsBefore)
      yield* Ledger.endKeyLeases
    }
  })
  // Slower than the workers, whose connections pass through this process.
  yield* Load.during({ ...options, url: () => api.url, senders, part: 20, accepted }, ends, Effect.sleep("500 millis"))
  yield* until("the end of all mails", Effect.andThen(Ledger.endWaits, Ledger.unfinished), (count) => count === 0)
  return { callers: callers.cuts(), workers: workers.cuts(), ...(yield* verdict(accepted, 0)) }
})
