/** The peer defers every message or refuses every connection, and later accepts all (fault matrix F13). */
import type { Misbehave, Misbehaviour } from "@posthorn/mailer-smtp/testing"
import { type Array, Effect, Random, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Installation } from "./Installation.ts"
import * as Ledger from "./Ledger.ts"
import * as Load from "./Load.ts"
import { promising, verdict } from "./Verdict.ts"
import { until } from "./Waiting.ts"

export interface Options {
  /** Seeds all random choices: requests and storms. */
  readonly seed: string
  readonly mails: number
  readonly workers: number
  readonly storms: number
}

interface Storm {
  readonly peer: Misbehave
  /** Steps of the retry ladder that an email takes meanwhile. */
  readonly rungs: 0 | 1
  /** The peer refuses connections: emails stay due, and are tried now and then. */
  readonly isClosed: boolean
}

const saying = (stage: "rcpt" | "data" | "dot", reply: string, rungs: Storm["rungs"]): Storm => ({
  peer: (moment) => (moment.stage === stage ? { reply } : undefined),
  rungs,
  isClosed: false
})

/** New connections are refused, and existing ones are closed with 421. */
const closed = (entrance: Misbehaviour, at: "connect" | "banner"): Storm => ({
  peer: ({ stage }) => {
    if (stage === at) return entrance
    return stage === "mail" ? { reply: "421 4.3.2 Shutting down" } : undefined
  },
  rungs: 0,
  isClosed: true
})

const storms: Array.NonEmptyReadonlyArray<Storm> = [
  saying("rcpt", "451 4.3.0 Try again later", 1),
  saying("dot", "452 4.3.1 No room", 1),
  saying("rcpt", "421 4.7.0 Slow down", 0),
  saying("data", "450 4.7.1 Too many", 0),
  closed({ drop: true }, "connect"),
  closed({ reply: "421 4.3.2 Not now" }, "banner")
]

/** Connections of all workers together after which a closed peer has been tried often enough. */
const looks = 5

const Count = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ count: Schema.Int })]))

/** Emails that are due or claimed. */
const due = SqlClient.SqlClient.use((sql) =>
  Effect.flatMap(
    sql`select count(*)::int from emails where status = 'SENDING' or status = 'PENDING' and due_at <= now()`,
    Count
  )
).pipe(
  Effect.map(([{ count }]) => count),
  Effect.orDie
)

/**
 * Returns the verdict: no email fails, only deferred ones take a step of the retry ladder, and every email arrives
 * once.
 */
export const blow = Effect.fn("PeerStorms.blow")(function* (options: Options) {
  const { api, senders, sink, startWorker } = yield* Installation
  yield* Effect.replicateEffect(startWorker(), options.workers)
  const drawn = yield* Random.withSeed(
    Effect.replicateEffect(Effect.orDie(Random.choice(storms)), options.storms),
    `storms ${options.seed}`
  )
  const accepted = new Set<string>()
  const wrong: globalThis.Array<Ledger.Entry> = []
  for (const [number, { isClosed, peer, rungs }] of drawn.entries()) {
    sink.misbehave(peer)
    const met = sink.connections()
    const share = Math.ceil(options.mails / options.storms)
    const plan = Load.plan(senders, share, `storm-${options.seed}-${number}`)
    const requests = yield* Random.withSeed(plan, `mails ${options.seed}-${number}`)
    yield* Load.acceptAll(() => api.url, requests, accepted)
    if (isClosed) yield* until("looks", Effect.sync(sink.connections), (count) => count >= met + looks)
    else yield* until("all to be tried", due, (count) => count === 0)
    const waiting = (yield* Ledger.entries).filter(({ status }) => status !== "SENT")
    wrong.push(...waiting.filter(({ ladderStep, status }) => status === "FAILED" || ladderStep !== rungs))
    sink.misbehave(undefined)
    yield* until("the end of all mails", Effect.andThen(Ledger.endWaits, Ledger.unfinished), (count) => count === 0)
  }
  const found = yield* verdict(accepted, 0)
  const [first] = wrong
  return promising(
    found,
    `${wrong.length} mails climbed another rung, such as ${JSON.stringify(first)}`,
    first === undefined
  )
})
