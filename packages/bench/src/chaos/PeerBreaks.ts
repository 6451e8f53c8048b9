/** The connection to the peer breaks at any stage of a message, under load (fault matrix F12). */
import { stages } from "@posthorn/mailer-smtp/testing"
import { Effect, Random } from "effect"
import { Installation } from "./Installation.ts"
import * as Ledger from "./Ledger.ts"
import * as Load from "./Load.ts"
import { promising, verdict } from "./Verdict.ts"
import { until } from "./Waiting.ts"

export interface Options {
  readonly seed: string
  readonly mails: number
  readonly workers: number
  readonly breaks: number
}

/**
 * Returns how often it broke at each stage, and the verdict: a copy only if the peer had the whole message and did not
 * reply.
 */
export const breaks = Effect.fn("PeerBreaks.breaks")(function* ({ breaks, mails, seed, workers }: Options) {
  const { api, senders, sink, startWorker } = yield* Installation
  // The number of stages between two breaks.
  const gaps = yield* Random.withSeed(
    Effect.replicateEffect(Random.nextIntBetween(1, Math.max(2, Math.floor((mails * 6) / breaks))), breaks),
    `breaks ${seed}`
  )
  const broken: Record<string, number> = Object.fromEntries(stages.map((stage) => [stage, 0]))
  let left = gaps.shift()
  sink.misbehave(({ stage }) => {
    if (left === undefined || left-- > 0) return
    left = gaps.shift()
    broken[stage] = (broken[stage] ?? 0) + 1
    return { drop: true }
  })
  yield* Effect.replicateEffect(startWorker(), workers)
  const accepted = new Set<string>()
  const requests = yield* Random.withSeed(Load.plan(senders, mails, `breaks-${seed}`), `mails ${seed}`)
  yield* Load.acceptAll(() => api.url, requests, accepted)
  yield* until("the end of all mails", Effect.andThen(Ledger.endWaits, Ledger.unfinished), (count) => count === 0)
  const found = { broken, ...(yield* verdict(accepted, broken["dot"] ?? 0)) }
  return promising(found, "The connection broke less often than it should", left === undefined)
})
