/** kill -9 of workers at the seconds at which scheduled mail falls due (fault matrix F1). */
import { Array, DateTime, Effect, Random } from "effect"
import * as Fleet from "./Fleet.ts"
import { Installation } from "./Installation.ts"
import * as Ledger from "./Ledger.ts"
import * as Load from "./Load.ts"
import { promising, verdict } from "./Verdict.ts"
import { until } from "./Waiting.ts"

export interface Options {
  /** Seeds all random choices: moments and victims. */
  readonly seed: string
  readonly workers: number
  readonly kills: number
  /** That fall due at the second of each kill. */
  readonly mails: number
}

/** Long enough to accept all mails of a kill on a busy machine. */
const ahead = { seconds: 5 }

/** From the due time on: the job that makes mail due runs every second. */
const drawMoment = ({ workers }: Options) =>
  Effect.all({ place: Random.nextIntBetween(0, workers - 1), milliseconds: Random.nextIntBetween(-100, 1_500) })

/** Returns the mails in flight at each kill, and the verdict: no more copies than those, and no mail before its time. */
export const kills = Effect.fn("DueKills.kills")(function* (options: Options) {
  const { api, senders, sink } = yield* Installation
  // The peer has mails in flight for a while.
  sink.misbehave(({ stage }) => (stage === "dot" ? { delay: 100 } : undefined))
  const drawn = Effect.replicateEffect(drawMoment(options), options.kills)
  const moments = yield* Random.withSeed(drawn, `due ${options.seed}`)
  const fleet = yield* Fleet.make(options.workers)
  const accepted = new Set<string>()
  const dueAt = new Map<string, number>()
  const inFlight: globalThis.Array<number> = []
  for (const [number, { milliseconds, place }] of moments.entries()) {
    const worker = yield* fleet.at(place)
    const due = DateTime.addDuration(yield* DateTime.now, ahead)
    const scheduledFor = DateTime.formatIso(due)
    const requests = Array.map(Load.people(`due-${number}`, options.mails), (to): Load.Request => {
      dueAt.set(to, due.epochMilliseconds)
      const project = senders[dueAt.size % senders.length] ?? senders[0]
      return { project, key: to, body: { ...Load.mailTo(project, [to]), scheduledFor } }
    })
    yield* Load.acceptAll(() => api.url, requests, accepted)
    const wait = due.epochMilliseconds + milliseconds - (yield* DateTime.now).epochMilliseconds
    yield* Effect.sleep(Math.max(0, wait))
    inFlight.push(yield* Fleet.kill(worker))
    yield* fleet.refill(place)
  }
  yield* until("the end of all mails", Ledger.unfinished, (count) => count === 0)
  const early = sink.mails.filter(({ at, rcpt }) => at < (dueAt.get(rcpt) ?? 0)).length
  const bound = inFlight.reduce((sum, count) => sum + count, 0)
  return promising(
    { inFlight, ...(yield* verdict(accepted, bound)) },
    `${early} mails came before their time`,
    early === 0
  )
})
