/** An SMTP peer that fails at every stage, defers every message, or refuses the login (fault matrix F12 to F14). */
import { assert, layer } from "@effect/vitest"
import { type Misbehave, type Stage, stages, startSmtpServer } from "@posthorn/mailer-smtp/testing"
import { Effect } from "effect"
import { describe } from "vitest"
import { Installation } from "./Installation.ts"
import * as Ledger from "./Ledger.ts"
import * as Load from "./Load.ts"
import { installation, isThere } from "./OnPostgres.ts"
import { copiesOf } from "./Verdict.ts"
import { until } from "./Waiting.ts"

const timeout = 120_000

/**
 * More than the buffers between two sockets hold: a smaller message is sent completely before the sender notices a
 * break.
 */
const attachment = {
  filename: "large.bin",
  contentType: "application/octet-stream",
  content: Buffer.alloc(9 * 1024 * 1024).toString("base64")
}

const all = (name: string) =>
  Effect.map(Ledger.entries, (entries) => entries.filter(({ to }) => to.startsWith(`${name}-`)))

/** Sessions end after one message, so that the next one starts with a connection. Disconnects once at a stage. */
const droppingOnce = (stage: Stage): Misbehave => {
  let isDone = false
  return (moment) => {
    if (moment.stage === stage && !isDone) {
      isDone = true
      return { drop: true }
    }
    return { drop: moment.stage === "accepted" }
  }
}

describe.skipIf(!isThere)("A peer", () => {
  layer(installation({ projects: 1 }), { timeout, excludeTestServices: true })((it) => {
    it.effect(
      "that breaks off gets each mail again, and twice only what it had whole",
      () =>
        Effect.gen(function* () {
          const { sink, startWorker } = yield* Installation
          yield* startWorker()
          const found: Record<string, object> = {}
          for (const stage of stages) {
            yield* until("the last session to end", Effect.sync(sink.openConnections), (count) => count === 0)
            sink.misbehave(droppingOnce(stage))
            const to = `dropped-at-${stage}@example.com`
            yield* Load.send([to], stage === "body" ? { attachments: [attachment] } : {})
            const entry = yield* until("its end", Ledger.entryTo(to), (entry) => entry?.status === "SENT")
            const { id, outcomes, ladderStep } = entry ?? assert.fail()
            found[stage] = { outcomes: outcomes.join(), ladderStep, copies: yield* copiesOf(id) }
          }
          const unreached = { outcomes: "error,accepted", ladderStep: 0, copies: 1 }
          const broken = { outcomes: "deferred,accepted", ladderStep: 0, copies: 1 }
          assert.deepStrictEqual(found, {
            connect: unreached,
            banner: unreached,
            ehlo: unreached,
            mail: broken,
            rcpt: broken,
            data: broken,
            body: broken,
            dot: { outcomes: "ambiguous,accepted", ladderStep: 0, copies: 2 },
            accepted: { outcomes: "accepted", ladderStep: 0, copies: 1 }
          })
        }),
      timeout
    )

    it.effect(
      "that says 451 to everybody has everybody wait one rung, spread out, and then gets all of it",
      () =>
        Effect.gen(function* () {
          const { sink, startWorker } = yield* Installation
          sink.misbehave(({ stage }) => (stage === "rcpt" ? { reply: "451 4.3.0 Try again later" } : undefined))
          yield* startWorker()
          yield* Load.send(Load.people("greylisted", 50))
          const waiting = yield* until("all to be tried", all("greylisted"), (entries) =>
            entries.every(({ outcomes }) => outcomes.length === 1)
          )
          for (const { status, ladderStep, outcomes, waitSeconds } of waiting) {
            assert.deepStrictEqual(
              { status, ladderStep, outcomes },
              { status: "PENDING", ladderStep: 1, outcomes: ["deferred"] }
            )
            assert.isTrue(waitSeconds >= 48 && waitSeconds <= 72, `a minute, give or take a fifth: ${waitSeconds}`)
          }
          assert.isAbove(new Set(waiting.map(({ waitSeconds }) => waitSeconds)).size, 25, "no herd")

          sink.misbehave(undefined)
          yield* Ledger.endWaits
          const sent = yield* until("all to be sent", all("greylisted"), (entries) =>
            entries.every(({ status }) => status === "SENT")
          )
          for (const { id, outcomes } of sent) {
            assert.deepStrictEqual(outcomes, ["deferred", "accepted"])
            assert.strictEqual(yield* copiesOf(id), 1)
          }
        }),
      timeout
    )

    it.effect(
      "that replies 421 4.7.0 to every mail uses no step of the retry ladder, and gets every mail later",
      () =>
        Effect.gen(function* () {
          const { sink, startWorker } = yield* Installation
          sink.misbehave(({ stage }) => (stage === "rcpt" ? { reply: "421 4.7.0 Slow down" } : undefined))
          yield* startWorker()
          yield* Load.send(Load.people("slowed", 50))
          const waiting = yield* until("all to be tried", all("slowed"), (entries) =>
            entries.every(({ outcomes }) => outcomes.length === 1)
          )
          for (const { status, ladderStep, waitSeconds } of waiting) {
            assert.deepStrictEqual({ status, ladderStep }, { status: "PENDING", ladderStep: 0 })
            assert.isTrue(waitSeconds >= 60 && waitSeconds <= 30 * 60, `1 to 30 minutes: ${waitSeconds}`)
          }
          sink.misbehave(undefined)
          yield* Ledger.endWaits
          const sent = yield* until("all to be sent", all("slowed"), (entries) =>
            entries.every(({ status }) => status === "SENT")
          )
          for (const { id } of sent) assert.strictEqual(yield* copiesOf(id), 1)
        }),
      timeout
    )

    it.effect(
      "that refuses our login (535) is tried now and then by one mail, and burns none",
      () =>
        Effect.gen(function* () {
          const { startWorker } = yield* Installation
          let logins = 0
          let isMended = false
          const peer = yield* Effect.acquireRelease(
            Effect.promise(() =>
              startSmtpServer({
                authOptional: false,
                onAuth: (_, _session, done) => {
                  logins++
                  if (isMended) return done(null, { user: "user" })
                  done(Object.assign(new Error("Invalid login"), { responseCode: 535 }))
                }
              })
            ),
            (peer) => Effect.promise(peer.close)
          )
          const concurrency = 4
          yield* startWorker({
            smtpUrl: `smtp://user:password@127.0.0.1:${peer.port}?verify=false&pool=${concurrency}`
          })
          yield* Load.send(Load.people("locked-out", 100))
          yield* until(
            "three more looks",
            Effect.sync(() => logins),
            (count) => count >= concurrency + 3
          )
          const waiting = yield* all("locked-out")
          for (const { status, ladderStep, outcomes } of waiting) {
            assert.include(["PENDING", "SENDING"], status)
            assert.strictEqual(ladderStep, 0)
            assert.isTrue(outcomes.every((outcome) => outcome === "error"))
          }
          assert.isAtMost(logins, 2 * concurrency + 3, "one at a time, after the first few")

          isMended = true
          yield* until("all to be sent", all("locked-out"), (entries) =>
            entries.every(({ status }) => status === "SENT")
          )
          assert.lengthOf(peer.mails, 100)
        }),
      timeout
    )
  })
})
