/**
 * kill -9 at each of the eight windows in the life of an email: what remains, and how many copies there are (fault
 * matrix F3).
 */
import type { Window } from "@posthorn/core/platform/Failpoint"
import { Array, Effect, Random, type Scope } from "effect"
import * as CutBody from "./CutBody.ts"
import { Installation, type Worker } from "./Installation.ts"
import * as Ledger from "./Ledger.ts"
import * as Load from "./Load.ts"
import { copiesOf, promising, verdict } from "./Verdict.ts"
import { until } from "./Waiting.ts"

export interface Options {
  /** Seeds the order of the windows. */
  readonly seed: string
  /** All eight windows in each. */
  readonly rounds: number
}

/** The size of the messages, large enough to be cut in the middle. */
const size = 500_000

/** The current or earlier state of an email. */
interface Seen {
  readonly status: string
  readonly begun: boolean
  readonly copies: number
}

interface Scene {
  readonly name: string
  /** Where the API process dies that accepts the email, or the worker that sends it. */
  readonly dying:
    | { readonly api: Window }
    | { readonly worker: Effect.Effect<Worker, never, Installation | Scope.Scope> }
  /** The state after the death and before recovery; undefined if there is no email. */
  readonly left: Seen | undefined
  readonly outcomes: ReadonlyArray<string>
  readonly copies: 1 | 2
}

const dyingAt = (failAt: Window) => ({
  worker: Effect.flatMap(Installation, ({ startWorker }) => startWorker({ failAt }))
})

/** The worker has sent a part of the message, and the peer never gets the rest. */
const dyingMidBody = Effect.gen(function* () {
  const { sink, smtpUrl, startWorker } = yield* Installation
  const wire = yield* CutBody.make(sink.port)
  const worker = yield* startWorker({ smtpUrl: smtpUrl({ port: wire.port }) })
  wire.cutAfter(size / 2, () => worker.signal("SIGKILL"))
  return worker
})

/** The peer has recorded the whole message, and its reply reaches no one. */
const dyingAfterDot = Effect.gen(function* () {
  const { sink, startWorker } = yield* Installation
  const worker = yield* startWorker()
  sink.misbehave(({ stage }) => {
    if (stage === "dot") worker.signal("SIGKILL")
    return undefined
  })
  return worker
})

const scenes: ReadonlyArray<Scene> = [
  {
    name: "1: before the commit of acceptance nothing is left, and the key is free once its lease is over",
    dying: { api: "before_accept_commit" },
    left: undefined,
    outcomes: ["accepted"],
    copies: 1
  },
  {
    name: "2: between that commit and the answer the mail is accepted, and a second request makes no second mail",
    dying: { api: "after_accept_commit" },
    left: { status: "PENDING", begun: false, copies: 0 },
    outcomes: ["accepted"],
    copies: 1
  },
  {
    name: "3: claimed, before the attempt is on record: it is due again",
    dying: dyingAt("after_claim"),
    left: { status: "SENDING", begun: false, copies: 0 },
    outcomes: ["accepted"],
    copies: 1
  },
  {
    name: "4: the attempt is on record, before the envelope: it is ambiguous, and harmless",
    dying: dyingAt("after_begin"),
    left: { status: "SENDING", begun: true, copies: 0 },
    outcomes: ["ambiguous", "accepted"],
    copies: 1
  },
  {
    name: "5: during the body: the peer discards the incomplete mail",
    dying: { worker: dyingMidBody },
    left: { status: "SENDING", begun: true, copies: 0 },
    outcomes: ["ambiguous", "accepted"],
    copies: 1
  },
  {
    name: "6: after the final dot, before the reply: the peer has the mail and gets it again",
    dying: { worker: dyingAfterDot },
    left: { status: "SENDING", begun: true, copies: 1 },
    outcomes: ["ambiguous", "accepted"],
    copies: 2
  },
  {
    name: "7: after the reply, before it is stored: the peer gets the mail again",
    dying: dyingAt("after_reply"),
    left: { status: "SENDING", begun: true, copies: 1 },
    outcomes: ["ambiguous", "accepted"],
    copies: 2
  },
  {
    name: "8: the result is stored, with its event",
    dying: dyingAt("after_settle"),
    left: { status: "SENT", begun: false, copies: 1 },
    outcomes: ["accepted"],
    copies: 1
  }
]

export const windows = scenes.length

const seen = Effect.fnUntraced(function* (to: string) {
  const entry = yield* Ledger.entryTo(to)
  return entry && { status: entry.status, begun: entry.begun, copies: yield* copiesOf(entry.id) }
})

/**
 * The client whose request died repeats it: refused because the key is in use or the email exists, and then answered.
 */
const comeAgain = Effect.fnUntraced(function* (request: Load.Request, isThere: boolean) {
  const { api } = yield* Installation
  const again = yield* Load.post(api.url, request)
  const first = again.status === 409 ? yield* Load.firstStatusOf(again) : undefined
  yield* Ledger.endKeyLeases
  const answered = yield* Load.post(api.url, request, { mode: isThere ? "replay" : "refuse" })
  const isAsItShould = again.status === 409 && first === (isThere ? 200 : undefined) && answered.status === 200
  return isAsItShould ? [] : [`was answered ${again.status} (${first}), then ${answered.status}`]
})

/** Returns the ids of the email, and a sentence for each violation. */
const play = Effect.fnUntraced(function* ({ copies, dying, left, outcomes }: Scene, to: string, heir: Worker) {
  const { api, senders, sink, startApi } = yield* Installation
  const [project] = senders
  const request = { project, key: to, body: Load.mailTo(project, [to], size) }
  const wrong: globalThis.Array<string> = []
  const expect = (what: string, is: unknown, should: unknown) => {
    const [found, wanted] = [JSON.stringify(is), JSON.stringify(should)]
    if (found !== wanted) wrong.push(`${what} ${found}, not ${wanted}`)
  }
  // The succeeding worker is blocked until another has died; its lease is longer than that.
  heir.signal("SIGSTOP")
  if ("api" in dying) {
    const program = yield* startApi({ failAt: dying.api })
    expect("was answered", (yield* Load.post(program.url, request)).status, 0)
    expect("ended an API with", yield* program.ended, "SIGKILL")
    expect("left", yield* seen(to), left)
    wrong.push(...(yield* comeAgain(request, left !== undefined)))
  } else {
    const worker = yield* dying.worker
    expect("was answered", (yield* Load.post(api.url, request)).status, 200)
    expect("ended a worker with", yield* worker.ended, "SIGKILL")
    sink.misbehave(undefined)
    expect("left", yield* seen(to), left)
    yield* Ledger.endLease(worker.id)
  }
  heir.signal("SIGCONT")
  const entry = yield* until("the end of the mail", Ledger.entryTo(to), (entry) => entry?.status === "SENT")
  expect("was tried", entry?.outcomes, outcomes)
  expect("has email.sent events", entry?.told, 1)
  expect("arrived", yield* copiesOf(entry?.id ?? ""), copies)
  const ids = (yield* Ledger.entries).flatMap((entry) => (entry.to === to ? [entry.id] : []))
  expect("made mails", ids.length, 1)
  return { ids, wrong }
})

/** Returns the verdict: what each death leaves, and how it ends, is as in the table of the windows. */
export const kills = Effect.fn("Windows.kills")(function* ({ rounds, seed }: Options) {
  const { startWorker } = yield* Installation
  const order = Effect.replicateEffect(Random.shuffle(scenes), rounds)
  const drawn = (yield* Random.withSeed(order, `windows ${seed}`)).flat()
  const heir = yield* startWorker()
  const accepted = new Set<string>()
  const violations: globalThis.Array<string> = []
  for (const [number, scene] of drawn.entries()) {
    const { ids, wrong } = yield* Effect.scoped(play(scene, `window-${number}@example.com`, heir))
    for (const id of ids) accepted.add(id)
    violations.push(...wrong.map((sentence) => `Window ${scene.name}. Mail ${number} ${sentence}`))
  }
  const bound = drawn.reduce((sum, { copies }) => sum + copies - 1, 0)
  return Array.reduce(violations, yield* verdict(accepted, bound), (so, sentence) => promising(so, sentence, false))
})
