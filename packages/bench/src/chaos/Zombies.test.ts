/** Workers that died or are frozen while they hold emails, and one that continues later (fault matrix F6). */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { Installation, type Worker } from "./Installation.ts"
import * as Ledger from "./Ledger.ts"
import * as Load from "./Load.ts"
import { installation, live } from "./OnPostgres.ts"
import { verdict } from "./Verdict.ts"
import { until } from "./Waiting.ts"

const timeout = 180_000

/** Emails that a worker sends concurrently; it has claimed as many more. */
const concurrency = 2

/** Milliseconds between the dot and the reply: enough to freeze or kill a worker, even on a busy machine. */
const replyDelay = 15_000

/** Twice what the workers can hold. The peer has every message in transmission, and delays its replies. */
const fillHands = Effect.fnUntraced(function* (workers: ReadonlyArray<Worker>) {
  const { sink } = yield* Installation
  sink.misbehave(({ stage }) => (stage === "dot" ? { delay: replyDelay } : undefined))
  const mails = yield* Load.send(Load.people("held", 4 * concurrency * workers.length))
  const onTheWire = concurrency * workers.length
  yield* until("mails on the wire", Effect.sync(sink.accepted), (count) => count === onTheWire)
  sink.misbehave(undefined)
  return mails
})

/** The zombie sends the last email, after all that it still held. */
const wake = Effect.fnUntraced(function* (zombie: Worker, other: Worker) {
  other.signal("SIGTERM")
  assert.strictEqual(yield* other.ended, 0)
  zombie.signal("SIGCONT")
  const last = yield* Load.send(["last@example.com"])
  yield* until("the end of the last mail", Ledger.unfinished, (count) => count === 0)
  zombie.signal("SIGTERM")
  assert.strictEqual(yield* zombie.ended, 0)
  return last
})

live(
  "a worker that wakes up after its lease sends and settles nothing of what others have taken over",
  () =>
    Effect.gen(function* () {
      const { startWorker } = yield* Installation
      const zombie = yield* startWorker({ concurrency })
      const mails = yield* fillHands([zombie])
      zombie.signal("SIGSTOP")
      yield* Ledger.endLease(zombie.id)
      const other = yield* startWorker({ concurrency })
      yield* until("the end of all mails", Ledger.unfinished, (count) => count === 0)

      const last = yield* wake(zombie, other)
      const found = yield* verdict(new Set([...mails, ...last]), concurrency)
      assert.deepStrictEqual(found.violations, [])
      assert.strictEqual(found.extra, concurrency, "what was on the wire came twice, what it had not begun did not")
    }).pipe(Effect.provide(installation({ projects: 1 }))),
  timeout
)

live(
  "mails of a dead and of a frozen worker move again when their lease runs out",
  () =>
    Effect.gen(function* () {
      const { startWorker } = yield* Installation
      const dead = yield* startWorker({ concurrency })
      const zombie = yield* startWorker({ concurrency })
      const mails = yield* fillHands([dead, zombie])
      zombie.signal("SIGSTOP")
      dead.signal("SIGKILL")
      const other = yield* startWorker({ concurrency })
      yield* until("the end of all mails", Ledger.unfinished, (count) => count === 0)

      const last = yield* wake(zombie, other)
      const found = yield* verdict(new Set([...mails, ...last]), 2 * concurrency)
      assert.deepStrictEqual(found.violations, [])
      assert.strictEqual(found.extra, 2 * concurrency)
    }).pipe(Effect.provide(installation({ projects: 1 }))),
  timeout
)
