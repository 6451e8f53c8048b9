/** Several workers race for the same emails (fault matrix F5). */
import { Effect } from "effect"
import { Installation, usualConcurrency } from "./Installation.ts"
import * as Ledger from "./Ledger.ts"
import * as Load from "./Load.ts"
import { promising, verdict } from "./Verdict.ts"
import { until } from "./Waiting.ts"

export interface Options {
  readonly mails: number
  readonly workers: number
}

/** Emails that are inserted at one moment. */
const atOnce = 100

/**
 * Returns the verdict, and whether the peer ever had more connections than one worker opens: otherwise there was no
 * race.
 */
export const race = Effect.fn("Race.race")(function* ({ mails, workers }: Options) {
  const { api, senders, sink, startWorker } = yield* Installation
  let connections = 0
  sink.misbehave(({ stage }) => {
    connections = Math.max(connections, sink.openConnections())
    return stage === "dot" ? { delay: 20 } : undefined
  })
  const started = yield* Effect.forEach(Array.from({ length: workers }), () => startWorker(), {
    concurrency: "unbounded"
  })

  const accepted = new Set<string>()
  const requests = senders.flatMap((project, place): ReadonlyArray<Load.Request> => {
    const share = Math.floor(mails / senders.length) + (place < mails % senders.length ? 1 : 0)
    const parts = Array.from({ length: Math.ceil(share / atOnce) }, (_, part) => part * atOnce)
    return parts.map((first) => {
      const count = Math.min(atOnce, share - first)
      const to = Array.from({ length: count }, (_, n) => `racer-${place}-${first + n}@example.com`)
      return { project, key: `race-${first}`, body: Load.mailTo(project, to) }
    })
  })
  yield* Load.acceptAll(() => api.url, requests, accepted)
  yield* until("the end of all mails", Ledger.unfinished, (count) => count === 0)
  const claimedAgain = (yield* Ledger.entries).filter(({ claims }) => claims !== 1).length
  const log = started.map((worker) => worker.log().trim()).join("\n")
  // A worker that cannot send a mail gives it up and says why. Nobody takes a mail from a worker that holds it.
  const isTaken = log.includes("Claim lost") || (claimedAgain > 0 && log.trim() === "")
  const found = { raced: connections > usualConcurrency, ...(yield* verdict(accepted, 0)) }
  return promising(found, `${claimedAgain} mails were claimed more than once. The workers wrote: ${log}`, !isTaken)
})
