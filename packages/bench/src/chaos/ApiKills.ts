/** kill -9 of the API process while clients send with keys and retry (fault matrix F2). */
import { Effect, Random } from "effect"
import { Installation } from "./Installation.ts"
import * as Ledger from "./Ledger.ts"
import * as Load from "./Load.ts"
import { verdict } from "./Verdict.ts"
import { until } from "./Waiting.ts"

export interface Options {
  readonly seed: string
  readonly mails: number
  readonly kills: number
}

const drawMoment = Effect.all({
  mails: Random.nextIntBetween(1, 40),
  milliseconds: Random.nextIntBetween(0, 40)
})

/** Returns the verdict: one email for each key and recipient, and no copies, because no worker died. */
export const kills = Effect.fn("ApiKills.kills")(function* (options: Options) {
  const { senders, startApi, startWorker } = yield* Installation
  yield* startWorker()
  const moments = yield* Random.withSeed(Effect.replicateEffect(drawMoment, options.kills), `kills ${options.seed}`)
  const accepted = new Set<string>()
  let api = yield* startApi()

  const ends = Effect.gen(function* () {
    for (const { mails, milliseconds } of moments) {
      const before = accepted.size
      const acceptedSince = Effect.sync(() => accepted.size - before)
      yield* until("requests to be answered", acceptedSince, (count) => count >= mails)
      yield* Effect.sleep(milliseconds)
      api.signal("SIGKILL")
      yield* api.ended
      yield* Ledger.endKeyLeases
      api = yield* startApi()
    }
  })

  yield* Load.during({ ...options, url: () => api.url, senders, part: 200, accepted }, ends)
  yield* until("the end of all mails", Ledger.unfinished, (count) => count === 0)
  return yield* verdict(accepted, 0)
})
