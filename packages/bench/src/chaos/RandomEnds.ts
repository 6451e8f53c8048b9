/** Workers end at random moments while emails are sent: by kill -9 (fault matrix F1), or by SIGTERM (F4). */
import { Effect, Random } from "effect"
import * as Fleet from "./Fleet.ts"
import { Installation, type Worker } from "./Installation.ts"
import * as Ledger from "./Ledger.ts"
import * as Load from "./Load.ts"
import { promising, verdict } from "./Verdict.ts"
import { until } from "./Waiting.ts"

export interface Options {
  /** Seeds all random choices: requests, moments, victims. */
  readonly seed: string
  /** Emails flow until all ends have happened, and until there are this many. */
  readonly mails: number
  readonly workers: number
  readonly ends: number
}

/** Approximate minimum of waiting emails until the last end. */
const backlog = 200

/** Milliseconds before the last reply of the peer, so that emails are in flight at any moment. */
const replyDelays = [20, 50, 100, 200]

/**
 * Which worker ends, and when: after the peer has received a number of emails since it was ready, plus some
 * milliseconds.
 */
const drawMoment = ({ workers }: Options) =>
  Effect.all({
    place: Random.nextIntBetween(0, workers - 1),
    mails: Random.nextIntBetween(10, 80),
    milliseconds: Random.nextIntBetween(0, 40)
  })

/** The result for the emails that were accepted while workers ended, one after another. */
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

/** Returns the emails in flight at each kill, and the verdict: no more copies than those. */
export const kills = Effect.fn("RandomEnds.kills")(function* (options: Options) {
  const { accepted, results } = yield* underLoad(options, Fleet.kill)
  const bound = results.reduce((sum, inFlight) => sum + inFlight, 0)
  return { inFlight: results, ...(yield* verdict(accepted, bound)) }
})

/** Returns the verdict: no copies, nothing left in flight, and a clean exit. */
export const restarts = Effect.fn("RandomEnds.restarts")(function* (options: Options) {
  const { accepted, results } = yield* underLoad(options, Fleet.stop)
  const isInOrder = results.every(({ exit, inFlight }) => exit === 0 && inFlight === 0)
  const found = { stopped: results, ...(yield* verdict(accepted, 0)) }
  return promising(found, "A worker did not stop in order", isInOrder && found.ambiguous === 0)
})
