/**
 * kill -9 of the API process while clients hand over mail and repeat what got no answer (fault matrix F2): by requests
 * with keys, by batches whose items have keys, or by SMTP.
 */
import { type Array, Effect, Random } from "effect"
import * as Batches from "./Batches.ts"
import { Installation } from "./Installation.ts"
import * as Ledger from "./Ledger.ts"
import * as Load from "./Load.ts"
import * as Submissions from "./Submissions.ts"
import { promising, verdict } from "./Verdict.ts"
import { until } from "./Waiting.ts"

export interface Options {
  readonly seed: string
  readonly mails: number
  readonly kills: number
}

/** At a random moment, or just before or after the commit that accepts mail. */
const moments: Array.NonEmptyReadonlyArray<"random" | "before_accept_commit" | "after_accept_commit"> = [
  "random",
  "before_accept_commit",
  "after_accept_commit"
]

const drawMoment = Effect.all({
  at: Effect.orDie(Random.choice(moments)),
  mails: Random.nextIntBetween(1, 40),
  milliseconds: Random.nextIntBetween(0, 40)
})

/** Milliseconds. A batch takes longer than other requests, above all beside servers that start. */
const busyPatience = 60_000

/** `accepted` grows with the answers to clients: ids, or addresses. */
const underKills = Effect.fnUntraced(function* (options: Options, accept: Load.Accept, accepted: Set<string>) {
  const { senders, startApi, startWorker } = yield* Installation
  const start = (failAt?: "before_accept_commit" | "after_accept_commit") =>
    startApi({
      ...(failAt && { failAt }),
      environment: { POSTHORN_SUBMISSION_PORT: "0", POSTHORN_SUBMISSION_RATE_PER_MINUTE: "0" }
    })
  yield* startWorker()
  const drawn = yield* Random.withSeed(Effect.replicateEffect(drawMoment, options.kills), `kills ${options.seed}`)
  let api = yield* start()

  const ends = Effect.gen(function* () {
    for (const { at, mails, milliseconds } of drawn) {
      const before = accepted.size
      const acceptedSince = Effect.sync(() => accepted.size - before)
      yield* until("requests to be answered", acceptedSince, (count) => count >= mails)
      yield* Effect.sleep(milliseconds)
      api.signal("SIGKILL")
      yield* api.ended
      yield* Ledger.endKeyLeases
      if (at !== "random") {
        api = yield* start(at)
        yield* api.ended
        yield* Ledger.endKeyLeases
      }
      api = yield* start()
    }
  })

  const flow = { ...options, url: () => api.url, senders, part: 200, accept, accepted, patience: busyPatience }
  yield* Load.during(flow, ends)
  yield* until("the end of all mails", Ledger.unfinished, (count) => count === 0)
})

/** Returns the verdict: one email for each key and recipient, and no copies, because no worker died. */
export const kills = Effect.fn("ApiKills.kills")(function* (options: Options) {
  const accepted = new Set<string>()
  yield* underKills(options, Load.acceptAll, accepted)
  return yield* verdict(accepted, 0)
})

/** The same for batches that are repeated with `replay`. */
export const ofBatches = Effect.fn("ApiKills.ofBatches")(function* (options: Options) {
  const accepted = new Set<string>()
  yield* underKills(options, Batches.accept, accepted)
  return yield* verdict(accepted, 0)
})

/** The same for messages that clients submit. Each recipient has one address and gets one mail. */
export const ofSubmissions = Effect.fn("ApiKills.ofSubmissions")(function* (options: Options) {
  const recipients = new Set<string>()
  yield* underKills(options, Submissions.accept, recipients)
  const byAddress = new Map((yield* Ledger.entries).map(({ id, to }) => [to, id]))
  const missing = [...recipients].filter((to) => !byAddress.has(to)).length
  const accepted = new Set([...recipients].flatMap((to) => byAddress.get(to) ?? []))
  const idOf = ({ rcpt }: { readonly rcpt: string }) => byAddress.get(rcpt) ?? rcpt
  const found = yield* verdict(accepted, 0, undefined, idOf)
  return promising(found, `${missing} recipients were accepted and have no mail`, missing === 0)
})
