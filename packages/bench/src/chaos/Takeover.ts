/** How long emails of a killed worker wait: lease, sweep and evidence run in real time. */
import { Clock, Effect } from "effect"
import { Installation } from "./Installation.ts"
import * as Ledger from "./Ledger.ts"
import * as Load from "./Load.ts"
import { verdict } from "./Verdict.ts"
import { until } from "./Waiting.ts"

/** Returns the seconds from each kill until everything is delivered, and the verdict. */
export const takeovers = Effect.fn("Takeover.takeovers")(function* (kills: number) {
  const { api, senders, sink, startWorker } = yield* Installation
  const accepted = new Set<string>()
  const seconds: Array<number> = []
  let bound = 0
  for (let kill = 1; kill <= kills; kill++) {
    const before = sink.accepted()
    const worker = yield* startWorker()
    sink.misbehave(({ stage }) => (stage === "dot" ? { delay: 1_000 } : undefined))
    const requests = yield* Load.plan(senders, 100, `takeover-${kill}`)
    yield* Load.acceptAll(() => api.url, requests, accepted)
    yield* until("mails on the wire", Effect.sync(sink.accepted), (count) => count > before)
    worker.signal("SIGKILL")
    yield* worker.ended
    const killedAt = yield* Clock.currentTimeMillis
    bound += yield* Ledger.inFlight(worker.id)
    sink.misbehave(undefined)
    const heir = yield* startWorker()
    yield* until("the end of all mails", Ledger.unfinished, (count) => count === 0)
    seconds.push(((yield* Clock.currentTimeMillis) - killedAt) / 1000)
    heir.signal("SIGTERM")
    yield* heir.ended
  }
  return { seconds, ...(yield* verdict(accepted, bound)) }
})
