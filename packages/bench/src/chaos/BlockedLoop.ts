/** A worker whose event loop is blocked for longer than its lease while it holds emails (fault matrix F7). */
import { Effect } from "effect"
import { Installation } from "./Installation.ts"
import * as Ledger from "./Ledger.ts"
import * as Load from "./Load.ts"
import { promising, verdict } from "./Verdict.ts"
import { until } from "./Waiting.ts"

export interface Options {
  readonly mails: number
  /** Above 30, unless the lease is shortened. */
  readonly seconds: number
  /** Seconds left of the lease when the loop blocks; default: unchanged. */
  readonly left?: number
}

/** Returns the verdict: the thread beside the loop renews the lease, so that no other worker sends a copy. */
export const block = Effect.fn("BlockedLoop.block")(function* ({ mails, seconds, left }: Options) {
  const { sink, startWorker } = yield* Installation
  const blocked = yield* startWorker({ concurrency: 2, failAt: `after_reply:${seconds}` })
  const accepted = new Set(yield* Load.send(Load.people("blocked", mails)))
  yield* until("a mail to arrive", Effect.sync(sink.accepted), (count) => count > 0)
  if (left !== undefined) yield* Ledger.shortenLease(blocked.id, left)
  yield* startWorker()
  yield* until("the end of all mails", Ledger.unfinished, (count) => count === 0)
  const twice = (yield* Ledger.entries).filter(({ claims }) => claims !== 1).length
  return promising(yield* verdict(accepted, 0), `${twice} mails were taken from a worker that lived`, twice === 0)
})
