import { Effect } from "effect"
import * as Sink from "../processes/Sink.ts"
import type { Row } from "../Row.ts"
import * as Campaigning from "./Campaigning.ts"

const delayMillis = 100
const connections = 100

export const row: Row = {
  id: "C7",
  title: `a campaign to a peer that answers after ${delayMillis} ms`,
  needsPostgres: true,
  conditions: [
    `one worker, a pool of ${connections} connections; from the call of send to the last 250`,
    "baseline: the same with a peer that answers at once"
  ],
  cases: Effect.gen(function* () {
    const staged = (peer: typeof Sink.start) => Effect.map(Campaigning.stage("C7", peer, connections), Campaigning.sent)
    const slow = yield* staged(Sink.startSlow(delayMillis))
    const quick = yield* staged(Sink.start)
    return [{ name: "sent", unit: "mails/s", target: ">= 0.8", posthorn: slow, baselines: { "no delay": quick } }]
  })
}
