/**
 * kill -9 at each of the eight windows in the life of a mail: what the next process finds, and how many copies the
 * recipient gets (reliability: the state machine, and what a kill -9 does at each point).
 */
import { assert, layer } from "@effect/vitest"
import type { Window } from "@posthorn/core/sending/Failpoint"
import { Effect, type Scope } from "effect"
import { describe } from "vitest"
import * as CutBody from "./CutBody.ts"
import { Installation, type Worker } from "./Installation.ts"
import * as Ledger from "./Ledger.ts"
import * as Load from "./Load.ts"
import { installation, isThere } from "./OnPostgres.ts"
import { copiesOf } from "./Verdict.ts"
import { until } from "./Waiting.ts"

/** Time for a few processes to start on a busy machine. */
const timeout = 120_000

/** Of the mails, which are large enough to be cut in their middle. */
const size = 500_000

const requestTo = (to: string) =>
  Effect.map(
    Installation,
    ({ senders: [project] }): Load.Request => ({
      project,
      key: to,
      body: Load.mailTo(project, [to], size)
    })
  )

/** What the table tells of a mail. */
const found = Effect.fnUntraced(function* (to: string) {
  const entry = yield* Ledger.entryTo(to)
  return entry && { status: entry.status, begun: entry.begun, copies: yield* copiesOf(entry.id) }
})

/** And of one that has come to its end. */
const ended = Effect.fnUntraced(function* (to: string) {
  const entry = yield* until("the end of the mail", Ledger.entryTo(to), (entry) => entry?.status === "SENT")
  return entry && { outcomes: entry.outcomes, told: entry.told, copies: yield* copiesOf(entry.id) }
})

describe.skipIf(!isThere)("kill -9 of an API process", () => {
  layer(installation({ projects: 1 }), { timeout, excludeTestServices: true })((it) => {
    it.effect(
      "1: before the commit of acceptance nothing is left, and the key is free once its lease is over",
      () =>
        Effect.gen(function* () {
          const { api, startApi, startWorker } = yield* Installation
          const to = "before-accept-commit@example.com"
          const request = yield* requestTo(to)
          const dying = yield* startApi({ failAt: "before_accept_commit" })
          assert.strictEqual((yield* Load.post(dying.url, request)).status, 0)
          assert.strictEqual(yield* dying.ended, "SIGKILL")
          assert.isUndefined(yield* found(to))

          const early = yield* Load.post(api.url, request)
          assert.strictEqual(early.status, 409)
          assert.isUndefined(yield* Load.firstStatusOf(early))
          yield* Ledger.endKeyLeases
          assert.strictEqual((yield* Load.post(api.url, request)).status, 200)
          yield* startWorker()
          assert.deepStrictEqual(yield* ended(to), { outcomes: ["accepted"], told: 1, copies: 1 })
        }),
      timeout
    )

    it.effect(
      "2: between that commit and the answer the mail is accepted, and a second request makes no second mail",
      () =>
        Effect.gen(function* () {
          const { api, startApi, startWorker } = yield* Installation
          const to = "after-accept-commit@example.com"
          const request = yield* requestTo(to)
          const dying = yield* startApi({ failAt: "after_accept_commit" })
          assert.strictEqual((yield* Load.post(dying.url, request)).status, 0)
          assert.strictEqual(yield* dying.ended, "SIGKILL")
          assert.deepStrictEqual(yield* found(to), { status: "PENDING", begun: false, copies: 0 })

          const again = yield* Load.post(api.url, request)
          assert.strictEqual(again.status, 409)
          assert.strictEqual(yield* Load.firstStatusOf(again), 200)
          const replayed = yield* Load.mailsOf(yield* Load.post(api.url, request, { mode: "replay" }))
          assert.deepStrictEqual(
            replayed,
            (yield* Ledger.entries).flatMap((entry) => (entry.to === to ? [entry.id] : [])),
            "one mail, the first"
          )
          yield* startWorker()
          assert.deepStrictEqual(yield* ended(to), { outcomes: ["accepted"], told: 1, copies: 1 })
        }),
      timeout
    )
  })
})

type Dying = Effect.Effect<Worker, never, Installation | Scope.Scope>

const dyingAt = (failAt: Window): Dying => Effect.flatMap(Installation, ({ startWorker }) => startWorker({ failAt }))

/** It has sent a part of the mail, and the peer never sees the rest. */
const dyingMidBody: Dying = Effect.gen(function* () {
  const { sink, smtpUrl, startWorker } = yield* Installation
  const wire = yield* CutBody.make(sink.port)
  const worker = yield* startWorker({ smtpUrl: smtpUrl({ port: wire.port }) })
  wire.cutAfter(size / 2, () => worker.signal("SIGKILL"))
  return worker
})

/** The peer has the whole mail and has recorded it; its reply finds nobody. */
const dyingAfterDot: Dying = Effect.gen(function* () {
  const { sink, startWorker } = yield* Installation
  const worker = yield* startWorker()
  sink.misbehave(({ stage }) => {
    if (stage === "dot") worker.signal("SIGKILL")
    return undefined
  })
  return worker
})

const windows = [
  {
    window: "3: claimed, before the attempt is on record: it is due again",
    dying: dyingAt("after_claim"),
    left: { status: "SENDING", begun: false, copies: 0 },
    end: { outcomes: ["accepted"], told: 1, copies: 1 }
  },
  {
    window: "4: the attempt is on record, before the envelope: it is ambiguous, and harmless",
    dying: dyingAt("after_begin"),
    left: { status: "SENDING", begun: true, copies: 0 },
    end: { outcomes: ["ambiguous", "accepted"], told: 1, copies: 1 }
  },
  {
    window: "5: in the middle of the body: the peer drops what has no end",
    dying: dyingMidBody,
    left: { status: "SENDING", begun: true, copies: 0 },
    end: { outcomes: ["ambiguous", "accepted"], told: 1, copies: 1 }
  },
  {
    window: "6: after the final dot, before the reply: the peer has it and gets it again",
    dying: dyingAfterDot,
    left: { status: "SENDING", begun: true, copies: 1 },
    end: { outcomes: ["ambiguous", "accepted"], told: 1, copies: 2 }
  },
  {
    window: "7: after the reply, before it is on record: the peer gets it again",
    dying: dyingAt("after_reply"),
    left: { status: "SENDING", begun: true, copies: 1 },
    end: { outcomes: ["ambiguous", "accepted"], told: 1, copies: 2 }
  },
  {
    window: "8: the result is on record, and its event with it",
    dying: dyingAt("after_settle"),
    left: { status: "SENT", begun: false, copies: 1 },
    end: { outcomes: ["accepted"], told: 1, copies: 1 }
  }
] as const

describe.skipIf(!isThere)("kill -9 of a worker", () => {
  layer(installation({ projects: 1 }), { timeout, excludeTestServices: true })((it) => {
    for (const { window, dying, left, end } of windows) {
      it.effect(
        window,
        () =>
          Effect.gen(function* () {
            const { api, sink, startWorker } = yield* Installation
            const to = `window-${window[0]}@example.com`
            const worker = yield* dying
            assert.strictEqual((yield* Load.post(api.url, yield* requestTo(to))).status, 200)
            assert.strictEqual(yield* worker.ended, "SIGKILL")
            sink.misbehave(undefined)
            assert.deepStrictEqual(yield* found(to), left)

            yield* Ledger.endLease(worker.id)
            yield* startWorker()
            assert.deepStrictEqual(yield* ended(to), end)
          }),
        timeout
      )
    }
  })
})
