import { Effect } from "effect"
import * as Sink from "../processes/Sink.ts"
import type { Row, Run } from "../Row.ts"
import * as Campaigning from "./Campaigning.ts"

const delayMillis = 100
const connections = 100
const patienceSeconds = 600

export const row: Row = {
  id: "C7",
  title: `a campaign to a peer that answers after ${delayMillis} ms`,
  needsPostgres: true,
  conditions: [
    `one worker, a pool of ${connections} connections; from the call of send to the last 250`,
    "baseline: the same with a peer that answers at once"
  ],
  cases: Effect.gen(function* () {
    const staged = Effect.fnUntraced(function* (peer: typeof Sink.start) {
      const { sender, services, sink } = yield* Campaigning.stage("C7", peer, connections)
      const run: Run = ({ mails }) =>
        Effect.gen(function* () {
          yield* Campaigning.clear()
          yield* Campaigning.audience(sender, mails)
          const id = yield* Campaigning.draft(sender)
          const before = yield* sink.count
          const begun = Date.now()
          yield* Campaigning.begin(sender, id)
          const arrivals = yield* sink.arrivals(before, mails, patienceSeconds)
          yield* Campaigning.until(id, "status = 'SENT'")
          return { value: (mails * 1000) / (Math.max(...arrivals.map(({ at }) => at)) - begun) }
        }).pipe(Effect.provideContext(services))
      return run
    })
    const slow = yield* staged(Sink.startSlow(delayMillis))
    const quick = yield* staged(Sink.start)
    return [{ name: "sent", unit: "mails/s", target: ">= 0.8", posthorn: slow, baselines: { "no delay": quick } }]
  })
}
