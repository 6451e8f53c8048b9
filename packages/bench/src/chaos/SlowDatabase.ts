/** The connection to the database is slow or stalls for a while, and many requests wait (fault matrix F10). */
import { Array, Effect, Fiber, Random } from "effect"
import { rssMegabytes } from "../machine/ProcessTimes.ts"
import { Installation } from "./Installation.ts"
import * as Ledger from "./Ledger.ts"
import * as Load from "./Load.ts"
import * as SlowWire from "./SlowWire.ts"
import { promisingAll, verdict } from "./Verdict.ts"
import { until } from "./Waiting.ts"

export interface Options {
  /** Seeds all random choices: requests, moments, and the delay. */
  readonly seed: string
  readonly mails: number
  readonly workers: number
  readonly stalls: number
}

/** More than the API processes concurrently. */
const crowdSize = 700

const drawMoment = (number: number) =>
  Effect.all({
    mails: Random.nextIntBetween(5, 40),
    // Every other time it stalls completely, for less than a lease.
    delay: number % 2 === 0 ? Effect.succeed(Number.POSITIVE_INFINITY) : Random.nextIntBetween(50, 400),
    milliseconds: Random.nextIntBetween(1_000, 4_000)
  })

/**
 * Returns the answers of the API meanwhile, its memory, and the verdict: requests above the limit are refused, and
 * nothing is lost or copied.
 */
export const stalls = Effect.fn("SlowDatabase.stalls")(function* (options: Options) {
  const { databaseUrl, senders, startApi, startWorker } = yield* Installation
  const wire = yield* SlowWire.make(databaseUrl)
  const api = yield* startApi({ databaseUrl: wire.url })
  yield* Effect.replicateEffect(startWorker({ databaseUrl: wire.url }), options.workers)
  const moments = yield* Random.withSeed(
    Effect.forEach(Array.range(0, options.stalls - 1), drawMoment),
    `stalls ${options.seed}`
  )
  const accepted = new Set<string>()
  const answers: Record<string, number> = {}
  const rss: globalThis.Array<number> = []
  let isAlive = true
  let isShed = true
  const look = (number: number) =>
    Effect.gen(function* () {
      const { key } = senders[number % senders.length] ?? senders[0]
      const { status } = yield* Load.ask("GET", `${api.url}/contacts?limit=1`, { key, patience: 60_000 })
      answers[status] = (answers[status] ?? 0) + 1
      return status
    })
  const ends = Effect.gen(function* () {
    for (const { delay, mails, milliseconds } of moments) {
      const before = accepted.size
      yield* until(
        "requests to be answered",
        Effect.sync(() => accepted.size - before),
        (count) => count >= mails
      )
      wire.delay(delay)
      const crowd = yield* Effect.forkChild(
        Effect.forEach(Array.range(1, Number.isFinite(delay) ? 20 : crowdSize), look, { concurrency: "unbounded" })
      )
      yield* Effect.sleep(milliseconds)
      isAlive &&= (yield* Load.get(`${api.url}/health`)).status === 200
      wire.delay(0)
      const statuses = yield* Fiber.join(crowd)
      isShed &&= Number.isFinite(delay) || statuses.includes(503)
      rss.push((yield* rssMegabytes(api.pid)) ?? 0)
    }
  })
  yield* Load.during({ ...options, url: () => api.url, senders, part: 50, accepted, patience: 60_000 }, ends)
  yield* until("the end of all mails", Effect.andThen(Ledger.endWaits, Ledger.unfinished), (count) => count === 0)

  const found = { answers, rss, ...(yield* verdict(accepted, 0)) }
  const strange = Object.keys(answers).filter((status) => !["200", "429", "503"].includes(status))
  return promisingAll(found, [
    ["The API did not say that it lives while the database was away", isAlive],
    ["No request was refused", isShed],
    [`Requests were answered ${strange.join(", ")}`, strange.length === 0]
  ])
})
