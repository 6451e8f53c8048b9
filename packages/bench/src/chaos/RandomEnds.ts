/** Workers end at random moments while mail flows: by kill -9 (fault matrix F1), or by SIGTERM (F4). */
import { Effect, Random } from "effect"
import * as Fleet from "./Fleet.ts"
import { Installation, type Worker } from "./Installation.ts"
import * as Ledger from "./Ledger.ts"
import * as Load from "./Load.ts"
import { promising, verdict } from "./Verdict.ts"
import { until } from "./Waiting.ts"

export interface Options {
  /** What is drawn is drawn from it: requests, moments, victims. */
  readonly seed: string
  /** Mail flows until all ends have come, and until there are so many mails. */
  readonly mails: number
  readonly workers: number
  readonly ends: number
}

/** Mails that wait in the ledger, at least and about, for as long as there are ends to come. */
const backlog = 200

/** The peer takes its time for the last reply, so that mails are in flight at any moment. Milliseconds. */
const replyDelays = [20, 50, 100, 200]

/** Whose end, and when: after the peer got so many mails from the time that worker was ready, and milliseconds later. */
const drawMoment = ({ workers }: Options) =>
  Effect.all({
    place: Random.nextIntBetween(0, workers - 1),
    mails: Random.nextIntBetween(10, 80),
    milliseconds: Random.nextIntBetween(0, 40)
  })

/** What becomes of the mails that were accepted while workers met their ends, one after another. */
export const underLoad = Effect.fnUntraced(function* <A, R>(
  options: Options,
  end: (worker: Worker) => Effect.Effect<A, never, R>
) {
  const { api, senders, sink } = yield* Installation
  const drawn = Effect.replicateEffect(drawMoment(options), options.ends)
  const moments = yield* Random.withSeed(drawn, `ends ${options.seed}`)
  sink.misbehave(({ stage, mail }) => (stage === "dot" ? { delay: replyDelays[mail % replyDelays.length] } : undefined))
  const fleet = yield* Fleet.make(options.workers)
  const accepted = new Set<string>()

  const ends = Effect.gen(function* () {
    const results: Array<A> = []
    for (const { mails, milliseconds, place } of moments) {
      const worker = yield* fleet.at(place)
      const before = sink.accepted()
      yield* until("mails to flow", Effect.sync(sink.accepted), (count) => count >= before + mails)
      yield* Effect.sleep(milliseconds)
      results.push(yield* end(worker))
      yield* fleet.refill(place)
    }
    return results
  })

  const room = until("room for more mails", Ledger.unfinished, (count) => count < backlog)
  const flow = { ...options, url: () => api.url, senders, part: backlog, accepted }
  const results = yield* Load.during(flow, ends, room)
  yield* until("the end of all mails", Ledger.unfinished, (count) => count === 0)
  return { accepted, results }
})

/** Gives the mails in flight at each kill, and the verdict: no more copies than those. */
export const kills = Effect.fn("RandomEnds.kills")(function* (options: Options) {
  const { accepted, results } = yield* underLoad(options, Fleet.kill)
  const bound = results.reduce((sum, inFlight) => sum + inFlight, 0)
  return { inFlight: results, ...(yield* verdict(accepted, bound)) }
})

/** Gives the verdict: no copies at all, nothing left in flight, and an exit in order. */
export const restarts = Effect.fn("RandomEnds.restarts")(function* (options: Options) {
  const { accepted, results } = yield* underLoad(options, Fleet.stop)
  const isInOrder = results.every(({ exit, inFlight }) => exit === 0 && inFlight === 0)
  const found = { stopped: results, ...(yield* verdict(accepted, 0)) }
  return promising(found, "A worker did not stop in order", isInOrder && found.ambiguous === 0)
})
